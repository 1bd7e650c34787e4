/**
 * Measures how long a team with one page waits beside a team with 500 slow ones. It also measures how long a small run
 * waits behind a large one of its team.
 *
 * node bench/benchmarks/fairness.ts [rounds] [--quick]
 */
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { CORE_SERVICES } from "../../shared/environment/variables.ts";
import { addTeam } from "../../test/support/contexts/add-team.ts";
import { Site } from "../../test/support/fixtures/site.ts";
import { Cluster } from "../../test/support/servers/nodes/cluster.ts";
import { bare, type Measure, measureOf } from "../support/figures.ts";
import { readOptions } from "../support/options.ts";
import { publish } from "../support/publish.ts";

const { pairs: rounds, quick } = readOptions({ pairs: 6, quickPairs: 2 });
/** How long a slow page takes to respond, on each load. */
const SLOW_MS = 2_000;
const SLOW_PAGES = 500;
const RENDERERS = 2;
/** The project's bar, as a multiple of the longest time that a page held a slot. */
const BAR = 2;
const OTHER_KEY = "vrs_key_of_the_team_with_one_page_0000000000";
/** Number of slow pages that complete before the other run is submitted. */
const COMPLETED_PAGES = 3;

const site = await Site.start();
const onRequest = new Map<string, () => void>();
const cluster = await Cluster.start({
  layout: [
    ["gateway"],
    [...CORE_SERVICES],
    ["differ"],
    ...Array.from({ length: RENDERERS }, () => ["renderer"]),
  ],
  env: { RENDER_CONCURRENCY: "1" },
});
const database = new pg.Client({ connectionString: cluster.databaseUrl });
try {
  await database.connect();
  await addTeam((sql, values) => database.query(sql, values), OTHER_KEY);
  const slow = routes("slow", SLOW_PAGES);
  for (const route of slow) respondAfter(route, SLOW_MS);
  const beside = await measure("a team with one page beside a team with 500 slow ones", async () => ({
    key: OTHER_KEY,
    own: routes("one", 1),
    project: "one",
  }));
  const behind = await measure("a run of three pages behind a large run of its project", async () => ({
    key: cluster.key,
    own: routes("three", 3),
    project: "large",
  }));
  await publish({
    name: "fairness",
    title: "Sharing the renderers",
    how: `The fleet on this machine has ${RENDERERS} renderers of one page each, NATS and PostgreSQL. A team submits a run of ${SLOW_PAGES} pages. Each load of a page takes ${SLOW_MS / 1_000} s. After ${COMPLETED_PAGES} pages have ended, another run is submitted. Its wait ends when its first page is requested. The unit is the longest time that a page of the large run held a slot in the same round.`,
    quick,
    withBrowser: true,
    measures: [...beside, ...behind],
  });
} finally {
  await database.end();
  await cluster.stop();
  await site.stop();
}

interface OtherRun {
  key: string;
  own: string[];
  project: string;
}

async function measure(title: string, other: () => Promise<OtherRun>): Promise<Measure[]> {
  const waits: number[] = [];
  const longest: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { waitMs, longestMs } = await measureRound(await other(), round);
    waits.push(waitMs / longestMs);
    longest.push(longestMs / 1_000);
  }
  return [
    measureOf({ title, unit: "× a slot's longest page", bar: { is: "at most", value: BAR } }, bare(waits)),
    measureOf({ title: `${title}: the longest page`, unit: "s" }, bare(longest)),
  ];
}

async function measureRound(
  { key, own, project }: OtherRun,
  round: number,
): Promise<{ waitMs: number; longestMs: number }> {
  const slow = routes("slow", SLOW_PAGES);
  const large = await cluster.client().submitRun({ url: site.url, routes: slow, project: "large" });
  while ((await longestPage(large.id)).pages < COMPLETED_PAGES) await delay(100);
  // The moment is different in each round, within one page of the large run.
  await delay((SLOW_MS * round) / rounds);
  const started = Promise.withResolvers<void>();
  for (const route of own) {
    respondAfter(route, 0);
    onRequest.set(route, started.resolve);
  }
  const submittedAt = performance.now();
  const small = await cluster.client(key).submitRun({ url: site.url, routes: own, project });
  await started.promise;
  const waitMs = performance.now() - submittedAt;
  await cluster.client(key).waitForRun(small.id);
  const { longestMs } = await longestPage(large.id);
  await cluster.request(`/v1/runs/${large.id}/cancel`, { method: "POST" });
  return { waitMs, longestMs };
}

/** Returns how many pages of a run were captured, and how long the longest took, ms. */
async function longestPage(runId: string): Promise<{ pages: number; longestMs: number }> {
  const { rows } = await database.query(
    `select count(*)::int as pages, coalesce(max(ms), 0)::float as "longestMs" from (
       select (select sum(value::float) from jsonb_each_text(timings)) as ms
       from runs.screenshot where run_id = $1 and captured_at is not null) each`,
    [runId],
  );
  return rows[0];
}

function routes(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `/${name}/${index}`);
}

function respondAfter(route: string, afterMs: number): void {
  site.pages.set(route, (_request, response) => {
    onRequest.get(route)?.();
    const html = `<!doctype html><title>${route}</title><h1>${route}</h1>`;
    setTimeout(() => response.writeHead(200, { "Content-Type": "text/html" }).end(html), afterMs);
  });
}
