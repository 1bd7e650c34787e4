/**
 * Measures the product as a fleet on this machine. It measures 1, 2 and 4 renderer nodes, the cost of an unchanged
 * screenshot, and 200 concurrent submissions. It also measures the memory of every node over a run of 1,000
 * screenshots.
 *
 * node bench/benchmarks/fleet.ts [pairs] [--quick]
 */
import { setTimeout as delay } from "node:timers/promises";
import { CORE_SERVICES } from "../../shared/environment/variables.ts";
import { Site } from "../../test/support/fixtures/site.ts";
import { Cluster } from "../../test/support/servers/nodes/cluster.ts";
import type { ClusterNode } from "../../test/support/servers/nodes/cluster-node.ts";
import { growthOf } from "../soak/growth.ts";
import {
  bare,
  type Comparison,
  compareMeasurements,
  type Figures,
  type Measure,
  measureOf,
  median,
} from "../support/figures.ts";
import { megabytesOf, timed, timedWithMemory } from "../support/memory.ts";
import { readOptions } from "../support/options.ts";
import { runPairedRounds } from "../support/paired-rounds.ts";
import { publish } from "../support/publish.ts";
import { busTraffic, databaseCommits } from "../support/traffic.ts";

const { pairs, quick } = readOptions({ pairs: 5, quickPairs: 1 });
/** How long the site takes to respond. A node waits most of the time, so one machine can stand for several. */
const RESPONSE_DELAY_MS = 1_000;
/** All respond after exactly that time. So the nodes run in step and wait for the machine's cores together. */
const SLOW_ROUTES = routes("slow", quick ? 8 : 20);
/**
 * They respond after more or less time, so that each node has its own times. There are more, because nodes are idle
 * while another one captures the last page.
 */
const UNEVEN_ROUTES = routes("uneven", quick ? 8 : 60);
const UNEVEN_BY_MS = 200;
/** They keep a core busy for about half a second, so that the machine's two cores are the limit. */
const BUSY_ROUTES = routes("busy", quick ? 8 : 20);
const BUSY_STEPS = 200_000_000;
/** Enough that each of four nodes gets some, which starts its browser. */
const WARMING_ROUTES = routes("warming", 12);
/** The project's bars for 2 and 4 nodes compared with 1. Nodes that work in step wait for one another. */
const BARS_IN_STEP = { 2: 1.9, 4: 3.6 };
const BARS_UNEVEN = { 2: 1.95, 4: 3.8 };
/** The slowest of a hundred submissions, compared with the median. */
const BAR_SUBMISSIONS = 10;
const SUBMISSIONS = quick ? 40 : 200;
const LARGE_RUN = quick ? 100 : 1_000;
const POLL_INTERVAL_MS = 2_500;

const site = await Site.start();
for (const route of WARMING_ROUTES) respondAfter(route, RESPONSE_DELAY_MS / 4);
for (const route of SLOW_ROUTES) respondAfter(route, RESPONSE_DELAY_MS);
for (const [index, route] of UNEVEN_ROUTES.entries())
  respondAfter(route, RESPONSE_DELAY_MS + UNEVEN_BY_MS * unevenness(index));
for (const route of BUSY_ROUTES) site.pages.set(route, busyPage(route));
const cluster = await Cluster.start({
  layout: [["gateway"], [...CORE_SERVICES], ["differ"], ["renderer"]],
  env: { RENDER_CONCURRENCY: "1" },
});
try {
  const scaled = [
    ...(await scaleOut("", SLOW_ROUTES, BARS_IN_STEP)),
    ...(await scaleOut(`, ${UNEVEN_ROUTES.length} uneven pages`, UNEVEN_ROUTES, BARS_UNEVEN)),
    ...(await scaleOut(`, ${BUSY_ROUTES.length} pages that keep a core busy`, BUSY_ROUTES)),
  ];
  const cost = await costOfUnchanged();
  const submitted = await measureConcurrentSubmissions();
  const large = await largeRun();
  await publish({
    name: "fleet",
    title: "A fleet",
    how: `The gateway, the core services, the comparison and each renderer have a process each. They run with NATS, PostgreSQL and an S3 server, all on the same machine. In the scale-out, each renderer captures one page at a time. First, ${SLOW_ROUTES.length} pages all respond after ${RESPONSE_DELAY_MS / 1_000} s. So the nodes work in step, and need the same two cores at the same moment. Then ${UNEVEN_ROUTES.length} pages respond up to ${UNEVEN_BY_MS / 1_000} s earlier or later, as pages of a site do. A node waits most of the time, so one machine can stand for several. The scripts of ${BUSY_ROUTES.length} other pages keep a core busy, which shows the limit of one machine. Renderers are stopped and started between the rounds. One process submits all runs at once, each with one page and its own project. During the run of ${LARGE_RUN} screenshots with four renderers, the memory of each node and its browser is measured every ${POLL_INTERVAL_MS / 1_000} s. It counts as growing if the last quarter of the time has over 1.25 times the memory of the second quarter, and over 40 MB more.`,
    quick,
    withBrowser: true,
    comparisons: scaled,
    measures: [...cost, ...submitted],
    ...large,
  });
} finally {
  await cluster.stop();
  await site.stop();
}

