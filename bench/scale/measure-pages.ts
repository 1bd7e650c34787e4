import { z } from "zod";
import type { Cluster } from "../../test/support/servers/nodes/cluster.ts";
import type { Figure } from "./figure.ts";
import { percentile } from "./measure-runs.ts";
import type { StatementCost, StatementLog } from "./statement-log.ts";

const first = z.object({ data: z.array(z.object({ id: z.string() })).min(1) });

/** The pages that one row costs in a large index. Fewer don't count. */
const LOOKUP_PAGES = 4;

/** The figures of the pages, and the statements behind them. */
export interface PageCosts {
  figures: Figure[];
  statements: StatementCost[];
}

/** Measures the requests of the dashboard's pages, one by one: their time, and what the database reads for them. */
export async function measurePages(cluster: Cluster, log: StatementLog, loads: number): Promise<PageCosts> {
  const run = await firstOf(cluster, "/v1/runs?project=seeded-0");
  const monitor = await firstOf(cluster, "/v1/monitors");
  const pages = {
    runs: "/v1/runs",
    "runs that need review": "/v1/runs?needsReview=1",
    "a run": `/v1/runs/${run}`,
    "a run's screenshots": `/v1/screenshots/${run}`,
    inbox: "/v1/inbox",
    overview: "/v1/overview?project=seeded-0",
    projects: "/v1/projects",
    baselines: "/v1/baselines?project=seeded-0",
    noise: "/v1/noise?project=seeded-0",
    monitors: "/v1/monitors",
    "a monitor's history": `/v1/monitors/${monitor}/history`,
    "a monitor's uptime": `/v1/monitors/${monitor}/uptime`,
    incidents: "/v1/incidents",
    usage: "/v1/usage",
  };
  const figures: Figure[] = [];
  const statements: StatementCost[] = [];
  for (const [name, path] of Object.entries(pages)) {
    // The first one reads the plans and the pages of indexes.
    await load(cluster, path);
    await log.reset();
    const times: number[] = [];
    for (let count = 0; count < loads; count++) times.push(await load(cluster, path));
    const costs = await log.read(name);
    statements.push(...costs);
    const read = costs.reduce((sum, { calls, pagesPerCall }) => sum + calls * pagesPerCall, 0);
    // What a service keeps in memory, or an empty table, needs no page. A ratio needs some.
    figures.push(
      { title: `page: ${name}`, unit: "ms", value: percentile(times, 0.5) },
      {
        title: `page: ${name}, pages of the database`,
        unit: "",
        value: Math.max(LOOKUP_PAGES, read / loads),
      },
    );
  }
  return { figures, statements };
}

async function load(cluster: Cluster, path: string): Promise<number> {
  const startedAt = performance.now();
  const answer = await cluster.request(path);
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return performance.now() - startedAt;
}

async function firstOf(cluster: Cluster, path: string): Promise<string> {
  const answer = await cluster.request(path);
  return first.parse(await answer.json()).data[0]?.id ?? "";
}
