/**
 * Measures the dashboard in a real browser on the real service. It measures the script of its first page. It measures
 * the time from a key press to the next screenshot, in a run of 500. It compares a run's page with 2,000 screenshots
 * with one with 20. The large runs are written into the database with the images of about fifty rendered pages.
 *
 * node bench/benchmarks/dashboard.ts [pairs] [--quick]
 */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Page } from "playwright";
import { closeEmbeddedDatabase, openEmbeddedDatabase } from "../../mixins/database/embedded-database.ts";
import { loadConfig } from "../../shared/config.ts";
import { EMBEDDED } from "../../test/support/databases/databases.ts";
import { launchBrowser, visit } from "../../test/support/drivers/browser/report-browser.ts";
import { Vrs } from "../../test/support/drivers/vrs.ts";
import { Site } from "../../test/support/fixtures/site.ts";
import { bare, compareMeasurements, type Measurement, measureOf } from "../support/figures.ts";
import { readOptions } from "../support/options.ts";
import { runPairedRounds } from "../support/paired-rounds.ts";
import { publish } from "../support/publish.ts";
import { seedRun } from "../support/seed-run.ts";

const { pairs, quick } = readOptions({ pairs: 5, quickPairs: 2 });
const MANY = 2_000;
const REVIEWED = 500;
/** Rendered pages. It is more than the steps until the first page comes again. */
const PAGES = 50;
const FEW = 20;
const PRESSES = 24;
/** As fast as a reviewer who decides more than forty a minute. */
const POLL_MS = 300;
/** The project's bars. */
const BARS = { bytes: 150_000, keyMs: 100, ratio: 1.5 };

await promisify(execFile)(process.execPath, [
  fileURLToPath(new URL("../../cli/build-dashboard.mjs", import.meta.url)),
]);
let version = 1;
const site = await Site.start();
for (let index = 0; index < PAGES; index += 1) {
  site.pages.set(`/p/${index}`, (_req, res) => {
    const top = version === 1 ? "#234" : `hsl(${index} 60% 40%)`;
    const html = `<!doctype html><body style="margin:0"><div style="height:80px;background:${top}"></div><h1>Page ${index}</h1><p style="height:900px">Text`;
    res.writeHead(200, { "Content-Type": "text/html" }).end(html);
  });
}
const vrs = await Vrs.start({ SERVICE_RATE_LIMIT: "1000000" }, EMBEDDED);
const browser = await launchBrowser();
try {
  const run = async (project: string, routes: number) => {
    const paths = Array.from({ length: routes }, (_, index) => `/p/${index}`);
    const body = { url: site.url, routes: paths, viewports: [1280], threshold: 0, project };
    const { id } = await vrs.client().submitRun(body);
    await (await vrs.request(`/v1/runs/${id}/events`)).text();
    return id;
  };
  await vrs.client().approve(await run("review", PAGES));
  const few = await run("few", FEW);
  version = 2;
  const some = await run("review", PAGES);
  // Only one process can use the embedded database.
  await vrs.terminate();
  const config = loadConfig({ SERVICE_DATA_DIR: vrs.dataDir });
  const { pglite: database } = await openEmbeddedDatabase(config);
  const many = await seedRun(database, few, MANY);
  const reviewed = await seedRun(database, some, REVIEWED);
  await closeEmbeddedDatabase(config.dataDir);
  await vrs.start();

  const { page } = await visit(browser, { viewport: { width: 1440, height: 900 } });
  const bytes = await measureFirstScript(page);
  await page.getByLabel("API key").fill(vrs.key);
  await page.getByRole("button", { name: "Sign in with API key" }).click();
  await page.locator(".run-row").first().waitFor();

  const results = await runPairedRounds(
    [
      { name: `${MANY} screenshots`, measure: () => measureInteractive(page, many) },
      { name: `${FEW} screenshots`, measure: () => measureInteractive(page, few) },
    ],
    { pairs },
  );
  await page.goto(`${vrs.baseUrl}/review/${reviewed}`);
  await page.locator(".stage .layer img").first().waitFor();
  const [step, approve] = [await measureKeyPresses(page, "ArrowDown"), await measureKeyPresses(page, "a")];
  await publish({
    name: "dashboard",
    title: "The dashboard",
    how: `The browser's window has 1440 × 900 px. The service is one process with the embedded database. The time of a run's page starts when its URL is opened. It ends when the first cards are visible and the page responds to a click. The remaining screenshots load in the background. The time of a key press ends when both images of the next screenshot are drawn. Keys are pressed ${POLL_MS} ms after the last one is done. The runs of ${MANY} and ${REVIEWED} screenshots are database rows, with the images of ${FEW} and ${PAGES} rendered pages.`,
    quick,
    withBrowser: true,
    comparisons: [
      compareMeasurements(
        {
          title: `a run's page, ${MANY} screenshots beside ${FEW}`,
          unit: "ms",
          ratioIs: "of its time",
          bar: { is: "at most", value: BARS.ratio },
        },
        results.of(`${MANY} screenshots`),
        results.of(`${FEW} screenshots`),
      ),
    ],
    measures: [
      measureOf(
        {
          title: "script of the first page, gzip",
          unit: "bytes",
          bar: { is: "at most", value: BARS.bytes },
        },
        bare([bytes]),
      ),
      measureOf(
        {
          title: `↓ to the next of ${REVIEWED} screenshots`,
          unit: "ms",
          bar: { is: "at most", value: BARS.keyMs },
        },
        bare(step),
      ),
      measureOf(
        {
          title: `A to the next of ${REVIEWED} screenshots`,
          unit: "ms",
          bar: { is: "at most", value: BARS.keyMs },
        },
        bare(approve),
      ),
    ],
  });
} finally {
  await browser.close();
  await vrs.stop();
  await site.stop();
}

