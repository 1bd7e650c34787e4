import type { EntityManager } from "./open-schema.ts";

/**
 * Leases a periodic task, at most once per interval by the database's clock.
 * @param table the service's table of tasks, with the columns `name` and `done_at`
 * @returns whether the caller does the task now
 */
export async function leaseTask(
  em: EntityManager,
  { table, name, intervalMs }: { table: string; name: string; intervalMs: number },
): Promise<boolean> {
  const rows: object[] = await em.execute(
    `insert into ${table} as t (name, done_at) values (?, now())
     on conflict (name) do update set done_at = now() where t.done_at < now() - make_interval(secs => ?)
     returning name`,
    [name, intervalMs / 1_000],
  );
  return rows.length === 1;
}
