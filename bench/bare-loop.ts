/**
 * What one would write by hand: every page at every width, with Playwright's own calls and pages that are used again.
 * As a program it does so once, in a browser of its own; forked, it stays warm and does it once for each message.
 */
import { readFileSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright";
import type { Shots } from "./peer-tools.ts";

async function open({ atOnce, launch }: Shots): Promise<{ browser: Browser; tabs: Page[] }> {
  const browser = await chromium.launch(launch);
  const context = await browser.newContext();
  return { browser, tabs: await Promise.all(Array.from({ length: atOnce }, () => context.newPage())) };
}

async function takeAll({ site, pages, widths }: Shots, tabs: Page[]): Promise<void> {
  const left = pages.flatMap(page => widths.map(width => ({ page, width }))).values();
  await Promise.all(
    tabs.map(async tab => {
      for (const { page, width } of left) {
        await tab.setViewportSize({ width, height: 800 });
        await tab.goto(`${site}/${page}`);
        await tab.screenshot({ fullPage: true });
      }
    }),
  );
}

const shots: Shots = JSON.parse(readFileSync("loop.json", "utf8"));
const { browser, tabs } = await open(shots);
if (process.send) {
  process.on("message", async () => {
    await takeAll(shots, tabs);
    process.send?.("taken");
  });
  process.once("disconnect", () => void browser.close());
  process.send("open");
} else {
  await takeAll(shots, tabs);
  await browser.close();
}
