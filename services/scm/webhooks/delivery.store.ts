import type { EntityManager } from "../../../mixins/database.ts";
import { type Claimed, LEASE_MS } from "../../../shared/acquire-lease.ts";

/** Which deliveries of the code host were taken; `em` is one unit of work. */

const REMEMBERED_FOR = "interval '24 hours'";

/** Whether nobody is at a delivery: it waits to be handled again, or the node that took it went away. */
const FREE = "(d.claim is null or d.taken_at < now() - make_interval(secs => ?))";

/** Claims a delivery, which one can at a time. A claim whose node died is over after the lease. */
export async function claimDelivery(em: EntityManager, id: string, claim: string): Promise<Claimed> {
  const claimed: object[] = await em.execute(
    `insert into scm.delivery as d (id, claim, taken_at) values (?, ?, now())
     on conflict (id) do update set claim = excluded.claim, taken_at = excluded.taken_at, done_at = null
       where d.done_at <= now() - ${REMEMBERED_FOR}
         or d.done_at is null and ${FREE}
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
  await em.execute(
    "update scm.delivery set done_at = now(), due_at = null, event = null, payload = null where id = ?",
    [id],
  );
}

/** A delivery that is the caller's to handle. */
export interface TakenDelivery {
  id: string;
  claim: string;
  event: string;
  /** JSON. */
  payload: string;
  /** How often it was handled again. */
  tries: number;
}

/** Keeps a claimed delivery, to be handled again. */
export async function postponeDelivery(
  em: EntityManager,
  { id, claim, event, payload }: TakenDelivery,
  forMs: number,
): Promise<void> {
  await em.execute(
    `update scm.delivery set claim = null, event = ?, payload = ?, due_at = now() + make_interval(secs => ?)
     where id = ? and claim = ? and done_at is null`,
    [event, payload, forMs / 1_000, id, claim],
  );
}

/** Some two hours, as long as a check waits for its run. */
const TRIES = 30;

/** Takes those that are to be handled again by now, the longest due first. */
export async function claimDueDeliveries(em: EntityManager, limit: number): Promise<TakenDelivery[]> {
  return em.execute(
    `update scm.delivery set claim = gen_random_uuid()::text, taken_at = now(), tries = tries + 1
     where id in (
       select d.id from scm.delivery as d
       where d.due_at <= now() and d.done_at is null and d.tries < ? and ${FREE}
       order by d.due_at limit ? for update skip locked)
     returning id, claim, event, payload, tries`,
    [TRIES, LEASE_MS / 1_000, limit],
  );
}

/** Has it handled anew when it comes again. */
export async function releaseDelivery(em: EntityManager, id: string, claim: string): Promise<void> {
  await em.execute("delete from scm.delivery where id = ? and claim = ? and done_at is null", [id, claim]);
}

export async function deleteOldDeliveries(em: EntityManager): Promise<void> {
  await em.execute(`delete from scm.delivery where coalesce(done_at, taken_at) < now() - ${REMEMBERED_FOR}`);
}
