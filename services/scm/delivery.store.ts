import type { EntityManager } from "../../mixins/database.ts";

/** Which deliveries of the code host were taken; `em` is one unit of work. */

/** Who took a delivery and has not done with it by then went away. */
const TAKEN_FOR = "interval '2 minutes'";
const REMEMBERED_FOR = "interval '24 hours'";

/** Takes a delivery, once in 24 hours. @returns whether it is the caller's to handle */
export async function takeDelivery(em: EntityManager, id: string): Promise<boolean> {
  const rows: object[] = await em.execute(
    `insert into scm.delivery as d (id, taken_at) values (?, now())
     on conflict (id) do update set taken_at = now(), done_at = null
       where d.taken_at < now() - (case when d.done_at is null then ${TAKEN_FOR} else ${REMEMBERED_FOR} end)
     returning id`,
    [id],
  );
  return rows.length > 0;
}

export async function markDelivered(em: EntityManager, id: string): Promise<void> {
  await em.execute("update scm.delivery set done_at = now() where id = ?", [id]);
}

/** Has it handled anew when it comes again. */
export async function forgetDelivery(em: EntityManager, id: string): Promise<void> {
  await em.execute("delete from scm.delivery where id = ?", [id]);
}

export async function forgetOldDeliveries(em: EntityManager): Promise<void> {
  await em.execute(`delete from scm.delivery where taken_at < now() - ${REMEMBERED_FOR}`);
}
