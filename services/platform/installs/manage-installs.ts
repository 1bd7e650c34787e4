import { ApiError } from "../../../shared/api/api-exchanges.ts";
import { emit } from "../../../shared/contracts/bus.ts";
import type { ListQuery } from "../../../shared/contracts/fields.ts";
import {
  type InstallAdminBody,
  type InstallList,
  type InstallTeamBody,
  type InstallView,
  type ProjectSettingsBody,
  platformId,
} from "../../../shared/contracts/platform/installs.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import type { ManagedTeam } from "../../../shared/contracts/teams/people.ts";
import { invalidField, ServiceError } from "../../../shared/errors.ts";
import { DEFAULT_TEAM_ID, newId } from "../../../shared/ids.ts";
import { decodeCursor, pageOf } from "../../../shared/pagination.ts";
import type { PlatformContext } from "../platform-context.ts";
import { INSTALL_ERRORS } from "../texts.ts";
import { findInstalls, type StoredInstall } from "./installs.store.ts";
import { putProjectSettings } from "./project-settings.store.ts";
import { addAdmin, teamOfKey } from "./service-team.ts";
import { findTeam, putTeam } from "./team.store.ts";

const ID = /^[\x21-\x7e]{1,200}$/;

/**
 * Lists the installations of the caller's team, or of every team for the operator.
 * @throws ServiceError invalid_request for a cursor that no list returned
 */
export async function listInstalls(
  { em }: Pick<PlatformContext, "em">,
  caller: Caller,
  { limit, cursor }: ListQuery,
): Promise<InstallList> {
  const after = decodeCursor("installs", cursor, ID) ?? "";
  const found = await findInstalls(em(), { teamId: visibleTeam(caller), after, limit: limit + 1 });
  return pageOf("installs", found, limit, viewOf);
}

/**
 * Changes the settings of a project's runs.
 * @throws ServiceError not_found for an installation of another team; invalid_request; unavailable
 */
export async function changeProject(
  context: PlatformContext,
  caller: Caller,
  { configurationId, projectId, settings }: ProjectChange,
): Promise<InstallView> {
  const find = () => findInstalls(context.em(), { ...ofCaller(caller), configurationId });
  if (!platformId.safeParse(projectId).success) throw invalidField("projectId", INSTALL_ERRORS.notAnId);
  if ((await find()).length === 0) throw noInstall(configurationId);
  if (typeof settings.apiKey === "string") await teamOf(context, settings.apiKey);
  if (!(await putProjectSettings(context.em(), { configurationId, projectId }, settings)))
    throw new ServiceError("conflict", INSTALL_ERRORS.tooManySettings);
  const [changed] = await find();
  if (!changed) throw noInstall(configurationId);
  const teamId = changed.team_id ?? caller.teamId;
  await noteChange(context, { teamId, actor: caller.actor }, `${configurationId} ${projectId}`);
  return viewOf(changed);
}

interface ProjectChange {
  configurationId: string;
  projectId: string;
  settings: ProjectSettingsBody;
}

/** Chooses the team of an installation, also before it exists. @throws ServiceError invalid_request, unavailable */
export async function chooseTeam(
  context: PlatformContext,
  { actor }: Caller,
  { configurationId, apiKey }: { configurationId: string } & InstallTeamBody,
): Promise<void> {
  if (!platformId.safeParse(configurationId).success)
    throw invalidField("configurationId", INSTALL_ERRORS.notAnId);
  const key = apiKey ?? context.settings.api?.apiKey;
  if (key === undefined) throw invalidField("apiKey", INSTALL_ERRORS.keyRequired);
  const teamId = await teamOf(context, key);
  await putTeam(context.em(), configurationId, { teamId, apiKey });
  await noteChange(context, { teamId, actor }, configurationId);
}

/**
 * Adds a person as an admin of an installation's own team, which may have no members yet.
 * @throws ServiceError not_found; conflict if the team is that of the process's key, or does not accept the member;
 * unavailable
 */
export async function addTeamAdmin(
  context: PlatformContext,
  { actor }: Caller,
  { configurationId, login }: { configurationId: string } & InstallAdminBody,
): Promise<ManagedTeam> {
  const team = await findTeam(context.em(), configurationId);
  if (!team) throw noInstall(configurationId);
  const { teamId, apiKey } = team;
  const { apiUrl: baseUrl } = context.settings;
  if (baseUrl === null) throw new ServiceError("conflict", INSTALL_ERRORS.noApiUrl);
  if (teamId === null || apiKey === null)
    throw new ServiceError("conflict", INSTALL_ERRORS.sharedTeam(configurationId));
  try {
    const added = await addAdmin({ baseUrl, apiKey }, teamId, login);
    await noteChange(context, { teamId, actor }, configurationId);
    return added;
  } catch (error) {
    if (!(error instanceof ApiError && error.status < 500))
      throw new ServiceError("unavailable", INSTALL_ERRORS.cloudAway);
    throw new ServiceError("conflict", INSTALL_ERRORS.adminRefused(error.message));
  }
}

/** Notes a change of an installation in its team's activity. */
async function noteChange(
  { bus }: PlatformContext,
  { teamId, actor }: Pick<Caller, "teamId" | "actor">,
  target: string,
): Promise<void> {
  const noted = { id: newId("act"), teamId, type: "install.changed", actor, target, details: {} } as const;
  await emit(bus, "activity.noted", noted);
}

/** Returns the team of a key. The Cloud API must accept the key. */
async function teamOf({ settings: { apiUrl } }: PlatformContext, apiKey: string): Promise<string> {
  if (apiUrl === null) throw new ServiceError("conflict", INSTALL_ERRORS.noApiUrl);
  try {
    const teamId = await teamOfKey({ baseUrl: apiUrl, apiKey });
    if (teamId !== null) return teamId;
  } catch (error) {
    if (!(error instanceof ApiError && (error.status === 401 || error.status === 403)))
      throw new ServiceError("unavailable", INSTALL_ERRORS.cloudAway);
  }
  throw invalidField("apiKey", INSTALL_ERRORS.wrongKey);
}

/** Returns the team whose installations the caller sees. Null means all, for the operator. */
function visibleTeam({ teamId }: Caller): string | null {
  return teamId === DEFAULT_TEAM_ID ? null : teamId;
}

function ofCaller(caller: Caller) {
  return { teamId: visibleTeam(caller), after: "", limit: 1 };
}

function noInstall(configurationId: string): ServiceError {
  return new ServiceError("not_found", INSTALL_ERRORS.unknown(configurationId));
}

function viewOf({ id, owner_id, team_id, all_projects, installed_at, projects }: StoredInstall): InstallView {
  return {
    configurationId: id,
    ownerId: owner_id,
    teamId: team_id,
    allProjects: all_projects,
    installedAt: new Date(installed_at).toISOString(),
    projects,
  };
}
