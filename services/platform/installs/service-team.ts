import { ApiClient } from "../../../shared/api/api-client.ts";
import { ApiError } from "../../../shared/api/api-exchanges.ts";
import type { ManagedTeam } from "../../../shared/contracts/teams/people.ts";
import { isSameAddress } from "../../../shared/same-address.rule.ts";
import { describeFailure } from "../deliveries/describe-api-failure.ts";
import type { PlatformContext } from "../platform-context.ts";
import { LOG_MESSAGES } from "../texts.ts";
import { type InstallTeam, leaseTeam, putFirstTeam, releaseTeam } from "./team.store.ts";

/** A person or the platform waits for it. */
const REQUEST_TIMEOUT_MS = 8_000;
const MAX_NAME_CHARS = 100;

type TeamContext = Pick<PlatformContext, "em" | "settings" | "baseUrl" | "warn">;

/** With these statuses, a key can never create a team. */
const NO_TEAM_STATUSES = new Set([403, 409]);

/**
 * Creates the team of an installation, once. If the process's key may not create teams, or teams are shared, the key's
 * own team is used. The next delivery or installation retries after a failure.
 * @param login the first admin of the new team; null if unknown
 */
export async function ensureTeam(
  context: TeamContext,
  configurationId: string,
  login: string | null = null,
): Promise<void> {
  const { em, settings, warn } = context;
  const { api } = settings;
  if (!api || !(await leaseTeam(em(), configurationId))) return;
  try {
    const team = await createTeam(context, api, configurationId);
    // An operator may have chosen another team meanwhile.
    const isFirst = await putFirstTeam(em(), configurationId, team);
    if (isFirst && login !== null) await addFirstAdmin(context, { configurationId, login, ...team });
  } catch (error) {
    await releaseTeam(em(), configurationId);
    warn(null, LOG_MESSAGES.teamNotCreated(configurationId, describeFailure(error, api.apiKey).error));
  }
}

/** Adds the person who installed. Operators can add admins later. */
async function addFirstAdmin(
  { settings: { apiUrl }, baseUrl, warn }: TeamContext,
  { configurationId, login, teamId, apiKey }: InstallTeam & { configurationId: string; login: string },
): Promise<void> {
  // Another Cloud API does not know this service's users.
  if (apiUrl === null || teamId === null || apiKey === null || !isSameAddress(apiUrl, baseUrl)) return;
  try {
    await addAdmin({ baseUrl: apiUrl, apiKey }, teamId, login);
  } catch (error) {
    warn(null, LOG_MESSAGES.adminNotAdded(configurationId, login, describeFailure(error, apiKey).error));
  }
}

/** Adds a person as an admin of a key's team. @throws ApiError, or the errors of fetch */
export function addAdmin(api: Api, teamId: string, login: string): Promise<ManagedTeam> {
  return clientOf(api).addMembers(teamId, [{ login, role: "admin" }]);
}

type Api = NonNullable<PlatformContext["settings"]["api"]>;

async function createTeam(
  { settings: { name, teams }, warn }: TeamContext,
  api: Api,
  configurationId: string,
): Promise<InstallTeam> {
  const client = clientOf(api);
  const shared = async () => ({ teamId: await teamOfKey(api), apiKey: null });
  if (teams === "shared") return shared();
  try {
    const { id, key } = await client.createTeam(`${name} ${configurationId}`.slice(0, MAX_NAME_CHARS).trim());
    if (key !== undefined) return { teamId: id, apiKey: key };
    warn(null, "SERVICE_API_KEY stands for a person: a new team's key can't be had. Use an operator's key");
  } catch (error) {
    if (!(error instanceof ApiError && NO_TEAM_STATUSES.has(error.status))) throw error;
    warn(null, LOG_MESSAGES.usesOperatorsTeam(configurationId, error.message));
  }
  return shared();
}

/** Returns the id of a key's team, or null if it has none. @throws ApiError, or the errors of fetch */
export async function teamOfKey(api: Api): Promise<string | null> {
  const { data } = await clientOf(api).listTeams();
  return data[0]?.id ?? null;
}

function clientOf(api: Api): ApiClient {
  return new ApiClient({ ...api, attempts: 1, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
}
