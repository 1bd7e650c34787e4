import type { DeliveryAnswer } from "../../../shared/contracts/platform/delivery.ts";
import type { PlatformSettings, PreviewRoutes } from "../../../shared/environment/platform-variables.ts";
import { NO_SETTINGS } from "../api/project-variables.ts";
import type { ProjectSettings } from "../installs/project-settings.store.ts";
import { ensureTeam } from "../installs/service-team.ts";
import type { PlatformContext, Store } from "../platform-context.ts";
import { DELIVERY_REASONS } from "../texts.ts";
import type { PlatformEvent } from "./platform-event.rule.ts";
import { findRecipient, hasOwnKeys, type Recipient, saveVariableKey } from "./recipient.store.ts";
import { gitMetadata } from "./run-request.rule.ts";

/** The key and routes of a delivery's run. */
export interface Submission extends PreviewRoutes {
  api: NonNullable<PlatformSettings["api"]>;
  /** Whether the key is the installation's own. */
  isOwnTeam: boolean;
}

/**
 * The recipient of a delivery. "unknown" means that the database does not respond and another team may be the
 * recipient.
 */
type Found = Recipient | null | "unknown";

/**
 * Chooses how a delivery's run is submitted: by its project's settings, its variables, its installation, or the
 * process.
 */
export async function chooseSubmission(
  context: PlatformContext,
  store: Store,
  event: PlatformEvent,
): Promise<Submission | { answer: DeliveryAnswer }> {
  const found = await recipientOf(context, store, event);
  if (found === "unknown") return { answer: AWAY };
  const project = found === null ? NO_SETTINGS : await settingsOf(context, store, event, found);
  if (project === "unknown") return { answer: UNREAD };
  if (found !== null && !found.isDecided && project.apiKey === null && context.settings.api !== null)
    return { answer: NO_TEAM };
  const { apiUrl: baseUrl, api, routes, routesFromConfig } = context.settings;
  const apiKey = project.apiKey ?? found?.teamKey ?? api?.apiKey;
  if (baseUrl === null || apiKey === undefined) return { answer: NOT_CONFIGURED };
  return {
    api: { baseUrl, apiKey },
    isOwnTeam: apiKey === found?.teamKey,
    routes: project.routes ?? routes,
    routesFromConfig: project.routesFromConfig ?? routesFromConfig,
  };
}

/**
 * Returns the stored settings of the project, completed by its variables at the platform. "unknown" means that the
 * variables had a key, which names another team, and can't be read.
 */
async function settingsOf(
  { variables, keys, settings: { metaPrefix } }: PlatformContext,
  store: Store,
  { projectId, deployment: { meta } }: PlatformEvent,
  { configurationId, project, hasVariableKey, token }: Recipient,
): Promise<ProjectSettings | "unknown"> {
  const { branch } = gitMetadata(meta, metaPrefix);
  const read = await variables.settingsOf({ configurationId, projectId, branch, token });
  if (read === null && hasVariableKey && project.apiKey === null) return "unknown";
  if (read !== null && projectId !== null && read.hasKey !== hasVariableKey) {
    keys.hasOwn ||= read.hasKey;
    await store.query(em => saveVariableKey(em, { configurationId, projectId }, read.hasKey), undefined);
  }
  const fromVariables = read?.settings ?? NO_SETTINGS;
  return {
    routes: project.routes ?? fromVariables.routes,
    routesFromConfig: project.routesFromConfig ?? fromVariables.routesFromConfig,
    apiKey: project.apiKey ?? fromVariables.apiKey,
  };
}

/**
 * Returns the recipient of a delivery. One team's previews must never be submitted to another team. Without the
 * database, the process's key is used only if there are no other keys.
 */
async function recipientOf(context: PlatformContext, store: Store, event: PlatformEvent): Promise<Found> {
  const find = () =>
    store.query<Found>(
      async em => {
        context.keys.hasOwn = await hasOwnKeys(em);
        return findRecipient(em, event);
      },
      context.keys.hasOwn ? "unknown" : null,
    );
  const found = await find();
  if (found === null || found === "unknown" || found.isDecided) return found;
  await ensureTeam(context, found.configurationId);
  return find();
}

const NOT_CONFIGURED: DeliveryAnswer = {
  status: 200,
  body: { triggered: false, reason: "Service API not configured (SERVICE_API_URL / SERVICE_API_KEY)" },
};
const AWAY: DeliveryAnswer = {
  status: 503,
  body: { triggered: false, error: DELIVERY_REASONS.databaseAway },
};
/** The platform delivers again. */
const UNREAD: DeliveryAnswer = {
  status: 503,
  body: { triggered: false, error: DELIVERY_REASONS.variablesAway },
};
const NO_TEAM: DeliveryAnswer = {
  status: 503,
  body: { triggered: false, error: DELIVERY_REASONS.noTeam },
};
