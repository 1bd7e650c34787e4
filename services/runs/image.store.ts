import type { EntityManager } from "../../mixins/database.ts";

/** The images among these that no row refers to. */
export async function findUnreferenced(em: EntityManager, hashes: string[]): Promise<Set<string>> {
  const rows: { hash: string }[] = await em.execute(
    `select v.hash from jsonb_array_elements_text(?::jsonb) as v (hash)
     where not exists (select from runs.screenshot s where s.hash = v.hash)
       and not exists (select from runs.screenshot s where s.baseline_hash = v.hash)
       and not exists (select from runs.screenshot s where s.mask_hash = v.hash)
       and not exists (select from runs.baseline b where b.hash = v.hash)`,
    [JSON.stringify(hashes)],
  );
  return new Set(rows.map(row => row.hash));
}

/** Takes a chore that only one node does, and it not too often. Times are by the database's clock. @returns whether this node is to do it now */
export async function claimChore(em: EntityManager, name: string, everyMs: number): Promise<boolean> {
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
export async function renewChore(em: EntityManager, name: string): Promise<void> {
  await em.execute("update runs.chore set done_at = now() where name = ?", [name]);
}

/** When it was so long ago, by the database's clock. */
export async function timeAgo(em: EntityManager, ms: number): Promise<Date> {
  const rows: { ms: string }[] = await em.execute("select extract(epoch from now()) * 1000 as ms");
  return new Date(Number(rows[0]?.ms) - ms);
}
