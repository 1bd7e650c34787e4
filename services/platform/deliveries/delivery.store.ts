import { createHash } from "node:crypto";
import type { EntityManager } from "../../../mixins/database.ts";
import { LEASE_MS, type LeaseResult } from "../../../shared/acquire-lease.ts";

/** The time for which repeated deliveries are recognized. */
const RETENTION = "interval '24 hours'";

/** Returns whether this delivery was processed in the last 24 hours. */
export async function wasProcessed(em: EntityManager, id: string): Promise<boolean> {
  const rows: object[] = await em.execute(
    `select 1 from platform.delivery where id = ? and done_at > now() - ${RETENTION}`,
    [keyOf(id)],
  );
  return rows.length > 0;
}

/** Leases a delivery, unless it is leased or done. The lease of a node that stopped expires. */
export async function leaseDelivery(em: EntityManager, id: string, lease: string): Promise<LeaseResult> {
  const leased: object[] = await em.execute(
    `insert into platform.delivery as d (id, lease, leased_at) values (?, ?, now())
     on conflict (id) do update set lease = excluded.lease, leased_at = excluded.leased_at, done_at = null
       where d.done_at <= now() - ${RETENTION}
         or d.done_at is null and d.leased_at < now() - make_interval(secs => ?)
     returning 1`,
    [keyOf(id), lease, LEASE_MS / 1_000],
  );
  if (leased.length > 0) return "mine";
  return (await wasProcessed(em, id)) ? "done" : "others";
}

/** Marks a delivery as processed, also if another node leased it meanwhile. */
export async function finishDelivery(em: EntityManager, id: string, lease: string): Promise<void> {
  await em.execute(
    `insert into platform.delivery (id, lease, leased_at, done_at) values (?, ?, now(), now())
     on conflict (id) do update set done_at = excluded.done_at`,
    [keyOf(id), lease],
  );
}

/** Deletes a delivery after a failure, so that it can be delivered again. */
export async function releaseDelivery(em: EntityManager, id: string, lease: string): Promise<void> {
  await em.execute("delete from platform.delivery where id = ? and lease = ? and done_at is null", [
    keyOf(id),
    lease,
  ]);
}

export async function deleteOldDeliveries(em: EntityManager): Promise<void> {
  await em.execute(
    `delete from platform.delivery where coalesce(done_at, leased_at) <= now() - ${RETENTION}`,
  );
}

/** Returns a digest, because an id can be any text. */
function keyOf(id: string): string {
  return createHash("sha256").update(id).digest("hex");
}
