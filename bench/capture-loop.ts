/**
 * How long stable capture takes for 14 pages in 3 widths, against a loop of Playwright's own calls on the same browser:
 * `node bench/capture-loop.ts [rounds]`. Both are warm, at the same concurrency; rounds alternate, the median counts.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "playwright";
import { addressPolicy } from "../shared/capture/address-guard.ts";
import { findBrowser } from "../shared/capture/browser-binary.ts";
import { BrowserPool } from "../shared/capture/browser-pool.ts";
import { capture } from "../shared/capture/capture.ts";
import type { Lease } from "../shared/capture/lease.ts";
import { benchPages, PAGES } from "./capture-pages.ts";

const WIDTHS = [1280, 768, 375];
const CONCURRENCY = 2;
const ROUNDS = Number(process.argv[2] ?? 5);
let steps: Record<string, number> = {};

const files = benchPages();
const server = createServer((request, response) => {
  const file = files.get(request.url ?? "");
  response.writeHead(file ? 200 : 404, {
    "Content-Type": file?.type ?? "text/plain",
    "Cache-Control": "max-age=600",
  });
  response.end(file?.body);
}).listen(0);
await once(server, "listening");
const address = server.address();
if (address === null || typeof address === "string") throw new Error("The server has no port.");
const site = `http://localhost:${address.port}`;
const shots = PAGES.flatMap(page => WIDTHS.map(width => ({ url: `${site}/${page}`, width })));

const chromiumPath = process.env.CHROMIUM_PATH ?? null;
const cacheDir = join(tmpdir(), "vrs-test-browser");
const binary = await findBrowser({ chromiumPath, cacheDir });
const bareBrowser = await chromium.launch({ ...binary, chromiumSandbox: process.getuid?.() !== 0 });
const pool = new BrowserPool({ chromiumPath, cacheDir, policy: addressPolicy(["localhost"]) });
try {
  const context = await bareBrowser.newContext();
  const pages = await Promise.all(Array.from({ length: CONCURRENCY }, () => context.newPage()));
  const leases = await Promise.all(Array.from({ length: CONCURRENCY }, () => pool.lease("bench")));
  const baselines = new Map<string, string>();
  await bareRound(pages);
  await captureRound(leases, baselines);
  const bare: number[] = [];
  const first: number[] = [];
  const warm: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    bare.push(await timed(() => bareRound(pages)));
    warm.push(await timed(() => captureRound(leases, baselines)));
    first.push(await timed(() => captureRound(leases, new Map())));
  }
  const browserMiB = ((await leases[0]?.browser.residentBytes()) ?? 0) / 1024 / 1024;
  const loop = median(bare);
  console.log(`${shots.length} screenshots, concurrency ${CONCURRENCY}, median of ${ROUNDS} rounds`);
  console.log(`bare Playwright loop        ${loop.toFixed(0)} ms`);
  console.log(
    `capture, baselines known    ${median(warm).toFixed(0)} ms   ${(median(warm) / loop).toFixed(2)} ×`,
  );
  console.log(
    `capture, no baselines       ${median(first).toFixed(0)} ms   ${(median(first) / loop).toFixed(2)} ×`,
  );
  const nodeMiB = process.memoryUsage().rss / 1024 / 1024;
  console.log(
    `resident memory             browser ${browserMiB.toFixed(0)} MiB, this process ${nodeMiB.toFixed(0)} MiB`,
  );
  console.log("ms by step, all screenshots of the last round with baselines:", steps);
  await Promise.all(leases.map(lease => lease.release()));
} finally {
  await pool.close();
  await bareBrowser.close();
  server.closeAllConnections();
  server.close();
}

async function bareRound(pages: Page[]): Promise<void> {
  await share(pages, async (page, { url, width }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(url);
    await page.screenshot({ fullPage: true });
  });
}

/** Notes every screenshot's hash, which makes it the next round's baseline. */
async function captureRound(leases: Lease[], baselines: Map<string, string>): Promise<void> {
  steps = {};
  await share(leases, async (lease, { url, width }) => {
    const key = `${url} ${width}`;
    const taken = await capture(lease, {
      url,
      viewport: width,
      baselineHash: baselines.get(key) ?? null,
      options: {},
    });
    baselines.set(key, taken.hash);
    for (const [step, ms] of Object.entries(taken.timings)) steps[step] = Math.round((steps[step] ?? 0) + ms);
  });
}

/** Gives each worker the next screenshot as it is free. */
async function share<W>(
  workers: W[],
  work: (worker: W, shot: { url: string; width: number }) => Promise<void>,
): Promise<void> {
  const queue = shots.values();
  await Promise.all(
    workers.map(async worker => {
      for (const shot of queue) await work(worker, shot);
    }),
  );
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
