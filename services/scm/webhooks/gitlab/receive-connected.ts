import { createHash } from "node:crypto";
import type { Delivery, DeliveryAnswer } from "../../../../shared/contracts/platform/delivery.ts";
import { parseJson } from "../../../../shared/json.ts";
import { type Connection, findConnection, markEvent } from "../../connections/connection.store.ts";
import type { ScmContext } from "../../scm-context.ts";
import { CONNECTION_ERRORS, EVENT_REASONS } from "../../texts.ts";
import { message, notTriggered } from "../answer.ts";
import { handleOnce } from "../handle-once.ts";
import { isSameSecret } from "../signature.rule.ts";
import { gitlabHandlerOf } from "./gitlab-events.ts";

const CONNECTION_ID = /^con_[0-9a-z]{1,40}$/;
const DELIVERY_ID = /^[\w-]{1,100}$/;

/** Receives an event of a connected repository. Verifies its secret before it parses the body, and handles it once. */
export async function receiveConnected(
  context: ScmContext,
  { headers, params, body }: Delivery,
): Promise<DeliveryAnswer> {
  const { id = "" } = params;
  const connection = CONNECTION_ID.test(id) ? await findConnection(context.em(), id) : null;
  if (!connection) return message(404, CONNECTION_ERRORS.unknown);
  if (!isSameSecret(connection.access.secret, headers["x-gitlab-token"]))
    return message(401, CONNECTION_ERRORS.badToken);
  await markEvent(context.em(), connection.id);
  const event = headers["x-gitlab-event"] ?? "";
  const handle = gitlabHandlerOf(connection, event);
  if (!handle) return notTriggered(`Ignored event type: ${event.slice(0, 100)}`);
  const bytes = Buffer.from(body, "base64");
  const payload = parseJson(bytes.toString());
  if (payload === undefined) return { status: 400, body: { triggered: false, error: EVENT_REASONS.notJson } };
  const delivery = {
    id: deliveryIdOf(connection, headers, bytes),
    installationId: connection.id,
    event,
    payload: bytes.toString(),
  };
  return handleOnce(context, delivery, () => handle(context, payload));
}

/**
 * Returns what a delivery and its retries have in common. Instances before version 17.4 send no idempotency key, and
 * the id of an event is shared by the events that it causes.
 */
function deliveryIdOf({ id }: Connection, headers: Delivery["headers"], body: Buffer): string {
  const key = headers["idempotency-key"];
  if (key !== undefined && DELIVERY_ID.test(key)) return `${id} ${key}`;
  const event = headers["x-gitlab-event-uuid"] ?? "";
  return `${id} ${createHash("sha256").update(event).update("\0").update(body).digest("hex")}`;
}
