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

/** With which key, and for which routes, a delivery's run is submitted. */
export interface Submission extends PreviewRoutes {
  api: NonNullable<PlatformSettings["api"]>;
  /** Whether the key is the installation's own. */
  isOwnTeam: boolean;
}

/** The recipient of a delivery: its team is decided, or not yet. "unknown" while the store is away and it may be another's. */
type Found = Recipient | null | "unknown";

/** Chooses how a delivery's run is submitted: as its project says, else its variables, its installation, the process. */
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

/** What the installation's record says of the project, else the project's variables at the platform. */
async function settingsOf(
  { variables, settings: { metaPrefix } }: PlatformContext,
  { projectId, deployment: { meta } }: PlatformEvent,
  { configurationId, project, token }: Recipient,
): Promise<ProjectSettings> {
  const { branch } = gitMetadata(meta, metaPrefix);
  const said = await variables.settingsOf({ configurationId, projectId, branch, token });
  return {
    routes: project.routes ?? said.routes,
    routesFromConfig: project.routesFromConfig ?? said.routesFromConfig,
    apiKey: project.apiKey ?? said.apiKey,
  };
}

/** One team's previews are never submitted to another's: without the store the process's key is used only where there is no other. */
async function recipientOf(context: PlatformContext, store: Store, event: PlatformEvent): Promise<Found> {
  const find = () =>
    store.ask<Found>(
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
