/**
 * Measures stable captures of 14 pages at 3 widths without the service, and where their time goes. It compares with a
 * loop of Playwright's own calls in the same browser. Both run warm in this process. It is for profiling. `npm run
 * bench` compares the whole service with that loop.
 *
 * node bench/capture-loop.ts [pairs] [--quick]
 */
import { availableParallelism } from "node:os";
import { chromium, type Page } from "playwright";
import { BrowserPool } from "../shared/capture/browser/browser-pool.ts";
import type { Lease } from "../shared/capture/browser/lease.ts";
import { addressPolicy } from "../shared/capture/network/address-guard.ts";
import { capture } from "../shared/capture/page/capture.ts";
import { BROWSER_CACHE } from "../test/support/drivers/runner.ts";
import { startBenchSite } from "./support/bench-site.ts";
import { PAGES } from "./support/capture-pages.ts";
import { bare, compareMeasurements, measureOf } from "./support/figures.ts";
import { timed } from "./support/memory.ts";
import { readOptions } from "./support/options.ts";
import { runPairedRounds } from "./support/paired-rounds.ts";
import { launchOptions } from "./support/peer-tools.ts";
import { publish } from "./support/publish.ts";

const { pairs, quick } = readOptions({ pairs: 5, quickPairs: 1 });
const WIDTHS = [1280, 768, 375];
const CONCURRENCY = availableParallelism();

const site = await startBenchSite();
const captureSet = PAGES.flatMap(page => WIDTHS.map(width => ({ url: `${site.url}/${page}`, width })));
/** Milliseconds by step, of all screenshots of a round with baselines. */
const steps = new Map<string, number[]>();
const chromiumPath = process.env.CHROMIUM_PATH ?? null;
const bareBrowser = await chromium.launch(await launchOptions());
const pool = new BrowserPool({
  chromiumPath,
  cacheDir: BROWSER_CACHE,
  policy: addressPolicy(["localhost"]),
});
try {
  const context = await bareBrowser.newContext();
  const pages = await Promise.all(Array.from({ length: CONCURRENCY }, () => context.newPage()));
  const leases = await Promise.all(Array.from({ length: CONCURRENCY }, () => pool.lease("bench")));
  const baselines = new Map<string, string>();
  const round = (work: () => Promise<void>) => async () => ({ value: await timed(work), peakMb: null });
  const results = await runPairedRounds(
    [
      { name: "the loop", measure: round(() => bareRound(pages)) },
      { name: "capture, baselines known", measure: round(() => captureRound(leases, baselines)) },
      { name: "capture, no baselines", measure: round(() => captureRound(leases, new Map())) },
    ],
    { pairs },
  );
  await publish({
    name: "capture-loop",
    title: "Stable capture without the service",
    how: `vrs captures ${PAGES.length} pages × ${WIDTHS.length} widths, ${CONCURRENCY} at once. The loop uses Playwright's own calls and reuses tabs. Both run in one process with open browsers. With a known baseline, a screenshot with the same bytes proves that the page is stable. Without a baseline, a second screenshot has to.`,
    quick,
    withBrowser: true,
    comparisons: ["capture, baselines known", "capture, no baselines"].map(name =>
      compareMeasurements(
        { title: name, unit: "ms", ratioIs: "of its time" },
        { ...results.of(name), name: "vrs" },
        results.of("the loop"),
      ),
    ),
    measures: [...steps].map(([step, values]) =>
      measureOf(
        { title: `step ${step}, all screenshots of a round`, unit: "ms" },
        bare(values.slice(-pairs)),
      ),
    ),
  });
  await Promise.all(leases.map(lease => lease.release()));
} finally {
  await pool.close();
  await bareBrowser.close();
  site.close();
}

async function bareRound(pages: Page[]): Promise<void> {
  await share(pages, async (page, { url, width }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(url);
    await page.screenshot({ fullPage: true });
  });
}

/** Records every screenshot's hash, which becomes the next round's baseline. */
async function captureRound(leases: Lease[], baselines: Map<string, string>): Promise<void> {
  const isKnown = baselines.size > 0;
  const sums = new Map<string, number>();
  await share(leases, async (lease, { url, width }) => {
    const key = `${url} ${width}`;
    const baselineHash = baselines.get(key) ?? null;
    const captured = await capture(lease, { url, viewport: width, baselineHash, options: {} });
    baselines.set(key, captured.hash);
    for (const [step, ms] of Object.entries(captured.timings)) sums.set(step, (sums.get(step) ?? 0) + ms);
  });
  if (!isKnown) return;
  for (const [step, ms] of sums) steps.set(step, [...(steps.get(step) ?? []), ms]);
}

/** Gives each free worker the next screenshot. */
async function share<W>(
  workers: W[],
  work: (worker: W, planned: { url: string; width: number }) => Promise<void>,
): Promise<void> {
  const queue = captureSet.values();
  await Promise.all(
    workers.map(async worker => {
      for (const planned of queue) await work(worker, planned);
    }),
  );
}
