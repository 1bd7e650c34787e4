import type { Delivery, DeliveryAnswer } from "../../../../shared/contracts/platform/delivery.ts";
import { parseJson } from "../../../../shared/json.ts";
import { findConnection, markEvent } from "../../connections/connection.store.ts";
import type { ScmContext } from "../../scm-context.ts";
import { CONNECTION_ERRORS } from "../../texts/connections.ts";
import { EVENT_REASONS } from "../../texts/events.ts";
import { message, notTriggered } from "../answer.ts";
import { handleOnce } from "../handle-once.ts";
import { connectedHandlerOf, EVENT_SOURCES } from "./event-sources.ts";

const CONNECTION_ID = /^con_[0-9a-z]{1,40}$/;

/** Receives an event of a connected repository. Verifies its sender before it parses the body, and handles it once. */
export async function receiveConnected(
  context: ScmContext,
  { headers, params, body }: Delivery,
): Promise<DeliveryAnswer> {
  const { id = "" } = params;
  const connection = CONNECTION_ID.test(id) ? await findConnection(context.em(), id) : null;
  if (!connection) return message(404, CONNECTION_ERRORS.unknown);
  const source = EVENT_SOURCES[connection.host];
  const bytes = Buffer.from(body, "base64");
  if (!source.isAuthentic(connection.access.secret, headers, bytes)) return message(401, source.refusal);
  await markEvent(context.em(), connection.id);
  const event = headers[source.eventHeader] ?? "";
  const handle = connectedHandlerOf(connection, event);
  if (!handle) return notTriggered(`Ignored event type: ${event.slice(0, 100)}`);
  const payload = parseJson(bytes.toString());
  if (payload === undefined) return { status: 400, body: { triggered: false, error: EVENT_REASONS.notJson } };
  const delivery = {
    id: `${connection.id} ${source.deliveryIdOf(headers, bytes)}`,
    installationId: connection.id,
    event,
    payload: bytes.toString(),
  };
  return handleOnce(context, delivery, () => handle(context, payload));
}
