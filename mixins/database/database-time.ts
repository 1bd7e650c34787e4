import type { EntityManager } from "./open-schema.ts";

/** The database's time, which is the same for all nodes; within a transaction that of its beginning. */
export async function databaseTime(em: EntityManager): Promise<Date> {
  const rows: { ms: number | string }[] = await em.execute("select extract(epoch from now()) * 1000 as ms");
  return new Date(Number(rows[0]?.ms));
}
