import type { Delivery, DeliveryAnswer } from "../../shared/contracts/delivery.ts";
import { findConsent } from "./consent.store.ts";
import { wasProcessed } from "./delivery.store.ts";
import { forwardRun } from "./forward-run.ts";
import { removeInstall } from "./install.store.ts";
import { type PlatformEvent, readEvent } from "./platform-event.ts";
import { type PlatformNode, type Store, storeOf } from "./platform-node.ts";
import { isBelow, type Preview, previewOf, refusePreview } from "./preview-url.ts";
import { runRequest } from "./run-request.ts";
import { isSigned } from "./signature.ts";
import { skipReason } from "./skip-reason.ts";

/**
 * Takes a delivery of the deployment platform: a preview that is ready becomes a run. What is checked, and in which
 * order, is said here and nowhere else.
 */
export async function deliver(
  node: PlatformNode,
  { headers, body }: Pick<Delivery, "headers" | "body">,
): Promise<DeliveryAnswer> {
  const { clientSecret, signatureHeader, uninstallEvent } = node.settings;
  if (clientSecret === null) return { status: 500, body: { error: "Webhook secret not configured" } };
  const bytes = Buffer.from(body, "base64");
  if (!isSigned(bytes, headers[signatureHeader], clientSecret))
    return { status: 401, body: { error: "Invalid signature" } };
  const event = readEvent(bytes);
  if (event === null) return refused("Body is not a JSON object");
  // Not answered before it is done: where the database is away, the platform has to come again.
  if (event.type === uninstallEvent && event.configurationId !== null)
    await removeInstall(node.em(), event.configurationId);
  const reason = skipReason(event);
  if (reason !== null) return notTriggered(reason);
  return takePreview(node, event);
}

async function takePreview(node: PlatformNode, event: PlatformEvent): Promise<DeliveryAnswer> {
  const { api, routes, metaPrefix } = node.settings;
  const store = storeOf(node);
  const { id } = event;
  if (id !== null && (await store.ask(em => wasProcessed(em, id), false))) return DUPLICATE;
  const preview = previewOf(event.deployment.url ?? "");
  if (preview === null || !(await isAllowed(node, store, event, preview)))
    return refused("Preview URL not allowed");
  if (api === null) return notTriggered("Service API not configured (SERVICE_API_URL / SERVICE_API_KEY)");
  const run = runRequest(event, { url: preview.url, routes, metaPrefix });
  return (await forwardRun({ store, api, warn: node.warn }, { id, run })) ?? DUPLICATE;
}

/** Whether a preview's user has let it be rendered, and its address may be; both of them, always. */
async function isAllowed(
  { settings }: PlatformNode,
  store: Store,
  event: PlatformEvent,
  preview: Preview,
): Promise<boolean> {
  const hasConsent = await store.ask(em => findConsent(em, event), false);
  if (!hasConsent && !isBelow(preview.host, settings.previewDomains)) return false;
  return refusePreview(preview) === null;
}

function notTriggered(reason: string): DeliveryAnswer {
  return { status: 200, body: { triggered: false, reason } };
}

function refused(error: string): DeliveryAnswer {
  return { status: 400, body: { triggered: false, error } };
}

const DUPLICATE = notTriggered("Duplicate delivery (already processed)");
