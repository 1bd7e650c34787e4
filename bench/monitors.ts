/**
 * What the schedule of monitors costs: finding and starting 10,000 that are due, on PostgreSQL, by one node and by
 * three; a look with none due; and starting some with the runs service at the other end.
 *
 *   node bench/monitors.ts [rounds]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CheckEntity } from "../services/monitors/check.entity.ts";
import { migrations } from "../services/monitors/migrations/index.ts";
import { MonitorEntity } from "../services/monitors/monitor.entity.ts";
import { startDue } from "../services/monitors/start-due.ts";
import { DatabaseNode } from "../test/support/database-node.ts";
import { countQueries, insertMonitors, watchingNode } from "../test/support/due-monitors.ts";
import { MonitorRig } from "../test/support/monitor-rig.ts";
import { PostgresServer } from "../test/support/postgres-server.ts";
import { median } from "./figures.ts";

const ROUNDS = Number(process.argv[2] ?? 3);
const DUE = 10_000;
const WITH_RUNS = 1_000;
const LOOKS = 200;
const SCHEMA = { schema: "monitors", entities: [MonitorEntity, CheckEntity], migrations };

const server = await PostgresServer.start();
const folder = await mkdtemp(join(tmpdir(), "vrs-bench-"));
const environment = async () => ({ DATABASE_URL: await server.createDatabase(), SERVICE_DATA_DIR: folder });
try {
  await startMany();
  await startWithRuns();
} finally {
  await server.close();
  await rm(folder, { recursive: true, force: true });
}

async function startMany(): Promise<void> {
  const env = await environment();
  const nodes = await Promise.all([0, 1, 2].map(() => DatabaseNode.start(env, SCHEMA)));
  const counters = nodes.map(node => countQueries(node.em()));
  const queries = () => counters.reduce((sum, count) => sum + count(), 0);
  const [first] = nodes;
  if (!first) throw new Error("There is no node.");
  try {
    for (const some of [nodes.slice(0, 1), nodes]) {
      const times: number[] = [];
      let asked = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        await first.em().execute("truncate monitors.check, monitors.monitor");
        await insertMonitors(first.em(), DUE);
        await first.em().execute("analyze monitors.monitor");
        const before = queries();
        const begun = performance.now();
        const started = await Promise.all(some.map(({ em }) => startDue(watchingNode(em).node)));
        times.push(performance.now() - begun);
        asked = queries() - before;
        const sum = started.reduce((all, one) => all + one);
        if (sum !== DUE) throw new Error(`${sum} of ${DUE} were started`);
      }
      console.log(`${DUE} due monitors, ${some.length} node(s), ${ROUNDS} rounds`);
      console.log(`  ${median(times).toFixed(0)} ms · ${asked} queries · runs are taken at once`);
    }
    const before = queries();
    const begun = performance.now();
    for (let look = 0; look < LOOKS; look += 1) await startDue(watchingNode(first.em).node);
    const ms = (performance.now() - begun) / LOOKS;
    console.log(
      `a look with none of ${DUE} due: ${(queries() - before) / LOOKS} query, ${ms.toFixed(2)} ms (bar 1 query)`,
    );
  } finally {
    for (const node of nodes) await node.stop();
  }
}

async function startWithRuns(): Promise<void> {
  const rig = await MonitorRig.start({ env: await environment(), remove: async () => {} });
  const release = rig.hold();
  try {
    await insertMonitors(rig.node.em(), WITH_RUNS);
    const begun = performance.now();
    const started = await startDue(rig.node);
    const ms = performance.now() - begun;
    console.log(`${started} due monitors with the runs service at the other end, one node for all`);
    console.log(`  ${ms.toFixed(0)} ms, ${((started / ms) * 1_000).toFixed(0)} a second`);
  } finally {
    await rig.sql("update runs.run set status = 'canceled', completed_at = now() where completed_at is null");
    release();
    await rig.stop();
  }
}
