import { createHash } from "node:crypto";
import type { EntityManager } from "../../../mixins/database.ts";
import { type Claimed, LEASE_MS } from "../../../shared/acquire-lease.ts";

/** How long a delivery is known, hours. */
const KEPT = "interval '24 hours'";

/** Whether this delivery was processed within the last 24 hours. */
export async function wasProcessed(em: EntityManager, id: string): Promise<boolean> {
  const rows: object[] = await em.execute(
    `select 1 from platform.delivery where id = ? and done_at > now() - ${KEPT}`,
    [keyOf(id)],
  );
  return rows.length > 0;
}

/** Claims a delivery, which one can at a time. A claim whose node died is over after the lease. */
export async function claimDelivery(em: EntityManager, id: string, claim: string): Promise<Claimed> {
  const claimed: object[] = await em.execute(
    `insert into platform.delivery as d (id, claim, claimed_at) values (?, ?, now())
     on conflict (id) do update set claim = excluded.claim, claimed_at = excluded.claimed_at, done_at = null
       where d.done_at <= now() - ${KEPT}
         or d.done_at is null and d.claimed_at < now() - make_interval(secs => ?)
     returning 1`,
    [keyOf(id), claim, LEASE_MS / 1_000],
  );
  if (claimed.length > 0) return "mine";
  return (await wasProcessed(em, id)) ? "done" : "others";
}

/** Notes that a delivery is processed; it is so whoever has claimed it meanwhile. */
export async function finishDelivery(em: EntityManager, id: string, claim: string): Promise<void> {
  await em.execute(
    `insert into platform.delivery (id, claim, claimed_at, done_at) values (?, ?, now(), now())
     on conflict (id) do update set done_at = excluded.done_at`,
    [keyOf(id), claim],
  );
}

/** Forgets a delivery that came to nothing, so that it may come again. */
export async function releaseDelivery(em: EntityManager, id: string, claim: string): Promise<void> {
  await em.execute("delete from platform.delivery where id = ? and claim = ? and done_at is null", [
    keyOf(id),
    claim,
  ]);
}

export async function removeOldDeliveries(em: EntityManager): Promise<void> {
  await em.execute(`delete from platform.delivery where coalesce(done_at, claimed_at) <= now() - ${KEPT}`);
}

/** An id is its sender's text, and of any characters. */
function keyOf(id: string): string {
  return createHash("sha256").update(id).digest("hex");
}
