import type { EntityManager } from "../../../mixins/database.ts";
import { LEASE_MS, type LeaseResult } from "../../../shared/acquire-lease.ts";
import type { FullLanes, Lane } from "../lanes/lanes.ts";
import { leaseLanes } from "../lanes/lease-lanes.ts";

/** Queries about the code host's webhook deliveries. `em` is one unit of work. */

const RETENTION = "interval '24 hours'";

/** A delivery is free if it waits for a retry, or if its node stopped. */
const IS_FREE = `(d.lease is null or d.leased_at < now() - interval '${LEASE_MS} milliseconds')`;

/** Leases a delivery, unless it is leased or done. The lease of a node that stopped expires. */
export async function leaseDelivery(em: EntityManager, id: string, lease: string): Promise<LeaseResult> {
  const leased: object[] = await em.execute(
    `insert into scm.delivery as d (id, lease, leased_at) values (?, ?, now())
     on conflict (id) do update set lease = excluded.lease, leased_at = excluded.leased_at, done_at = null
       where d.done_at <= now() - ${RETENTION}
         or d.done_at is null and ${IS_FREE}
     returning id`,
    [id, lease],
  );
  if (leased.length > 0) return "mine";
  const done: object[] = await em.execute("select from scm.delivery where id = ? and done_at is not null", [
    id,
  ]);
  return done.length > 0 ? "done" : "others";
}

/** Extends the lease of a delivery, if the caller still holds it. */
export async function renewDeliveryLease(
  em: EntityManager,
  { id, lease }: Pick<LeasedDelivery, "id" | "lease">,
): Promise<void> {
  await em.execute(
    "update scm.delivery set leased_at = now() where id = ? and lease = ? and done_at is null",
    [id, lease],
  );
}

/** Marks a delivery as done, also if another node leased it meanwhile. */
export async function finishDelivery(em: EntityManager, id: string): Promise<void> {
  await em.execute(
    "update scm.delivery set done_at = now(), due_at = null, event = null, payload = null where id = ?",
    [id],
  );
}

/** A delivery under the caller's lease. */
export interface LeasedDelivery {
  id: string;
  /** The installation or connection that it is about. Null for an event without one. */
  installationId: string | null;
  lease: string;
  event: string;
  /** JSON. */
  payload: string;
  /** The number of retries so far. */
  retries: number;
  /** Whether the event is saved, so that it can be retried without its sender. */
  isSaved: boolean;
  /** Whether its result is known, and being written. Then it is too late to save it. */
  isEnding?: boolean;
}

/** Saves the event of a leased delivery, and extends the lease. After it, another node retries the event. */
export async function saveDelivery(
  em: EntityManager,
  { id, installationId, lease, event, payload }: LeasedDelivery,
): Promise<void> {
  await em.execute(
    `update scm.delivery set installation_id = ?, event = ?, payload = ?, due_at = now(), leased_at = now()
     where id = ? and lease = ? and done_at is null`,
    [installationId, event, payload, id, lease],
  );
}

/** Keeps a leased delivery for a retry. */
export async function postponeDelivery(
  em: EntityManager,
  { id, installationId, lease, event, payload }: LeasedDelivery,
  forMs: number,
): Promise<void> {
  await em.execute(
    `update scm.delivery set lease = null, installation_id = ?, event = ?, payload = ?, due_at = now() + make_interval(secs => ?)
     where id = ? and lease = ? and done_at is null`,
    [installationId, event, payload, forMs / 1_000, id, lease],
  );
}

/** About two hours, as long as an attempt of a check may take. */
const MAX_RETRIES = 30;

/** Leases deliveries that are due for a retry: the longest overdue one of each code host and team. */
export async function leaseDueDeliveries(
  em: EntityManager,
  full: FullLanes,
): Promise<(LeasedDelivery & Lane)[]> {
  const leased = await leaseLanes<Omit<LeasedDelivery, "isSaved">>(
    em,
    {
      table: "scm.delivery as d",
      set: "lease = gen_random_uuid()::text, leased_at = now(), retries = retries + 1",
      where: `d.due_at <= now() and d.done_at is null and d.retries < ${MAX_RETRIES} and ${IS_FREE}`,
      dueAt: "due_at",
      returning: `id, installation_id as "installationId", lease, event, payload, retries`,
    },
    full,
  );
  return leased.map(delivery => ({ ...delivery, isSaved: true }));
}

/** Deletes a delivery, so that it is handled when the code host sends it again. */
export async function releaseDelivery(em: EntityManager, id: string, lease: string): Promise<void> {
  await em.execute("delete from scm.delivery where id = ? and lease = ? and done_at is null", [id, lease]);
}

export async function deleteOldDeliveries(em: EntityManager): Promise<void> {
  await em.execute(`delete from scm.delivery where coalesce(done_at, leased_at) < now() - ${RETENTION}`);
}
