import type { Delivery, DeliveryAnswer } from "../../../shared/contracts/platform/delivery.ts";
import { findConsent } from "../installs/consent.store.ts";
import { deleteInstall } from "../installs/install.store.ts";
import { type PlatformContext, storeOf } from "../platform-context.ts";
import { DELIVERY_REASONS } from "../texts.ts";
import { announceRun } from "./announce-run.ts";
import { chooseSubmission } from "./choose-submission.ts";
import { wasProcessed } from "./delivery.store.ts";
import { forwardRun } from "./forward-run.ts";
import { isSigned, type PlatformEvent, readEvent } from "./platform-event.rule.ts";
import { isBelow, previewOf, refusePreview } from "./preview-url.rule.ts";
import { runRequest } from "./run-request.rule.ts";
import { skipReason } from "./skip-reason.rule.ts";

/**
 * Handles a delivery of the deployment platform. A preview that is ready becomes a run. This file contains all checks
 * and their order.
 */
export async function deliver(
  context: PlatformContext,
  { headers, body }: Pick<Delivery, "headers" | "body">,
): Promise<DeliveryAnswer> {
  const { clientSecret, signatureHeader, uninstallEvent } = context.settings;
  if (clientSecret === null) return { status: 500, body: { error: "Webhook secret not configured" } };
  const bytes = Buffer.from(body, "base64");
  if (!isSigned(bytes, headers[signatureHeader], clientSecret))
    return { status: 401, body: { error: "Invalid signature" } };
  const event = readEvent(bytes);
  if (event === null) return refused(DELIVERY_REASONS.notJson);
  // The response waits for this. If the database does not respond, the platform has to deliver again.
  if (event.type === uninstallEvent && event.configurationId !== null)
    await deleteInstall(context.em(), event.configurationId);
  const reason = skipReason(event);
  if (reason !== null) return notTriggered(reason);
  return handlePreview(context, event);
}

async function handlePreview(context: PlatformContext, event: PlatformEvent): Promise<DeliveryAnswer> {
  const store = storeOf(context);
  const { id } = event;
  if (id !== null && (await store.query(em => wasProcessed(em, id), false))) return DUPLICATE;
  const preview = previewOf(event.deployment.url ?? "");
  if (preview === null || refusePreview(preview) !== null) return NOT_ALLOWED;
  if (!isBelow(preview.host, context.settings.previewDomains)) {
    const hasConsent = await store.query<boolean | null>(em => findConsent(em, event), null);
    if (hasConsent === null) return UNKNOWN_CONSENT;
    if (!hasConsent) return NOT_ALLOWED;
  }
  const submission = await chooseSubmission(context, store, event);
  if ("answer" in submission) return submission.answer;
  const { api, isOwnTeam, ...routes } = submission;
  const { metaPrefix } = context.settings;
  const run = runRequest(event, { url: preview.url, ...routes, metaPrefix });
  if (isOwnTeam) await announceRun(context, api.apiKey, run.body);
  return (await forwardRun({ store, api, warn: context.warn }, { id, run })) ?? DUPLICATE;
}

function notTriggered(reason: string): DeliveryAnswer {
  return { status: 200, body: { triggered: false, reason } };
}

function refused(error: string): DeliveryAnswer {
  return { status: 400, body: { triggered: false, error } };
}

const NOT_ALLOWED = refused("Preview URL not allowed");
/** The platform delivers again, and the database may respond by then. */
const UNKNOWN_CONSENT: DeliveryAnswer = {
  status: 503,
  body: { triggered: false, error: DELIVERY_REASONS.databaseAway },
};
const DUPLICATE = notTriggered("Duplicate delivery (already processed)");