/** Serves a small page that responds after a delay, ms. */
function respondAfter(route: string, ms: number): void {
  site.pages.set(route, (_req, res) => {
    setTimeout(() => res.writeHead(200, { "Content-Type": "text/html" }).end(page(route)), ms);
  });
}

/** Returns a value from -1 to 1. Consecutive values are spread evenly and are the same each time. */
function unevenness(index: number): number {
  return ((index * 7) % 20) / 9.5 - 1;
}

/** Measures pages that have no differences. @param which the end of the titles */
async function scaleOut(
  which: string,
  own: string[],
  bars: Record<number, number> = {},
): Promise<Comparison[]> {
  const project = `scale-out${which}`;
  await cluster.client().approve(await run(project, own));
  const counts = [1, 2, 4];
  const name = (nodes: number) => (nodes === 1 ? "1 renderer" : `${nodes} renderers`);
  const results = await runPairedRounds(
    counts.map(nodes => ({
      name: name(nodes),
      async measure() {
        await setRendererCount(nodes);
        await run("warming", WARMING_ROUTES);
        return await timedWithMemory(
          () => living("renderer").map(node => node.pid),
          () => run(project, own),
        );
      },
    })),
    // Each contestant has warmed up the nodes that it started.
    { pairs, warmUps: 0 },
  );
  await setRendererCount(4);
  return counts.slice(1).map(nodes => {
    const value = bars[nodes];
    return compareMeasurements(
      {
        title: `${nodes} renderers beside 1${which}`,
        unit: "ms",
        ratioIs: "as fast",
        ...(value !== undefined && { bar: { is: "at least", value } as const }),
      },
      results.of(name(nodes)),
      results.of(name(1)),
    );
  });
}

function living(service: string) {
  return cluster.with(service).filter(({ ended }) => !ended);
}

/** Stops or starts renderers one by one until this many run. */
async function setRendererCount(count: number): Promise<void> {
  for (const node of living("renderer").slice(count)) await node.terminate();
  while (living("renderer").length < count) {
    const [ended] = cluster.with("renderer").filter(node => node.ended);
    await (ended?.start() ?? cluster.node(["renderer"]));
  }
}

async function costOfUnchanged(): Promise<Measure[]> {
  const count = 100;
  const own = addPages("cost", count);
  await cluster.client().approve(await run("cost", own));
  const costs = new Map<string, number[]>();
  for (let round = 0; round < Math.min(pairs, 3); round += 1) {
    const before = await readCosts();
    await run("cost", own);
    for (const [kind, value] of await readCosts())
      costs.set(kind, [...(costs.get(kind) ?? []), (value - (before.get(kind) ?? 0)) / count]);
  }
  return [...costs].map(([kind, values]) =>
    measureOf({ title: `an unchanged screenshot: ${kind}`, unit: "" }, bare(values)),
  );
}

/** Returns what the fleet has cost since its start. */
async function readCosts(): Promise<Map<string, number>> {
  const bus = await busTraffic(cluster.nats);
  return new Map([
    ["messages to the bus", bus.in_msgs],
    ["bytes to the bus", bus.in_bytes],
    ["messages from the bus", bus.out_msgs],
    ["bytes from the bus", bus.out_bytes],
    ["commits of the database", await databaseCommits(cluster.databaseUrl)],
  ]);
}

