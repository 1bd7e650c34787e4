import type { EntityManager } from "../../../mixins/database.ts";
import { secretNamesIn } from "../../../shared/contracts/configuration/secret-references.ts";
import type { CaptureJob } from "../../../shared/contracts/runs/jobs.ts";
import type { Run } from "../run.entity.ts";
import { SECRET_ERRORS } from "../texts/projects.ts";
import { readSecretValues } from "./secret.store.ts";
import { secretOwnerOf } from "./secret-owner.rule.ts";

/** The secrets that a job needs, or why it can't have them. */
export type JobSecrets = Pick<CaptureJob, "secrets"> | { refusal: string };

/**
 * Reads the secrets that a job's options and session refer to. Runs of pull requests from forks get none, because their
 * pages could read what is typed into them.
 */
export async function secretsOfJob(
  em: EntityManager,
  { teamId, project, scm }: Pick<Run, "teamId" | "project" | "scm">,
  { options, session }: Pick<CaptureJob, "options" | "session">,
): Promise<JobSecrets> {
  const names = secretNamesIn([options, session]);
  if (names.length === 0) return {};
  if (scm?.fromFork) return { refusal: SECRET_ERRORS.fork };
  const secrets = await readSecretValues(em, secretOwnerOf({ teamId, project }), names);
  const gone = names.filter(name => !Object.hasOwn(secrets, name));
  return gone.length === 0 ? { secrets } : { refusal: SECRET_ERRORS.gone(gone) };
}