/** Returns the gzip bytes of script that the sign-in page and the list of runs load. */
async function measureFirstScript(page: Page): Promise<number> {
  const loaded: string[] = [];
  page.on("response", response => {
    if (response.url().endsWith(".js")) loaded.push(response.url());
  });
  await page.goto(`${vrs.baseUrl}/runs`);
  await page.getByLabel("API key").waitFor();
  page.removeAllListeners("response");
  const sizes = await Promise.all(
    loaded.map(async url => {
      const response = await fetch(url, { headers: { "Accept-Encoding": "gzip" } });
      return Number(response.headers.get("content-length"));
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Measures from opening a run's page until its first cards are shown and it responds to a click. */
async function measureInteractive(page: Page, id: string): Promise<Measurement> {
  await page.goto("about:blank");
  const start = performance.now();
  await page.goto(`${vrs.baseUrl}/runs/${id}`, { waitUntil: "commit" });
  await page.locator("article").first().waitFor();
  await page.getByLabel("Find a route").click();
  await page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve))));
  const ms = performance.now() - start;
  // The remaining screenshots are still loading. The next measurement must not wait for them.
  await page.getByText(/^Loading [\d,]+ more screenshots/).waitFor({ state: "hidden" });
  return { value: ms, peakMb: null };
}

/** Returns, for some key presses, the time until the images of another screenshot are complete and drawn, ms. */
async function measureKeyPresses(page: Page, key: string): Promise<number[]> {
  const times: number[] = [];
  for (let press = 0; press < PRESSES; press += 1) {
    await page.waitForTimeout(POLL_MS);
    // It is in the page before the key press. Otherwise the images could already be there.
    const shown = await page.evaluateHandle(awaitNext);
    await page.keyboard.press(key);
    times.push(await shown.evaluate(({ ms }) => ms));
  }
  return times;
}

/** It is sent to the page as text: it must use nothing from outside its body. */
function awaitNext(): { ms: Promise<number> } {
  const images = () => [...document.querySelectorAll<HTMLImageElement>(".stage .layer img")];
  const before = images()[0]?.src;
  const ms = new Promise<number>(resolve => {
    const begin = (event: KeyboardEvent) => {
      const check = () => {
        const now = images();
        const isThere =
          now[0]?.src !== before && now.every(image => image.complete && image.naturalWidth > 0);
        // The frame after the one in which the images are present has drawn them.
        requestAnimationFrame(() => (isThere ? resolve(performance.now() - event.timeStamp) : check()));
      };
      check();
    };
    addEventListener("keydown", begin, { capture: true, once: true });
  });
  return { ms };
}
