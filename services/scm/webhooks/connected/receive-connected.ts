import type { Delivery, DeliveryAnswer } from "../../../../shared/contracts/platform/delivery.ts";
import { parseJson } from "../../../../shared/json.ts";
import { findConnection, markEvent } from "../../connections/connection.store.ts";
import { confirmSecret } from "../../connections/hook.store.ts";
import { isConfirmed, validSecrets } from "../../connections/webhook-secrets.rule.ts";
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
  const { access, isHookDue } = connection;
  const secret = validSecrets(access, Date.now()).find(each => source.isAuthentic(each, headers, bytes));
  if (secret === undefined) return message(401, source.refusal);
  // Members set the new secret. While a webhook of this service is due, that one may still have an earlier secret.
  if (secret === access.secret && !isHookDue && !isConfirmed(access, Date.now()))
    await confirmSecret(context.em(), connection);
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
