import type { Client } from "pg";
import type { Cluster } from "../../test/support/servers/nodes/cluster.ts";
import type { Figure } from "./figure.ts";
import { PAGES, PROJECTS } from "./sizes.ts";
import type { StatementLog } from "./statement-log.ts";
import { routesOf, SITE } from "./write-patterns.ts";

/** As many CI jobs submit at the same time. */
const SUBMITTERS = 4;

/** Submits runs of the seeded projects, waits for all of them, and measures what they cost. */
export async function measureRuns(
  cluster: Cluster,
  database: Client,
  log: StatementLog,
  count: number,
): Promise<Figure[]> {
  await submit(cluster, "warm-up");
  await log.reset();
  const rowsBefore = await rowsRead(database);
  const times: number[] = [];
  const ids: string[] = [];
  let next = 0;
  const submitAll = async () => {
    while (next < count) {
      const index = next++;
      const startedAt = performance.now();
      ids.push(await submit(cluster, String(index)));
      times.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: SUBMITTERS }, submitAll));
  for (const id of ids) await cluster.client().waitForRun(id, { intervalMs: 1_000 });
  const screenshots = count * PAGES;
  const queries = (await log.read("runs")).reduce((sum, { calls }) => sum + calls, 0);
  // The server publishes its counts with a delay.
  await new Promise(resolve => setTimeout(resolve, 1_500));
  const rows = (await rowsRead(database)) - rowsBefore;
  return [
    { title: "submission, 99th percentile", unit: "ms", value: percentile(times, 0.99) },
    { title: "submission, median", unit: "ms", value: percentile(times, 0.5) },
    { title: "time to conclusion, median", unit: "ms", value: await conclusion(database, ids) },
    { title: "statements for each screenshot", unit: "", value: queries / screenshots },
    { title: "rows read for each screenshot", unit: "", value: rows / screenshots },
  ];
}

async function submit(cluster: Cluster, name: string): Promise<string> {
  const project = `seeded-${(Number(name) || 0) % PROJECTS}`;
  const url = `${SITE}?${name}`;
  const { id } = await cluster.client().submitRun({ url, routes: routesOf(PAGES), project });
  return id;
}

async function conclusion(database: Client, ids: string[]): Promise<number> {
  const { rows } = await database.query<{ ms: number }>(
    `select percentile_cont(0.5) within group (order by extract(epoch from completed_at - created_at) * 1000)::float8 as ms
     from runs.run where id = any($1)`,
    [ids],
  );
  return rows[0]?.ms ?? Number.NaN;
}

/** Returns how many rows all statements so far read from tables, whether they found them by an index or not. */
async function rowsRead(database: Client): Promise<number> {
  const { rows } = await database.query<{ count: string }>(
    "select sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) as count from pg_stat_user_tables",
  );
  return Number(rows[0]?.count);
}

/** Returns the value that this share of the values doesn't exceed. */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
