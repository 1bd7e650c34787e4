import type { Client } from "pg";
import type { Figure } from "./figure.ts";

interface Sizes {
  runs: number;
  screenshots: number;
  rows: number;
  bytes: number;
  index_bytes: number;
}

/** Measures the size of the tables, and how well autovacuum can keep up with them. */
export async function measureTables(database: Client): Promise<Figure[]> {
  const { rows } = await database.query<Sizes>(
    `select (select count(*) from runs.run)::float8 as runs, (select count(*) from runs.screenshot)::float8 as screenshots,
       sum(n_live_tup)::float8 as rows, sum(pg_total_relation_size(relid))::float8 as bytes,
       sum(pg_indexes_size(relid))::float8 as index_bytes
     from pg_stat_user_tables where schemaname in ('runs', 'billing')`,
  );
  const [sizes] = rows;
  if (!sizes) throw new Error("There are no tables.");
  const { runs, screenshots } = sizes;
  return [
    { title: "rows for each run", unit: "", value: sizes.rows / runs },
    { title: "kB for each run", unit: "kB", value: sizes.bytes / runs / 1_000 },
    { title: "index bytes for each screenshot", unit: "B", value: sizes.index_bytes / screenshots },
    { title: "vacuum, for 1,000 screenshots", unit: "ms", value: await vacuum(database, screenshots) },
  ];
}

/** Returns the time of a whole vacuum of the largest table, ms for 1,000 rows. */
async function vacuum(database: Client, screenshots: number): Promise<number> {
  const startedAt = performance.now();
  await database.query("vacuum (analyze, index_cleanup on, disable_page_skipping) runs.screenshot");
  return ((performance.now() - startedAt) / screenshots) * 1_000;
}
