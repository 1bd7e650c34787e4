/**
 * A loop as a developer would write it: every page at every width with Playwright's own calls. It uses reused pages or
 * new contexts. As a program, it runs once in its own browser. As a forked process, it stays warm and runs once per
 * message, for all pages or for those in the message.
 */
import { readFileSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright";
import type { CaptureSet } from "../support/peer-tools.ts";

interface PageAtWidth {
  url: string;
  width: number;
}

const HEIGHT_PX = 800;

/** Opens a page for each worker, unless each screenshot gets a new one. */
async function openPages(
  browser: Browser,
  { concurrency, freshContexts }: CaptureSet,
): Promise<(Page | null)[]> {
  if (freshContexts) return Array.from({ length: concurrency }, () => null);
  const context = await browser.newContext();
  return Promise.all(Array.from({ length: concurrency }, () => context.newPage()));
}

async function captureAll(
  browser: Browser,
  pages: (Page | null)[],
  { site, widths }: CaptureSet,
  paths: readonly string[],
): Promise<void> {
  const left = paths.flatMap(path => widths.map(width => ({ url: `${site}/${path}`, width }))).values();
  await Promise.all(
    pages.map(async page => {
      for (const screenshot of left)
        await (page === null ? captureInNewContext(browser, screenshot) : captureInPage(page, screenshot));
    }),
  );
}

async function captureInPage(page: Page, { url, width }: PageAtWidth): Promise<void> {
  await page.setViewportSize({ width, height: HEIGHT_PX });
  await page.goto(url);
  await page.screenshot({ fullPage: true });
}

async function captureInNewContext(browser: Browser, { url, width }: PageAtWidth): Promise<void> {
  const context = await browser.newContext({ viewport: { width, height: HEIGHT_PX } });
  const page = await context.newPage();
  await page.goto(url);
  await page.screenshot({ fullPage: true });
  await context.close();
}

const captureSet: CaptureSet = JSON.parse(readFileSync("loop.json", "utf8"));
const browser = await chromium.launch(captureSet.launch);
const pages = await openPages(browser, captureSet);
if (process.send) {
  process.on("message", async message => {
    await captureAll(
      browser,
      pages,
      captureSet,
      Array.isArray(message) ? message.map(String) : captureSet.pages,
    );
    process.send?.("captured");
  });
  process.once("disconnect", () => void browser.close());
  process.send("open");
} else {
  await captureAll(browser, pages, captureSet, captureSet.pages);
  await browser.close();
}
