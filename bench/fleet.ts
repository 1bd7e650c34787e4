/**
 * The product as a fleet on this machine, as ratios: 1, 2 and 4 renderer nodes, 200 submissions at once, what an
 * unchanged screenshot costs, and the memory of every node over a run of 1,000 screenshots.
 *
 *   node bench/fleet.ts [rounds]
 */
import { setTimeout as delay } from "node:timers/promises";
import { CORE_SERVICES } from "../shared/config.ts";
import { Cluster } from "../test/support/cluster.ts";
import type { ClusterNode } from "../test/support/cluster-node.ts";
import { Site } from "../test/support/site.ts";
import { median, megabytesOf } from "./figures.ts";
import { type BusTraffic, busTraffic, databaseCommits } from "./traffic.ts";

const ROUNDS = Number(process.argv[2] ?? 3);
/** How long the site takes to answer: a node waits most of the time, so that one machine can stand for several. */
const ANSWER_AFTER_MS = 1_000;
const SLOW_ROUTES = routes("slow", 32);
/** The project's bars, for 2 and 4 nodes beside 1. */
const BARS = new Map([
  [2, 1.9],
  [4, 3.6],
]);

const site = await Site.start();
for (const route of SLOW_ROUTES) {
  site.pages.set(route, (_req, res) => {
    setTimeout(() => res.writeHead(200, { "Content-Type": "text/html" }).end(page(route)), ANSWER_AFTER_MS);
  });
}
const cluster = await Cluster.start({
  layout: [["gateway"], [...CORE_SERVICES], ["differ"], ["renderer"]],
  env: { RENDER_CONCURRENCY: "1" },
});
try {
  await cluster.client().approve(await run("slow", SLOW_ROUTES));
  await scaleOut();
  await costOfUnchanged();
  await submissionsAtOnce(200);
  await largeRun(1_000);
} finally {
  await cluster.stop();
  await site.stop();
}

async function scaleOut(): Promise<void> {
  const times = new Map<number, number>();
  for (const nodes of [1, 2, 4]) {
    while (cluster.with("renderer").length < nodes) await cluster.node(["renderer"]);
    // Each node's browser starts with its first page.
    await run("slow", SLOW_ROUTES);
    const rounds: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) rounds.push(await timed(() => run("slow", SLOW_ROUTES)));
    times.set(nodes, median(rounds));
  }
  const alone = times.get(1) ?? Number.NaN;
  console.log(
    `${SLOW_ROUTES.length} pages that answer after ${ANSWER_AFTER_MS} ms, one page at once on each node`,
  );
  for (const [nodes, ms] of times) {
    const bar = BARS.get(nodes);
    const ratio = (alone / ms).toFixed(2);
    console.log(`  ${nodes} renderer nodes: ${ms.toFixed(0)} ms, ${ratio} ×${bar ? ` (bar ${bar})` : ""}`);
  }
}

async function costOfUnchanged(): Promise<void> {
  const count = 100;
  const own = addPages("cost", count);
  await cluster.client().approve(await run("cost", own));
  const before = { bus: await busTraffic(cluster.nats), commits: await databaseCommits(cluster.databaseUrl) };
  await run("cost", own);
  const after = { bus: await busTraffic(cluster.nats), commits: await databaseCommits(cluster.databaseUrl) };
  const each = (of: (traffic: BusTraffic) => number) => (of(after.bus) - of(before.bus)) / count;
  console.log("an unchanged screenshot, heartbeats and progress of its run included");
  console.log(
    `  to the bus ${each(bus => bus.in_msgs).toFixed(1)} messages, ${each(bus => bus.in_bytes).toFixed(0)} bytes`,
  );
  console.log(
    `  from the bus ${each(bus => bus.out_msgs).toFixed(1)} messages, ${each(bus => bus.out_bytes).toFixed(0)} bytes`,
  );
  console.log(
    `  database ${((after.commits - before.commits) / count).toFixed(2)} commits · image store none: its hash is its baseline's`,
  );
}

async function submissionsAtOnce(count: number): Promise<void> {
  site.pages.set("/small", page("small"));
  const submit = async (index: number) => {
    const project = `at once ${index}`;
    const start = performance.now();
    const { id } = await cluster.client().submitRun({ url: site.url, routes: ["/small"], project });
    return { id, ms: performance.now() - start };
  };
  await Promise.all([0, 1, 2].map(submit));
  const submitted = await Promise.all(Array.from({ length: count }, (_, index) => submit(index + 3)));
  const ms = submitted.map(each => each.ms).toSorted((a, b) => a - b);
  const p99 = ms[Math.ceil(count * 0.99) - 1] ?? Number.NaN;
  console.log(`${count} submissions at once`);
  console.log(
    `  POST median ${median(ms).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, ratio ${(p99 / median(ms)).toFixed(1)} (bar 10)`,
  );
  const all = await timed(() => Promise.all(submitted.map(({ id }) => cluster.client().waitForRun(id))));
  console.log(`  all completed ${(all / 1000).toFixed(1)} s later`);
}

async function largeRun(count: number): Promise<void> {
  const own = addPages("large", count / 2);
  const { id } = await cluster
    .client()
    .submitRun({ url: site.url, routes: own, viewports: [375, 1280], project: "large" });
  const curves = new Map<ClusterNode, string[]>(cluster.nodes.map(node => [node, []]));
  let ended = false;
  const end = cluster
    .client()
    .waitForRun(id)
    .then(view => {
      ended = true;
      return view;
    });
  while (!ended) {
    for (const [node, curve] of curves) curve.push(String(megabytesOf(node.pid).tree));
    await Promise.race([end, delay(5_000)]);
  }
  const { counts } = await end;
  console.log(`a run of ${count} screenshots, ${counts.new} new: resident MB with browsers, every 5 s`);
  for (const [node, curve] of curves) console.log(`  ${node}: ${curve.join(" ")}`);
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

/** A whole run in one width. @returns its id */
async function run(project: string, own: string[]): Promise<string> {
  const { id } = await cluster.client().submitRun({ url: site.url, routes: own, project });
  const told = await (await cluster.request(`/v1/runs/${id}/events`)).text();
  if (!/"conclusion":"(passed|new)"/.test(told)) throw new Error(`${id} did not pass: ${told.slice(-500)}`);
  return id;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
