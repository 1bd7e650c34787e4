import type { DeliveryAnswer } from "../../../shared/contracts/platform/delivery.ts";
import type { PlatformSettings, PreviewRoutes } from "../../../shared/environment/platform-variables.ts";
import { NO_SETTINGS } from "../api/project-variables.ts";
import type { ProjectSettings } from "../installs/project-settings.store.ts";
import { ensureTeam } from "../installs/service-team.ts";
import type { PlatformContext, Store } from "../platform-context.ts";
import { DELIVERY_REASONS } from "../texts.ts";
import type { PlatformEvent } from "./platform-event.rule.ts";
import { findRecipient, hasOwnKeys, type Recipient } from "./recipient.store.ts";
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
  const project = found === null ? NO_SETTINGS : await settingsOf(context, event, found);
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

/** Returns the stored settings of the project, completed by its variables at the platform. */
async function settingsOf(
  { variables, settings: { metaPrefix } }: PlatformContext,
  { projectId, deployment: { meta } }: PlatformEvent,
  { configurationId, project, token }: Recipient,
): Promise<ProjectSettings> {
  const { branch } = gitMetadata(meta, metaPrefix);
  const fromVariables = await variables.settingsOf({ configurationId, projectId, branch, token });
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
        context.keys.hasOwn = context.variables.hasKeys || (await hasOwnKeys(em));
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
const NO_TEAM: DeliveryAnswer = {
  status: 503,
  body: { triggered: false, error: DELIVERY_REASONS.noTeam },
};
