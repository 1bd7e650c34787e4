/**
 * Measures how the service's costs grow with its data: an installation with a million screenshots beside one with a
 * hundredth of that. Simulated renderers stand for a fleet of 200 nodes.
 *
 * node bench/benchmarks/scale.ts [rounds] [--quick]
 */
import { PostgresServer } from "../../test/support/servers/postgres-server.ts";
import type { Figure } from "../scale/figure.ts";
import { type Installation, measureInstallation } from "../scale/measure-installation.ts";
import { PROJECTS, RUNS, sizeOf } from "../scale/sizes.ts";
import { growingStatements } from "../scale/statement-log.ts";
import { bare, type Comparison, compareMeasurements, countOf } from "../support/figures.ts";
import { readOptions } from "../support/options.ts";
import { publish } from "../support/publish.ts";

const { quick } = readOptions({ pairs: 1, quickPairs: 1 });
/** A hundredth of the data, and all of it. A quick run has a tenth of both. */
const SMALL = sizeOf(quick ? 2 : 10);
const LARGE = sizeOf(quick ? 100 : 1_000);
const LOAD = { nodes: quick ? 20 : 200, concurrency: 4, submissions: quick ? 20 : 200, pageLoads: 40 };
/** The project's bar. */
const BAR = { is: "at most", value: 2 } as const;
const SHOWN_CHARS = 160;

const postgres = await PostgresServer.start({
  settings: {
    shared_preload_libraries: "pg_stat_statements",
    "pg_stat_statements.max": "10000",
    shared_buffers: "512MB",
    max_wal_size: "4GB",
    maintenance_work_mem: "256MB",
  },
});
try {
  const small = await measureInstallation(postgres, SMALL, LOAD);
  const large = await measureInstallation(postgres, LARGE, LOAD);
  const growing = growingStatements(small.statements, large.statements);
  for (const { sql, small: a, large: b } of growing)
    console.log(
      `${a.pagesPerCall.toFixed(0)} → ${b.pagesPerCall.toFixed(0)} pages, ${b.calls} calls: ${sql}`,
    );
  await publish({
    name: "scale",
    title: "A large installation",
    how: `An installation with ${SMALL.name} beside one with ${LARGE.name}: ${LARGE.teams} teams, ${LARGE.teams * PROJECTS * RUNS} runs, ${LARGE.teams * PROJECTS * RUNS} baselines and ${LARGE.teams * 10} monitors. The service writes one run and one monitor. All other rows are copies of them, with ids, times and hashes of their own. ${LOAD.nodes} simulated renderers take real jobs from NATS, with ${LOAD.concurrency} pages at once each. After the time of a capture, they report recorded images. The load is the same for both: ${LOAD.submissions} runs of ten pages, of which one changed. All parts are on the same machine.`,
    quick,
    withBrowser: false,
    comparisons: compare(small, large),
    counts: [
      countOf(
        { title: "statements that read over twice as many pages", bar: { is: "at most", value: 0 } },
        growing.length,
        large.statements.length,
      ),
    ],
    breakdowns: growing.length === 0 ? [] : [breakdownOf(growing)],
    notes: [`Seeding the large installation took ${Math.round(large.seededMs / 1_000)} s.`],
  });
} finally {
  await postgres.close();
}

function compare(small: Installation, large: Installation): Comparison[] {
  const before = new Map(small.figures.map(figure => [figure.title, figure]));
  return large.figures.map((figure: Figure) => {
    const earlier = before.get(figure.title);
    if (!earlier) throw new Error(`${figure.title} was measured once.`);
    return compareMeasurements(
      { title: figure.title, unit: figure.unit, ratioIs: "of its time", bar: BAR },
      { name: LARGE.name, measurements: bare([figure.value]) },
      { name: SMALL.name, measurements: bare([earlier.value]) },
    );
  });
}

function breakdownOf(growing: ReturnType<typeof growingStatements>) {
  return {
    title: "Statements that read over twice as many pages",
    columns: [`pages, ${SMALL.name}`, `pages, ${LARGE.name}`, "calls"],
    rows: growing.map(({ sql, small, large }) => ({
      name: sql.replaceAll(/\s+/g, " ").slice(0, SHOWN_CHARS),
      values: [small.pagesPerCall, large.pagesPerCall, large.calls],
    })),
  };
}
