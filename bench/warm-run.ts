/**
 * A warm run of 14 pages × 3 widths against unchanged baselines, from POST to completed, beside a bare Playwright
 * loop over the same pages in the same browser at the same concurrency. Rounds alternate; medians.
 *
 *   node bench/warm-run.ts [rounds]
 */
import { availableParallelism } from "node:os";
import { chromium, type Page } from "playwright";
import { startSite } from "../cli/demo/site-server.ts";
import { findBrowser } from "../shared/capture/browser-binary.ts";
import { loadConfig } from "../shared/config.ts";
import { Vrs } from "../test/support/vrs.ts";
import { median, megabytesOf } from "./figures.ts";

const ROUNDS = Number(process.argv[2] ?? 5);
const VIEWPORTS = [375, 768, 1280];
const CONCURRENCY = availableParallelism();
/** The project's bar. */
const BAR = 1.25;

/** Pages that have all they need at their load event: a bare loop takes a page with late content too early. */
const PAGES = ["/", "/pricing", "/guide", "/gallery", "/about", "/changelog", "/contact"];
const ROUTES = [...PAGES, ...PAGES.map(page => `${page}?again`)];

const config = loadConfig();
const site = await startSite();
const vrs = await Vrs.start({ RENDER_CONCURRENCY: String(CONCURRENCY) });
const { executablePath, env } = await findBrowser(config);
const browser = await chromium.launch({
  executablePath,
  env,
  args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
});
try {
  const siteUrl = site.url.replace("127.0.0.1", "localhost");
  await vrs.client().approve(await ours(siteUrl));
  const pages = await Promise.all(Array.from({ length: CONCURRENCY }, () => browser.newPage()));
  const warmUps = 1;
  const times: { ours: number; bare: number }[] = [];
  for (let round = 0; round < warmUps + ROUNDS; round += 1) {
    const measured = {
      ours: await timed(() => ours(siteUrl)),
      bare: await timed(() => bare(pages, siteUrl)),
    };
    if (round >= warmUps) times.push(measured);
  }
  const [oursMs, bareMs] = [median(times.map(time => time.ours)), median(times.map(time => time.bare))];
  const memory = megabytesOf(vrs.pid);
  const ratio = median(times.map(time => time.ours / time.bare));
  console.log(
    `warm run of ${ROUTES.length} × ${VIEWPORTS.length} screenshots, concurrency ${CONCURRENCY}, ${ROUNDS} rounds`,
  );
  console.log(
    `  vrs ${oursMs.toFixed(0)} ms · bare loop ${bareMs.toFixed(0)} ms · ratio ${ratio.toFixed(2)} (bar ${BAR})`,
  );
  console.log(`  resident: service ${memory.own} MB, with its browsers ${memory.tree} MB`);
} finally {
  await browser.close();
  await vrs.stop();
  await site.close();
}

/** A whole run through the service. @returns its id */
async function ours(url: string): Promise<string> {
  const { id } = await vrs
    .client()
    .submitRun({ url, routes: ROUTES, viewports: VIEWPORTS, project: "bench" });
  const stream = await vrs.request(`/v1/runs/${id}/events`);
  const told = await stream.text();
  if (!/"conclusion":"(passed|new)"/.test(told)) throw new Error(`The run did not pass: ${told.slice(-500)}`);
  return id;
}

async function bare(pages: Page[], url: string): Promise<void> {
  const work = ROUTES.values();
  await Promise.all(
    pages.map(async page => {
      for (const route of work) {
        for (const width of VIEWPORTS) {
          await page.setViewportSize({ width, height: 800 });
          await page.goto(url + route);
          await page.screenshot({ fullPage: true });
        }
      }
    }),
  );
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
