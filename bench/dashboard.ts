/**
 * The dashboard in a real browser, on the real service: the script of its first page; from a key press to the next
 * screenshot shown, in a run of 500; a run's page with 2,000 screenshots beside one with 20. Medians.
 *
 *   node bench/dashboard.ts [rounds] [screenshots of the long run]
 */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Page } from "playwright";
import { launchBrowser, visit } from "../test/support/report-browser.ts";
import { Site } from "../test/support/site.ts";
import { Vrs } from "../test/support/vrs.ts";
import { median } from "./figures.ts";

const ROUNDS = Number(process.argv[2] ?? 5);
const MANY = Number(process.argv[3] ?? 2_000);
const REVIEWED = Math.min(500, MANY);
const FEW = 20;
const PRESSES = 30;
/** As fast as somebody looks who clears forty in a minute, and more. */
const LOOK_MS = 300;
const WIDTHS = [320, 375, 768, 1280];
/** The project's bars. */
const BARS = { bytes: 150_000, keyMs: 100, ratio: 1.5 };

await promisify(execFile)(process.execPath, [
  fileURLToPath(new URL("../cli/build-dashboard.mjs", import.meta.url)),
]);
let version = 1;
const site = await Site.start();
for (let index = 0; index < REVIEWED; index += 1) {
  site.pages.set(`/p/${index}`, (_req, res) => {
    const top = version === 1 ? "#234" : `hsl(${index} 60% 40%)`;
    const html = `<!doctype html><body style="margin:0"><div style="height:80px;background:${top}"></div><h1>Page ${index}</h1><p style="height:900px">Text`;
    res.writeHead(200, { "Content-Type": "text/html" }).end(html);
  });
}
const vrs = await Vrs.start({ SERVICE_RATE_LIMIT: "1000000" });
const browser = await launchBrowser();
try {
  const run = async (project: string, routes: number, viewports: number[]) => {
    const paths = Array.from({ length: routes }, (_, index) => `/p/${index}`);
    const body = { url: site.url, routes: paths, viewports, threshold: 0, project };
    const { id } = await vrs.client().submitRun(body);
    await (await vrs.request(`/v1/runs/${id}/events`)).text();
    return id;
  };
  await vrs.client().approve(await run("review", REVIEWED, [1280]));
  const few = await run("few", FEW, [1280]);
  const many = await run("many", Math.ceil(MANY / WIDTHS.length), WIDTHS);
  version = 2;
  const reviewed = await run("review", REVIEWED, [1280]);

  const { page } = await visit(browser, { viewport: { width: 1440, height: 900 } });
  const bytes = await firstScript(page);
  console.log(`the dashboard, ${ROUNDS} rounds`);
  console.log(`  script of the first page, gzip: ${bytes} bytes (bar ${BARS.bytes})`);
  await page.getByLabel("API key").fill(vrs.key);
  await page.getByRole("button", { name: "Sign in with the key" }).click();
  await page.locator(".run-row").first().waitFor();

  const times: { few: number; many: number }[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const measured = { few: await interactive(page, few), many: await interactive(page, many) };
    // The first round warms the browser's cache up.
    if (round > 0) times.push(measured);
  }
  const of = (name: "few" | "many") => median(times.map(time => time[name])).toFixed(0);
  const ratio = median(times.map(time => time.many / time.few));
  console.log(
    `  a run's page: ${FEW} screenshots ${of("few")} ms · ${MANY} ${of("many")} ms · ratio ${ratio.toFixed(2)} (bar ${BARS.ratio})`,
  );

  await page.goto(`${vrs.baseUrl}/review/${reviewed}`);
  await page.locator(".stage .layer img").first().waitFor();
  const stepMs = await pressed(page, "ArrowDown");
  const approveMs = await pressed(page, "a");
  console.log(
    `  key press to the next screenshot, run of ${REVIEWED}: ↓ ${stepMs.toFixed(0)} ms · A ${approveMs.toFixed(0)} ms (bar ${BARS.keyMs} ms)`,
  );
  if (bytes > BARS.bytes || ratio > BARS.ratio || Math.max(stepMs, approveMs) > BARS.keyMs)
    process.exitCode = 1;
} finally {
  await browser.close();
  await vrs.stop();
  await site.stop();
}

/** Bytes of script, gzip, that the page for signing in and the list of runs load. */
async function firstScript(page: Page): Promise<number> {
  const loaded: string[] = [];
  page.on("response", response => {
    if (response.url().endsWith(".js")) loaded.push(response.url());
  });
  await page.goto(`${vrs.baseUrl}/runs`);
  await page.getByLabel("API key").waitFor();
  page.removeAllListeners("response");
  const sizes = await Promise.all(
    loaded.map(async url => {
      const answer = await fetch(url, { headers: { "Accept-Encoding": "gzip" } });
      return Number(answer.headers.get("content-length"));
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** From going to a run's page until its first cards are there and it answers a click. */
async function interactive(page: Page, id: string): Promise<number> {
  await page.goto("about:blank");
  const start = performance.now();
  await page.goto(`${vrs.baseUrl}/runs/${id}`, { waitUntil: "commit" });
  await page.locator("article").first().waitFor();
  await page.getByLabel("Find a route").click();
  await page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve))));
  return performance.now() - start;
}

/** From a key press until the images of another screenshot are in the page, whole, and drawn. Median. */
async function pressed(page: Page, key: string): Promise<number> {
  const times: number[] = [];
  for (let press = 0; press < PRESSES; press += 1) {
    await page.waitForTimeout(LOOK_MS);
    // In the page before the key is pressed: it would be waited for in vain.
    const shown = await page.evaluateHandle(awaitNext);
    await page.keyboard.press(key);
    times.push(await shown.evaluate(({ ms }) => ms));
  }
  return median(times);
}

/** It is sent to the page as text: it must use nothing from outside its body. */
function awaitNext(): { ms: Promise<number> } {
  const images = () => [...document.querySelectorAll<HTMLImageElement>(".stage .layer img")];
  const before = images()[0]?.src;
  const ms = new Promise<number>(resolve => {
    const begin = (event: KeyboardEvent) => {
      const look = () => {
        const now = images();
        const isThere =
          now[0]?.src !== before && now.every(image => image.complete && image.naturalWidth > 0);
        // The frame after the one in which they are there has drawn them.
        requestAnimationFrame(() => (isThere ? resolve(performance.now() - event.timeStamp) : look()));
      };
      look();
    };
    addEventListener("keydown", begin, { capture: true, once: true });
  });
  return { ms };
}
