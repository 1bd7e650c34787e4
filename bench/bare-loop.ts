/**
 * A loop as a developer would write it: every page at every width with Playwright's own calls. It uses reused pages or
 * new contexts. As a program, it runs once in its own browser. As a forked process, it stays warm and runs once per
 * message, for all pages or for those in the message.
 */
import { readFileSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright";
import type { Shots } from "./support/peer-tools.ts";

interface Shot {
  url: string;
  width: number;
}

const HEIGHT_PX = 800;

/** Opens a page for each worker, unless each screenshot gets a new one. */
async function openPages(browser: Browser, { atOnce, freshContexts }: Shots): Promise<(Page | null)[]> {
  if (freshContexts) return Array.from({ length: atOnce }, () => null);
  const context = await browser.newContext();
  return Promise.all(Array.from({ length: atOnce }, () => context.newPage()));
}

async function takeAll(
  browser: Browser,
  pages: (Page | null)[],
  { site, widths }: Shots,
  paths: readonly string[],
): Promise<void> {
  const left = paths.flatMap(path => widths.map(width => ({ url: `${site}/${path}`, width }))).values();
  await Promise.all(
    pages.map(async page => {
      for (const shot of left) await (page === null ? takeFresh(browser, shot) : takeAgain(page, shot));
    }),
  );
}

async function takeAgain(page: Page, { url, width }: Shot): Promise<void> {
  await page.setViewportSize({ width, height: HEIGHT_PX });
  await page.goto(url);
  await page.screenshot({ fullPage: true });
}

async function takeFresh(browser: Browser, { url, width }: Shot): Promise<void> {
  const context = await browser.newContext({ viewport: { width, height: HEIGHT_PX } });
  const page = await context.newPage();
  await page.goto(url);
  await page.screenshot({ fullPage: true });
  await context.close();
}

const shots: Shots = JSON.parse(readFileSync("loop.json", "utf8"));
const browser = await chromium.launch(shots.launch);
const pages = await openPages(browser, shots);
if (process.send) {
  process.on("message", async message => {
    await takeAll(browser, pages, shots, Array.isArray(message) ? message.map(String) : shots.pages);
    process.send?.("taken");
  });
  process.once("disconnect", () => void browser.close());
  process.send("open");
} else {
  await takeAll(browser, pages, shots, shots.pages);
  await browser.close();
}
