/** What one would write by hand: every page at every width, with Playwright's own calls, in a browser of its own. */
import { readFileSync } from "node:fs";
import { chromium } from "playwright";

const { launch, site, pages, widths, atOnce } = JSON.parse(readFileSync("loop.json", "utf8"));
const browser = await chromium.launch(launch);
const context = await browser.newContext();
const shots: { page: string; width: number }[] = pages.flatMap((page: string) =>
  widths.map((width: number) => ({ page, width })),
);
const left = shots.values();
await Promise.all(
  Array.from({ length: atOnce }, async () => {
    const tab = await context.newPage();
    for (const { page, width } of left) {
      await tab.setViewportSize({ width, height: 800 });
      await tab.goto(`${site}/${page}`);
      await tab.screenshot({ fullPage: true });
    }
  }),
);
await browser.close();
