import { randomUUID } from "node:crypto";
import { acquireLease } from "../../../shared/acquire-lease.ts";
import type { Delivery, DeliveryAnswer } from "../../../shared/contracts/platform/delivery.ts";
import { parseJson } from "../../../shared/json.ts";
import type { ScmContext } from "../scm-context.ts";
import { EVENT_REASONS } from "../texts.ts";
import { message, notTriggered } from "./answer.ts";
import { claimDelivery, type TakenDelivery } from "./delivery.store.ts";
import type { EventHandler } from "./events/event.ts";
import { EVENTS } from "./events/index.ts";
import { handleDelivery } from "./handle-delivery.ts";
import { isSignedBy } from "./signature.rule.ts";

/** What the receiver needs where there may be no app. */
export type Receiver = Omit<ScmContext, "app"> & { app: ScmContext["app"] | null };

const DELIVERY_ID = /^[\w-]{1,100}$/;

/** Takes a webhook of the code host: verified over its very bytes before anything of it is read, and handled once. */
export async function receiveWebhook(
  receiver: Receiver,
  { headers, body }: Delivery,
): Promise<DeliveryAnswer> {
  const { settings, app } = receiver;
  const bytes = Buffer.from(body, "base64");
  if (settings.webhookSecret === null) return message(500, "webhook secret not configured");
  if (!isSignedBy(settings.webhookSecret, bytes, headers["x-hub-signature-256"]))
    return message(401, "invalid signature");
  const event = headers["x-github-event"] ?? "";
  const handle = EVENTS.get(event);
  if (!handle) return notTriggered(`Ignored event type: ${event.slice(0, 100)}`);
  if (app === null)
    return notTriggered("Code-host app not configured (CODEHOST_APP_ID / CODEHOST_APP_PRIVATE_KEY)");
  const payload = parseJson(bytes.toString());
  if (payload === undefined) return { status: 400, body: { triggered: false, error: EVENT_REASONS.notJson } };
  const context = { ...receiver, app };
  const named = headers["x-github-delivery"];
  const id = named !== undefined && DELIVERY_ID.test(named) ? named : randomUUID();
  return once(context, { id, event, payload: bytes.toString() }, () => handle(context, payload));
}

/**
 * Handles a delivery unless it was handled before. One that takes longer than its lease and comes again is handled
 * twice, and done once.
 */
async function once(
  context: ScmContext,
  delivery: Omit<TakenDelivery, "claim" | "tries">,
  handle: () => ReturnType<EventHandler>,
): Promise<DeliveryAnswer> {
  const claim = randomUUID();
  const claimed = await acquireLease(() => claimDelivery(context.em(), delivery.id, claim));
  if (claimed === "done") return notTriggered("Duplicate delivery (already processed)");
  if (claimed === "others") return { status: 503, body: { triggered: false, error: STILL_UNDER_WAY } };
  return handleDelivery(context, { ...delivery, claim, tries: 0 }, handle);
}

const STILL_UNDER_WAY = EVENT_REASONS.inProgress;
