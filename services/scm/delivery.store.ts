import type { EntityManager } from "../../mixins/database.ts";
import { type Claimed, LEASE_MS } from "../../shared/claim-in-turn.ts";

/** Which deliveries of the code host were taken; `em` is one unit of work. */

const REMEMBERED_FOR = "interval '24 hours'";

/** Claims a delivery, which one can at a time. A claim whose node died is over after the lease. */
export async function claimDelivery(em: EntityManager, id: string, claim: string): Promise<Claimed> {
  const claimed: object[] = await em.execute(
    `insert into scm.delivery as d (id, claim, taken_at) values (?, ?, now())
     on conflict (id) do update set claim = excluded.claim, taken_at = excluded.taken_at, done_at = null
       where d.done_at <= now() - ${REMEMBERED_FOR}
         or d.done_at is null and d.taken_at < now() - make_interval(secs => ?)
     returning id`,
    [id, claim, LEASE_MS / 1_000],
  );
  if (claimed.length > 0) return "mine";
  const done: object[] = await em.execute("select from scm.delivery where id = ? and done_at is not null", [
    id,
  ]);
  return done.length > 0 ? "done" : "others";
}

/** Notes that a delivery is handled; it is so whoever has claimed it meanwhile. */
export async function finishDelivery(em: EntityManager, id: string): Promise<void> {
  await em.execute("update scm.delivery set done_at = now() where id = ?", [id]);
}

/** Has it handled anew when it comes again. */
export async function releaseDelivery(em: EntityManager, id: string, claim: string): Promise<void> {
  await em.execute("delete from scm.delivery where id = ? and claim = ? and done_at is null", [id, claim]);
}

export async function forgetOldDeliveries(em: EntityManager): Promise<void> {
  await em.execute(`delete from scm.delivery where coalesce(done_at, taken_at) < now() - ${REMEMBERED_FOR}`);
}
