import { randomUUID } from "node:crypto";
import { acquireLease } from "../../../shared/acquire-lease.ts";
import type { Delivery, DeliveryAnswer } from "../../../shared/contracts/platform/delivery.ts";
import { parseJson } from "../../../shared/json.ts";
import type { ScmContext } from "../scm-context.ts";
import { EVENT_REASONS } from "../texts.ts";
import { message, notTriggered } from "./answer.ts";
import { type LeasedDelivery, leaseDelivery } from "./delivery.store.ts";
import type { EventHandler } from "./events/event.ts";
import { EVENTS } from "./events/index.ts";
import { handleDelivery } from "./handle-delivery.ts";
import { isSignedBy } from "./signature.rule.ts";

/** The receiver's context, where the app is optional. */
export type Receiver = Omit<ScmContext, "host"> & { host: ScmContext["host"] | null };

const DELIVERY_ID = /^[\w-]{1,100}$/;

/** Receives a webhook of the code host. Verifies its raw bytes before it parses them, and handles it once. */
export async function receiveWebhook(
  receiver: Receiver,
  { headers, body }: Delivery,
): Promise<DeliveryAnswer> {
  const { settings, host } = receiver;
  const bytes = Buffer.from(body, "base64");
  if (settings.webhookSecret === null) return message(500, "webhook secret not configured");
  if (!isSignedBy(settings.webhookSecret, bytes, headers["x-hub-signature-256"]))
    return message(401, "invalid signature");
  const event = headers["x-github-event"] ?? "";
  const handle = EVENTS.get(event);
  if (!handle) return notTriggered(`Ignored event type: ${event.slice(0, 100)}`);
  if (host === null)
    return notTriggered("Code-host app not configured (CODEHOST_APP_ID / CODEHOST_APP_PRIVATE_KEY)");
  const payload = parseJson(bytes.toString());
  if (payload === undefined) return { status: 400, body: { triggered: false, error: EVENT_REASONS.notJson } };
  const context = { ...receiver, host };
  const givenId = headers["x-github-delivery"];
  const id = givenId !== undefined && DELIVERY_ID.test(givenId) ? givenId : randomUUID();
  return handleOnce(context, { id, event, payload: bytes.toString() }, () => handle(context, payload));
}

/**
 * Handles a delivery unless it was handled before. If it outlasts its lease and is sent again, it is handled twice,
 * which has the same result.
 */
async function handleOnce(
  context: ScmContext,
  delivery: Omit<LeasedDelivery, "lease" | "retries">,
  handle: () => ReturnType<EventHandler>,
): Promise<DeliveryAnswer> {
  const lease = randomUUID();
  const leased = await acquireLease(() => leaseDelivery(context.em(), delivery.id, lease));
  if (leased === "done") return notTriggered("Duplicate delivery (already processed)");
  if (leased === "others") return { status: 503, body: { triggered: false, error: STILL_UNDER_WAY } };
  return handleDelivery(context, { ...delivery, lease, retries: 0 }, handle);
}

const STILL_UNDER_WAY = EVENT_REASONS.inProgress;
