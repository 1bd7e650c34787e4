import type { EntityManager } from "../../../mixins/database.ts";
import type {
  Configuration,
  ConfigurationBody,
  ConfigurationView,
} from "../../../shared/contracts/configuration/configuration.ts";
import { secretNamesIn } from "../../../shared/contracts/configuration/secret-references.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { invalidField, ServiceError } from "../../../shared/errors.ts";
import { noteActivity } from "../note-activity.ts";
import type { RunsContext } from "../runs-context.ts";
import { findSecrets, type SecretOwner } from "../secrets/secret.store.ts";
import { PROJECT_CHARS, secretOwnerOf } from "../secrets/secret-owner.rule.ts";
import { PROJECT_CONFIGURATION_ERRORS, SECRET_ERRORS } from "../texts/projects.ts";
import { findConfiguration, replaceConfiguration, type StoredConfiguration } from "./configuration.store.ts";

/** Returns a project's stored configuration, which is empty at first. */
export async function readConfiguration(
  context: RunsContext,
  { teamId }: Caller,
  project: string,
): Promise<ConfigurationView> {
  const em = context.em();
  const owner = secretOwnerOf({ teamId, project });
  return viewOf(em, owner, await findConfiguration(em, owner));
}

/**
 * Replaces a project's stored configuration.
 * @throws ServiceError conflict if it changed since the caller read it; invalid_request
 */
export async function putConfiguration(
  context: RunsContext,
  caller: Caller,
  { project, version, configuration: settings }: { project: string } & ConfigurationBody,
): Promise<ConfigurationView> {
  if (project.length > PROJECT_CHARS) throw invalidField("project", SECRET_ERRORS.longProject(PROJECT_CHARS));
  const em = context.em();
  const owner = secretOwnerOf({ teamId: caller.teamId, project });
  const before = await findConfiguration(em, owner);
  const changedBy = caller.actor.name;
  const stored = await replaceConfiguration(em, owner, { version, settings, changedBy });
  if (!stored) {
    const now = await findConfiguration(em, owner);
    throw new ServiceError("conflict", PROJECT_CONFIGURATION_ERRORS.changed(version, now));
  }
  const fields = changedFields(before?.settings ?? {}, settings).join(", ");
  await noteActivity(context, caller, "configuration.changed", owner.project, {
    version: stored.version,
    ...(fields !== "" && { fields }),
  });
  return viewOf(em, owner, stored);
}

/** Returns the names of the fields that differ. */
function changedFields(before: Configuration, after: Configuration): string[] {
  const fields = new Map<string, unknown>(Object.entries(before));
  const names = new Set([...fields.keys(), ...Object.keys(after)]);
  const now = new Map<string, unknown>(Object.entries(after));
  return [...names].filter(name => JSON.stringify(fields.get(name)) !== JSON.stringify(now.get(name)));
}

async function viewOf(
  em: EntityManager,
  owner: SecretOwner,
  stored: StoredConfiguration | null,
): Promise<ConfigurationView> {
  const configuration = stored?.settings ?? {};
  const names = secretNamesIn(configuration);
  const known = names.length === 0 ? [] : (await findSecrets(em, owner)).map(({ name }) => name);
  return {
    project: owner.project,
    version: stored?.version ?? 0,
    configuration,
    missingSecrets: names.filter(name => !known.includes(name)),
    changedBy: stored?.changedBy ?? null,
    changedAt: stored ? new Date(stored.changedAt).toISOString() : null,
  };
}