/** All runs but the last round's are canceled, because only their acceptance is measured. */
async function measureConcurrentSubmissions(): Promise<Measure[]> {
  site.pages.set("/small", page("small"));
  const middles: number[] = [];
  const slowest: number[] = [];
  let ids = await submitConcurrently("warming", 3).then(all => all.map(({ id }) => id));
  for (let round = 0; round < pairs; round += 1) {
    await Promise.all(ids.map(cancel));
    const submitted = await submitConcurrently(`round ${round}`, SUBMISSIONS);
    ids = submitted.map(({ id }) => id);
    const ms = submitted.map(each => each.ms).toSorted((a, b) => a - b);
    middles.push(median(ms));
    slowest.push(ms[Math.ceil(ms.length * 0.99) - 1] ?? Number.NaN);
  }
  const completed = await timed(() => Promise.all(ids.map(id => cluster.client().waitForRun(id))));
  const title = `${SUBMISSIONS} submissions at once`;
  return [
    measureOf({ title: `${title}: median`, unit: "ms" }, bare(middles)),
    measureOf({ title: `${title}: 99th percentile`, unit: "ms" }, bare(slowest)),
    measureOf(
      {
        title: `${title}: 99th percentile by median`,
        unit: "",
        bar: { is: "at most", value: BAR_SUBMISSIONS },
      },
      bare(slowest.map((ms, round) => ms / (middles[round] ?? Number.NaN))),
    ),
    measureOf({ title: `${title}: until all are completed`, unit: "s" }, bare([completed / 1_000])),
  ];
}

function submitConcurrently(name: string, count: number): Promise<{ id: string; ms: number }[]> {
  const submissions = Array.from({ length: count }, async (_, index) => {
    const start = performance.now();
    const body = { url: site.url, routes: ["/small"], project: `at once ${name} ${index}` };
    const { id } = await cluster.client().submitRun(body);
    return { id, ms: performance.now() - start };
  });
  return Promise.all(submissions);
}

async function cancel(id: string): Promise<void> {
  const response = await cluster.request(`/v1/runs/${id}/cancel`, { method: "POST" });
  // A run that completed meanwhile can't be canceled.
  if (!response.ok && response.status !== 409) throw new Error(await response.text());
}

async function largeRun(): Promise<Pick<Figures, "curves" | "notes">> {
  const own = addPages("large", LARGE_RUN / 2);
  const body = { url: site.url, routes: own, viewports: [375, 1280], project: "large" };
  const watched = new Map<ClusterNode, number[]>();
  for (const node of cluster.nodes) if (!node.ended) watched.set(node, []);
  let ended = false;
  const startMs = performance.now();
  const { id } = await cluster.client().submitRun(body);
  const end = cluster
    .client()
    .waitForRun(id)
    .finally(() => {
      ended = true;
    });
  while (!ended) {
    for (const [node, values] of watched) values.push(megabytesOf(node.pid).tree);
    await Promise.race([end, delay(POLL_INTERVAL_MS)]);
  }
  const { counts } = await end;
  const seconds = (performance.now() - startMs) / 1_000;
  return {
    curves: [...watched].map(([node, values], index) => ({
      title: `run of ${LARGE_RUN}: memory of ${node}, process ${index + 1}`,
      unit: "MB",
      everySeconds: POLL_INTERVAL_MS / 1_000,
      values,
      ...growthOf({ name: String(node), unit: "MB", values }),
    })),
    notes: [`The run of ${LARGE_RUN} screenshots had ${counts.new} of them after ${seconds.toFixed(0)} s.`],
  };
}

function routes(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `/${name}/${index}`);
}

function addPages(name: string, count: number): string[] {
  const added = routes(name, count);
  for (const route of added) site.pages.set(route, page(route));
  return added;
}

function page(title: string): string {
  return `<!doctype html><title>${title}</title><h1>${title}</h1><p>${"All work and no play. ".repeat(60)}</p>`;
}

/** Returns a page whose script computes before it shows the result. */
function busyPage(title: string): string {
  const script = `let value = 1;
    for (let step = 0; step < ${BUSY_STEPS}; step++) value = (Math.imul(value, 48271) + step) | 0;
    document.querySelector("p").textContent = value;`;
  return `<!doctype html><title>${title}</title><h1>${title}</h1><p></p><script>${script}</script>`;
}

/** Captures a whole run at one width. @returns its id */
async function run(project: string, own: string[]): Promise<string> {
  const { id } = await cluster.client().submitRun({ url: site.url, routes: own, project });
  const events = await (await cluster.request(`/v1/runs/${id}/events`)).text();
  if (!/"conclusion":"(passed|new)"/.test(events))
    throw new Error(`${id} did not pass: ${events.slice(-500)}`);
  return id;
}
