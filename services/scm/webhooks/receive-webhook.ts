import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Delivery, DeliveryAnswer } from "../../../shared/contracts/platform/delivery.ts";
import { parseJson } from "../../../shared/json.ts";
import type { ScmContext } from "../scm-context.ts";
import { EVENT_REASONS } from "../texts/events.ts";
import { message, notTriggered } from "./answer.ts";
import { hostId } from "./events/event.ts";
import { EVENTS } from "./events/index.ts";
import { handleOnce } from "./handle-once.ts";
import { isSignedBy } from "./signature.rule.ts";

/** The part of an event that names its installation. */
const installationEvent = z.object({ installation: z.object({ id: hostId }) });
const DELIVERY_ID = /^[\w-]{1,100}$/;

/** Receives a webhook of the code host. Verifies its raw bytes before it parses them, and handles it once. */
export async function receiveWebhook(
  receiver: ScmContext,
  { headers, body }: Delivery,
): Promise<DeliveryAnswer> {
  const { settings, hasApp } = receiver;
  const bytes = Buffer.from(body, "base64");
  if (settings.webhookSecret === null) return message(500, "webhook secret not configured");
  if (!isSignedBy(settings.webhookSecret, bytes, headers["x-hub-signature-256"]))
    return message(401, "invalid signature");
  const event = headers["x-github-event"] ?? "";
  const handle = EVENTS.get(event);
  if (!handle) return notTriggered(`Ignored event type: ${event.slice(0, 100)}`);
  if (!hasApp)
    return notTriggered("Code-host app not configured (CODEHOST_APP_ID / CODEHOST_APP_PRIVATE_KEY)");
  const payload = parseJson(bytes.toString());
  if (payload === undefined) return { status: 400, body: { triggered: false, error: EVENT_REASONS.notJson } };
  const givenId = headers["x-github-delivery"];
  const id = givenId !== undefined && DELIVERY_ID.test(givenId) ? givenId : randomUUID();
  const installationId = installationEvent.safeParse(payload).data?.installation.id ?? null;
  return handleOnce(receiver, { id, installationId, event, payload: bytes.toString() }, () =>
    handle(receiver, payload),
  );
}
