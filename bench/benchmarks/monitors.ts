/**
 * Measures the cost of the monitors' schedule. It finds and starts 10,000 due monitors on PostgreSQL, with one node and
 * with three. It also measures a poll with none due, and starts with the real runs service.
 *
 * node bench/benchmarks/monitors.ts [pairs] [--quick]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CheckEntity } from "../../services/monitors/checks/check.entity.ts";
import { startDue } from "../../services/monitors/checks/start-due.ts";
import { migrations } from "../../services/monitors/migrations/index.ts";
import { MonitorEntity } from "../../services/monitors/settings/monitor.entity.ts";
import { MonitorTestContext } from "../../test/support/contexts/monitor-context.ts";
import { DatabaseNode } from "../../test/support/databases/database-node.ts";
import { TEST_SECRET_KEY } from "../../test/support/drivers/api-access.ts";
import { countQueries, insertMonitors, monitorsContext } from "../../test/support/rows/due-monitors.ts";
import { PostgresServer } from "../../test/support/servers/postgres-server.ts";
import { bare, type Comparison, compareMeasurements, type Measure, measureOf } from "../support/figures.ts";
import { timed } from "../support/memory.ts";
import { readOptions } from "../support/options.ts";
import { runPairedRounds } from "../support/paired-rounds.ts";
import { publish } from "../support/publish.ts";

const { pairs, quick } = readOptions({ pairs: 5, quickPairs: 1 });
const DUE = quick ? 1_000 : 10_000;
const WITH_RUNS = quick ? 100 : 1_000;
const POLLS = 200;
const SCHEMA = { schema: "monitors", entities: [MonitorEntity, CheckEntity], migrations };

const server = await PostgresServer.start();
const folder = await mkdtemp(join(tmpdir(), "vrs-bench-"));
const environment = async () => ({
  DATABASE_URL: await server.createDatabase(),
  SERVICE_SECRET_KEY: TEST_SECRET_KEY,
  SERVICE_DATA_DIR: folder,
});
try {
  const { comparison, measures } = await startMany();
  const withRuns = await startWithRuns();
  await publish({
    name: "monitors",
    title: "Monitors that are due",
    how: `${DUE} monitors are due at once. One node, then three nodes, find and start them on PostgreSQL. The runs service here accepts every run at once. Then ${WITH_RUNS} monitors are started with the real runs service, its database and its queue. All nodes are in one process.`,
    quick,
    withBrowser: false,
    comparisons: [comparison],
    measures: [...measures, ...withRuns],
  });
} finally {
  await server.close();
  await rm(folder, { recursive: true, force: true });
}

async function startMany(): Promise<{ comparison: Comparison; measures: Measure[] }> {
  const env = await environment();
  const nodes = await Promise.all([0, 1, 2].map(() => DatabaseNode.start(env, SCHEMA)));
  const [first] = nodes;
  if (!first) throw new Error("There is no node.");
  const counters = nodes.map(node => countQueries(node.em()));
  const queries = () => counters.reduce((sum, count) => sum + count(), 0);
  const queryCounts = new Map<string, number[]>();

  const contestant = (name: string, some: DatabaseNode[]) => ({
    name,
    async measure() {
      await first.em().execute("truncate monitors.check, monitors.monitor");
      await insertMonitors(first.em(), DUE);
      await first.em().execute("analyze monitors.monitor");
      const before = queries();
      let started: number[] = [];
      const value = await timed(async () => {
        started = await Promise.all(some.map(({ em }) => startDue(monitorsContext(em).context)));
      });
      queryCounts.set(name, [...(queryCounts.get(name) ?? []), queries() - before]);
      const sum = started.reduce((all, one) => all + one);
      if (sum !== DUE) throw new Error(`${sum} of ${DUE} were started`);
      return { value, peakMb: null };
    },
  });
  try {
    const all = [contestant("one node", nodes.slice(0, 1)), contestant("three nodes", nodes)];
    const results = await runPairedRounds(all, { pairs });
    const ofQueries = [...queryCounts].map(([name, values]) =>
      measureOf({ title: `queries by ${name}`, unit: "" }, bare(values.slice(-pairs))),
    );
    return {
      comparison: compareMeasurements(
        { title: `starting ${DUE}, three nodes beside one`, unit: "ms", ratioIs: "of its time" },
        results.of("three nodes"),
        results.of("one node"),
      ),
      measures: [...ofQueries, ...(await measureIdlePoll(first, queries))],
    };
  } finally {
    for (const node of nodes) await node.stop();
  }
}

/** Measures a poll when no monitor is due. */
async function measureIdlePoll(node: DatabaseNode, queries: () => number): Promise<Measure[]> {
  const times: number[] = [];
  const queryCounts: number[] = [];
  for (let poll = 0; poll < POLLS; poll += 1) {
    const before = queries();
    times.push(await timed(() => startDue(monitorsContext(node.em).context)));
    queryCounts.push(queries() - before);
  }
  const title = `a poll with none of ${DUE} due`;
  return [
    measureOf({ title, unit: "ms" }, bare(times)),
    measureOf({ title: `${title}: queries`, unit: "", bar: { is: "at most", value: 1 } }, bare(queryCounts)),
  ];
}

async function startWithRuns(): Promise<Measure[]> {
  const context = await MonitorTestContext.start({ env: await environment(), remove: async () => {} });
  const release = context.hold();
  try {
    const rates: number[] = [];
    for (let round = 0; round < pairs; round += 1) {
      await insertMonitors(context.monitors.em(), WITH_RUNS);
      let started = 0;
      const ms = await timed(async () => {
        started = await startDue(context.monitors);
      });
      if (started !== WITH_RUNS) throw new Error(`${started} of ${WITH_RUNS} were started`);
      rates.push((started / ms) * 1_000);
    }
    return [measureOf({ title: "started with the real runs service", unit: "/s" }, bare(rates))];
  } finally {
    await context.sql(
      "update runs.run set status = 'canceled', completed_at = now() where completed_at is null",
    );
    release();
    await context.stop();
  }
}
