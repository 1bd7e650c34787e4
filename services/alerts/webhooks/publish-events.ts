import type { EntityManager } from "../../../mixins/database.ts";
import type { OutgoingEvent } from "../../../shared/contracts/webhooks/events.ts";
import { newId } from "../../../shared/ids.ts";
import type { AlertsContext } from "../alerts-context.ts";
import { queueNotices } from "../notices/queue-notices.ts";
import { insertDeliveries, type NewDelivery } from "./delivery.store.ts";
import { planDeliveries } from "./plan-deliveries.rule.ts";
import { findSubscriptions } from "./webhook.store.ts";

/**
 * Queues events for the webhooks of their teams, and notices of them for people. A repeated message queues nothing.
 * @throws Error while the teams service is unavailable
 */
export async function publishEvents(context: AlertsContext, events: OutgoingEvent[]): Promise<void> {
  if (await context.em().transactional(tx => queueEvents(tx, events))) context.wake();
  await queueNotices(context, events);
}

/** Queues events within a transaction. @returns whether there is something to send */
export async function queueEvents(tx: EntityManager, events: OutgoingEvent[]): Promise<boolean> {
  const subscriptions = await findSubscriptions(tx, [...new Set(events.map(event => event.teamId))]);
  const planned = planDeliveries(subscriptions, events);
  await insertDeliveries(
    tx,
    planned.map(({ webhookId, event, dropped }) => deliveryOf(webhookId, event, dropped)),
  );
  return planned.some(({ dropped }) => dropped === null);
}

function deliveryOf(webhookId: string, event: OutgoingEvent, dropped: string | null): NewDelivery {
  const { id: eventId, type, teamId, subject, at, data } = event;
  return {
    id: newId("dlv"),
    key: `event ${eventId} ${webhookId}`,
    ...{ teamId, webhookId, eventId, type, dropped },
    lane: `${webhookId} ${subject}`,
    isReplay: false,
    body: { type, timestamp: at, data },
  };
}
