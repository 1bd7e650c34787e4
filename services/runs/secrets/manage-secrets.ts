import {
  SECRET_BOUNDS,
  type SecretList,
  type SecretView,
  secretName,
} from "../../../shared/contracts/configuration/secrets.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { invalidField, notFound, ServiceError } from "../../../shared/errors.ts";
import { describeInvalid } from "../../../shared/text/describe-invalid.ts";
import { noteActivity } from "../note-activity.ts";
import type { RunsContext } from "../runs-context.ts";
import { SECRET_ERRORS } from "../texts/projects.ts";
import { findSecrets, lockSecrets, removeSecret, type StoredSecret, writeSecret } from "./secret.store.ts";
import { PROJECT_CHARS, secretOwnerOf } from "./secret-owner.rule.ts";

/**
 * Sets a secret of a project, which doesn't need to exist yet.
 * @throws ServiceError invalid_request for a name that references can't have; conflict if the project has too many
 */
export async function putSecret(
  context: RunsContext,
  caller: Caller,
  { project, name, value }: { project: string; name: string; value: string },
): Promise<SecretView> {
  const { success, error } = secretName.safeParse(name, { error: describeInvalid });
  if (!success) throw invalidField("name", error.issues[0]?.message ?? "");
  if (project.length > PROJECT_CHARS) throw invalidField("project", SECRET_ERRORS.longProject(PROJECT_CHARS));
  const owner = secretOwnerOf({ teamId: caller.teamId, project });
  const secret = await context.em().transactional(async em => {
    await lockSecrets(em, owner);
    const others = (await findSecrets(em, owner)).filter(each => each.name !== name);
    if (others.length >= SECRET_BOUNDS.perProject)
      throw new ServiceError("conflict", SECRET_ERRORS.limit(owner.project, SECRET_BOUNDS.perProject));
    return writeSecret(em, owner, { name, value, changedBy: caller.actor.name });
  });
  await noteActivity(context, caller, "secret.changed", owner.project, { name });
  return viewOfSecret(secret);
}

/** Lists the secrets of a project by name, without their values. */
export async function listSecrets(
  context: RunsContext,
  { teamId }: Caller,
  project: string,
): Promise<SecretList> {
  const secrets = await findSecrets(context.em(), secretOwnerOf({ teamId, project }));
  return { data: secrets.map(viewOfSecret) };
}

/** Deletes a secret. Pages that need it fail from now on. @throws ServiceError not_found */
export async function deleteSecret(
  context: RunsContext,
  caller: Caller,
  { project, name }: { project: string; name: string },
): Promise<null> {
  const owner = secretOwnerOf({ teamId: caller.teamId, project });
  if (!(await removeSecret(context.em(), owner, name))) throw notFound("secret", name);
  await noteActivity(context, caller, "secret.deleted", owner.project, { name });
  return null;
}

function viewOfSecret({ changedAt, ...secret }: StoredSecret): SecretView {
  return { ...secret, changedAt: new Date(changedAt).toISOString() };
}
