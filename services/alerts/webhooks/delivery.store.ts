import type { EntityManager } from "../../../mixins/database.ts";
import type { DeliveryView, ListDeliveriesQuery } from "../../../shared/contracts/webhooks/webhooks.ts";

/** The channel of events among the notifications, which the dispatcher sends. */
export const EVENT_CHANNEL = "event";

/** A delivery that is to be logged. */
export interface NewDelivery {
  id: string;
  /** A second delivery with the same key is ignored. */
  key: string;
  teamId: string;
  webhookId: string;
  eventId: string;
  type: string;
  /** Deliveries of a lane are sent in order. Null for tests and replays, which don't wait. */
  lane: string | null;
  isReplay: boolean;
  body: object;
  /** Why it is not sent. Null if it is queued. */
  dropped: string | null;
}

/** Logs deliveries, and queues those that are to be sent. */
export async function insertDeliveries(em: EntityManager, deliveries: NewDelivery[]): Promise<void> {
  if (deliveries.length === 0) return;
  await em.execute(
    `insert into alerts.notification (id, key, team_id, webhook_id, event_id, is_replay, lane, channel, kind, receiver,
       payload, status, answer, ended_at)
     select v.value ->> 'id', v.value ->> 'key', v.value ->> 'teamId', v.value ->> 'webhookId', v.value ->> 'eventId',
       (v.value ->> 'isReplay')::boolean, v.value ->> 'lane', '${EVENT_CHANNEL}', v.value ->> 'type', '',
       v.value -> 'body', case when v.value ->> 'dropped' is null then 'queued' else 'dropped' end,
       v.value ->> 'dropped', case when v.value ->> 'dropped' is not null then now() end
     from jsonb_array_elements(?::jsonb) with ordinality as v (value, position) order by v.position
     on conflict (key) do nothing`,
    [JSON.stringify(deliveries)],
  );
}

interface Row extends Omit<DeliveryView, "createdAt" | "nextAttemptAt" | "endedAt"> {
  createdAt: string | Date;
  nextAt: string | Date;
  endedAt: string | Date | null;
  body: Record<string, unknown>;
}

/** A logged delivery. */
export type StoredDelivery = DeliveryView & { body: Record<string, unknown> };

const COLUMNS = `id, event_id as "eventId", kind as event, status, attempts, answer, is_replay as "isReplay",
  created_at as "createdAt", next_at as "nextAt", ended_at as "endedAt"`;

function storedOf({ createdAt, nextAt, endedAt, ...row }: Row): StoredDelivery {
  return {
    ...row,
    createdAt: new Date(createdAt).toISOString(),
    nextAttemptAt: row.status === "queued" ? new Date(nextAt).toISOString() : null,
    endedAt: endedAt === null ? null : new Date(endedAt).toISOString(),
  };
}

/** Returns a webhook's deliveries without their bodies, newest first. One more than the limit shows that there are more. */
export async function findDeliveries(
  em: EntityManager,
  webhookId: string,
  { limit, before, status }: Pick<ListDeliveriesQuery, "limit" | "status"> & { before: string | undefined },
): Promise<DeliveryView[]> {
  const rows: Row[] = await em.execute(
    `select ${COLUMNS} from alerts.notification
     where webhook_id = ? and (?::text is null or id < ?) and (?::text is null or status = ?)
     order by id desc limit ?`,
    [webhookId, before ?? null, before ?? null, status ?? null, status ?? null, limit + 1],
  );
  return rows.map(storedOf);
}

/** Returns a webhook's delivery with its body. Null if it has no such one. */
export async function findDelivery(
  em: EntityManager,
  webhookId: string,
  id: string,
): Promise<StoredDelivery | null> {
  const rows: Row[] = await em.execute(
    `select ${COLUMNS}, payload as body from alerts.notification where webhook_id = ? and id = ?`,
    [webhookId, id],
  );
  return rows[0] ? storedOf(rows[0]) : null;
}

/** Returns the number of a webhook's waiting deliveries outside of lanes: tests and replays. */
export async function countWaitingByHand(em: EntityManager, webhookId: string): Promise<number> {
  const rows: { count: string | number }[] = await em.execute(
    `select count(*) as count from alerts.notification
     where webhook_id = ? and status = 'queued' and lane is null`,
    [webhookId],
  );
  return Number(rows[0]?.count ?? 0);
}

/** Returns the webhook of a delivery, and how long its turn in its lane has lasted. Null for other notifications. */
export async function findTurn(
  em: EntityManager,
  id: string,
): Promise<{ webhookId: string; eventId: string; startedAt: Date; now: Date } | null> {
  const rows: { webhookId: string; eventId: string; startedAt: Date | string; now: Date | string }[] =
    await em.execute(
      `update alerts.notification set first_attempt_at = coalesce(first_attempt_at, now())
       where id = ? and webhook_id is not null
       returning webhook_id as "webhookId", event_id as "eventId", first_attempt_at as "startedAt", now() as now`,
      [id],
    );
  const [row] = rows;
  return row ? { ...row, startedAt: new Date(row.startedAt), now: new Date(row.now) } : null;
}

/** Drops a webhook's waiting deliveries with a reason. Their log and bodies stay, so that they can be replayed. */
export async function dropWaiting(em: EntityManager, webhookId: string, reason: string): Promise<void> {
  await em.execute(
    `update alerts.notification set status = 'dropped', answer = ?, ended_at = now(), leased_until = null
     where webhook_id = ? and status = 'queued'`,
    [reason, webhookId],
  );
}

/** Deletes a batch of old deliveries. @returns the number of deleted ones */
export async function deleteOldDeliveries(em: EntityManager, days: number, limit: number): Promise<number> {
  const rows: object[] = await em.execute(
    `delete from alerts.notification where id in (
       select id from alerts.notification
       where webhook_id is not null and status <> 'queued' and ended_at < now() - make_interval(days => ?) limit ?)
     returning id`,
    [days, limit],
  );
  return rows.length;
}
