import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { TEST_EVENT } from "../../../shared/contracts/webhooks/events.ts";
import type {
  DeliveryList,
  DeliveryView,
  DeliveryWithBody,
  ListDeliveriesQuery,
} from "../../../shared/contracts/webhooks/webhooks.ts";
import { notFound, ServiceError } from "../../../shared/errors.ts";
import { newId } from "../../../shared/ids.ts";
import { decodeCursor, pageOf } from "../../../shared/pagination.ts";
import type { AlertsContext } from "../alerts-context.ts";
import { WEBHOOK_TEXTS } from "../texts.ts";
import {
  countWaitingByHand,
  findDeliveries,
  findDelivery,
  insertDeliveries,
  type NewDelivery,
} from "./delivery.store.ts";
import { webhookOf } from "./manage-webhooks.ts";
import { findWebhook } from "./webhook.store.ts";

/** Tests and replays that may wait at a webhook. Bounds requests by repeated clicks. */
const MAX_WAITING_BY_HAND = 100;

/** Lists a webhook's deliveries, newest first. @throws ServiceError not_found */
export async function listDeliveries(
  { em }: AlertsContext,
  { teamId }: Caller,
  { id, query: { limit, cursor, status } }: { id: string; query: ListDeliveriesQuery },
): Promise<DeliveryList> {
  await webhookOf(findWebhook(em(), teamId, id), id);
  const list = `deliveries ${id}`;
  const before = decodeCursor(list, cursor);
  return pageOf(list, await findDeliveries(em(), id, { limit, before, status }), limit, each => each);
}

/** Returns a delivery with the body of its request. @throws ServiceError not_found */
export async function getDelivery(
  { em }: AlertsContext,
  { teamId }: Caller,
  { id, delivery }: { id: string; delivery: string },
): Promise<DeliveryWithBody> {
  await webhookOf(findWebhook(em(), teamId, id), id);
  const found = await findDelivery(em(), id, delivery);
  if (!found) throw notFound("delivery", delivery);
  return found;
}

/** Queues a test event, also for a paused webhook. It is attempted once. @throws ServiceError not_found, conflict */
export async function testWebhook(context: AlertsContext, caller: Caller, id: string): Promise<DeliveryView> {
  const { teamId } = caller;
  const eventId = newId("evt");
  const data = { teamId, webhookId: id, message: WEBHOOK_TEXTS.test(caller.actor.name) };
  const body = { type: TEST_EVENT, timestamp: new Date().toISOString(), data };
  return queue(context, caller, id, { eventId, type: TEST_EVENT, body, isReplay: false });
}

/**
 * Sends a delivery's event again, with the same id and body. The original stays in the log.
 * @throws ServiceError not_found; conflict for a delivery that still waits, and for a paused webhook
 */
export async function replayDelivery(
  context: AlertsContext,
  caller: Caller,
  { id, delivery }: { id: string; delivery: string },
): Promise<DeliveryView> {
  const { eventId, event, status, body } = await getDelivery(context, caller, { id, delivery });
  if (status === "queued") throw new ServiceError("conflict", WEBHOOK_TEXTS.stillWaiting);
  const webhook = await webhookOf(findWebhook(context.em(), caller.teamId, id), id);
  if (webhook.status === "paused") throw new ServiceError("conflict", WEBHOOK_TEXTS.resumeFirst);
  return queue(context, caller, id, { eventId, type: event, body, isReplay: true });
}

async function queue(
  context: AlertsContext,
  caller: Caller,
  webhookId: string,
  event: Pick<NewDelivery, "eventId" | "type" | "body" | "isReplay">,
): Promise<DeliveryView> {
  const { teamId } = caller;
  await webhookOf(findWebhook(context.em(), teamId, webhookId), webhookId);
  if ((await countWaitingByHand(context.em(), webhookId)) >= MAX_WAITING_BY_HAND)
    throw new ServiceError("conflict", WEBHOOK_TEXTS.tooManyByHand);
  const id = newId("dlv");
  const rest = { teamId, webhookId, lane: null, dropped: null };
  await context
    .em()
    .transactional(tx => insertDeliveries(tx, [{ id, key: `by hand ${id}`, ...rest, ...event }]));
  context.wake();
  const { body: _body, ...view } = await getDelivery(context, caller, { id: webhookId, delivery: id });
  return view;
}
