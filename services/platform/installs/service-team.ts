import { ApiClient, ApiError } from "../../../shared/api-client.ts";
import type { ManagedTeam } from "../../../shared/contracts/teams/people.ts";
import { describeFailure } from "../deliveries/describe-api-failure.ts";
import type { PlatformContext } from "../platform-context.ts";
import { LOG_MESSAGES } from "../texts.ts";
import { claimTeam, type InstallTeam, putTeam, releaseTeam } from "./team.store.ts";

/** A person waits for it, or the platform. */
const WITHIN_MS = 8_000;
const NAME_CHARS = 100;

/** Statuses by which the API says that this key makes no team, however often it is asked. */
const NO_TEAMS = new Set([403, 409]);

/**
 * Makes the team of an installation, once. Where the process's key may not make teams, or teams are shared, its own
 * team is the one. What fails is tried again by the next delivery or installation.
 * @param login of the person who becomes the new team's admin; null where that is not known
 */
export async function ensureTeam(
  context: PlatformContext,
  configurationId: string,
  login: string | null = null,
): Promise<void> {
  const { em, settings, warn } = context;
  const { api } = settings;
  if (!api || !(await claimTeam(em(), configurationId))) return;
  try {
    const team = await makeTeam(context, api, configurationId);
    await putTeam(em(), configurationId, team);
    if (login !== null) await addFirstAdmin(context, { configurationId, login, ...team });
  } catch (error) {
    await releaseTeam(em(), configurationId);
    warn(null, LOG_MESSAGES.teamNotCreated(configurationId, describeFailure(error, api.apiKey).error));
  }
}

/** Lets the person in who installed; operators can do so later. */
async function addFirstAdmin(
  { settings: { apiUrl }, baseUrl, warn }: PlatformContext,
  { configurationId, login, teamId, apiKey }: InstallTeam & { configurationId: string; login: string },
): Promise<void> {
  // People of this service are not known to a Cloud API elsewhere.
  if (apiUrl !== baseUrl || teamId === null || apiKey === null) return;
  try {
    await addAdmin({ baseUrl: apiUrl, apiKey }, teamId, login);
  } catch (error) {
    warn(null, LOG_MESSAGES.adminNotAdded(configurationId, login, describeFailure(error, apiKey).error));
  }
}

/** Makes a person an admin of a key's team. @throws ApiError, or what fetch throws */
export function addAdmin(api: Api, teamId: string, login: string): Promise<ManagedTeam> {
  return clientOf(api).addMembers(teamId, [{ login, role: "admin" }]);
}

type Api = NonNullable<PlatformContext["settings"]["api"]>;

async function makeTeam(
  { settings: { name, teams }, warn }: PlatformContext,
  api: Api,
  configurationId: string,
): Promise<InstallTeam> {
  const client = clientOf(api);
  const shared = async () => ({ teamId: await teamOfKey(api), apiKey: null });
  if (teams === "shared") return shared();
  try {
    const { id, key } = await client.createTeam(`${name} ${configurationId}`.slice(0, NAME_CHARS).trim());
    if (key !== undefined) return { teamId: id, apiKey: key };
    warn(null, "SERVICE_API_KEY stands for a person: a new team's key can't be had. Use an operator's key");
  } catch (error) {
    if (!(error instanceof ApiError && NO_TEAMS.has(error.status))) throw error;
    warn(null, LOG_MESSAGES.usesOperatorsTeam(configurationId, error.message));
  }
  return shared();
}

/** The id of the team that a key is of; null for a key that is in none. @throws ApiError, or what fetch throws */
export async function teamOfKey(api: Api): Promise<string | null> {
  const { data } = await clientOf(api).listTeams();
  return data[0]?.id ?? null;
}

function clientOf(api: Api): ApiClient {
  return new ApiClient({ ...api, attempts: 1, signal: AbortSignal.timeout(WITHIN_MS) });
}
