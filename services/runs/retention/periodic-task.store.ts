import type { EntityManager } from "../../../mixins/database.ts";

/** Takes a chore that only one node does, and it not too often. Times are by the database's clock. @returns whether this node is to do it now */
export async function leaseTask(em: EntityManager, name: string, everyMs: number): Promise<boolean> {
  const rows: object[] = await em.execute(
    `insert into runs.chore as c (name, done_at) values (?, now())
     on conflict (name) do update set done_at = now()
       where c.done_at < now() - make_interval(secs => ?)
     returning name`,
    [name, everyMs / 1_000],
  );
  return rows.length === 1;
}

/** Tells the other nodes that a chore goes on, so that none begins it beside this one. */
export async function renewTaskLease(em: EntityManager, name: string): Promise<void> {
  await em.execute("update runs.chore set done_at = now() where name = ?", [name]);
}
