import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright";
import { renderReport } from "../../../shared/report/render/render-report.ts";
import { CHECKED_PAGES } from "../../own-pages/pages.ts";
import { type OwnPagesServer, serveOwnPages } from "../../own-pages/server.ts";
import { assertAccessible } from "../../support/drivers/browser/axe.ts";
import { launchBrowser, type Visit, visit } from "../../support/drivers/browser/report-browser.ts";
import { inline, sampleReport } from "../../support/fixtures/report-sample.ts";

const BUILD = fileURLToPath(new URL("../../../cli/build-dashboard.mjs", import.meta.url));
/** A window of 1280 px at 400%, as in WCAG 1.4.10. */
const NARROW = { viewport: { width: 320, height: 640 } };
/** A window of 1440 × 900 px at 200%. */
const ZOOMED = { viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 };
/** A phone, a window of 1280 × 900 px at 200%, and a wide window. */
const SIZES = [
  { width: 390, height: 844 },
  { width: 640, height: 450 },
  { width: 1280, height: 800 },
];

/**
 * Returns how far the page scrolls horizontally, px, and the controls that are cut off, except in scrollable
 * areas.
 */
function overflowOf(page: Page): Promise<{ sideways: number; cut: string[] }> {
  return page.evaluate(() => {
    const { documentElement: root } = document;
    const isCut = (element: Element): boolean => {
      const { left, right, width, height } = element.getBoundingClientRect();
      if (width <= 1 || height <= 1 || !element.checkVisibility()) return false;
      for (let frame = element.parentElement; frame && frame !== root; frame = frame.parentElement) {
        const { overflowX } = getComputedStyle(frame);
        if (/auto|scroll/.test(overflowX) && !frame.matches("dialog")) return false;
        const box = frame.getBoundingClientRect();
        const clips = /hidden|clip/.test(overflowX) && box.width > 1;
        if (clips && (left < box.left - 0.5 || right > box.right + 0.5)) return true;
      }
      return left < -0.5 || right > root.clientWidth + 0.5;
    };
    const controls = document.querySelectorAll("a, button, input, select, summary, textarea");
    const cut = [...controls].filter(isCut);
    return {
      sideways: root.scrollWidth - root.clientWidth,
      cut: cut.map(element => element.textContent || element.outerHTML.slice(0, 80)),
    };
  });
}

describe("In a narrow window", () => {
  let browser: Browser;
  let server: OwnPagesServer;
  /** Shared by the tests of all pages, since a new one would load every script again. */
  let visited: Visit;

  before(async () => {
    await promisify(execFile)(process.execPath, [BUILD]);
    [browser, server] = await Promise.all([launchBrowser(), serveOwnPages()]);
    visited = await visit(browser, { ...NARROW, deviceScaleFactor: 2, bypassCSP: true });
    // Until the web font is loaded, text has another width.
    await visited.page.route(/\.woff2$/, route => route.abort());
  });
  after(async () => {
    await browser?.close();
    await server?.[Symbol.asyncDispose]();
  });

  for (const { name, path, sign } of CHECKED_PAGES) {
    const open = async (size: { width: number; height: number }) => {
      const { page } = visited;
      await page.setViewportSize(size);
      if (page.url() !== server.url + path) await page.goto(server.url + path);
      await page.locator(sign).first().waitFor();
      // Some parts measure themselves after they have their width.
      await page.evaluate(
        () => new Promise<void>(done => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
      );
      return page;
    };

    it(`${name} does not scroll sideways, and cuts no control off`, async () => {
      for (const size of [NARROW.viewport, ...SIZES])
        assert.deepEqual(await overflowOf(await open(size)), { sideways: 0, cut: [] }, `${size.width} px`);
    });

    it(`${name} has no barrier that axe finds: on a phone, zoomed and wide, in light and dark`, async () => {
      for (const size of SIZES) await assertAccessible(await open(size));
    });
  }

  it("shows the times of a monitor beside its bars", async () => {
    await using visited = await visit(browser, NARROW);
    await visited.page.goto(`${server.url}/monitors`);
    const row = visited.page.locator(".monitor-row").first();
    const [bars, times] = [
      await row.locator(".check-bars").boundingBox(),
      await row.locator(".monitor-times").boundingBox(),
    ];
    assert.ok(bars && times);
    assert.ok(bars.y + bars.height <= times.y || bars.x + bars.width <= times.x);
  });

  it("leaves room for the screenshots in the review of a zoomed page", async () => {
    await using visited = await visit(browser, ZOOMED);
    await visited.page.goto(`${server.url}/review/run_01k8z4m2q7?shot=scr_1_price&mode=side`);
    const stage = await visited.page.locator(".stage").boundingBox();
    assert.ok(stage && stage.height >= 300, `${stage?.height} px`);
    await visited.page.getByRole("button", { name: "Approve" }).click({ trial: true });
    assert.deepEqual(await overflowOf(visited.page), { sideways: 0, cut: [] });
  });

  it("needs no horizontal scrolling in the report and its viewer, and cuts off no control", async () => {
    const folder = await mkdtemp(join(tmpdir(), "vrs-narrow-"));
    try {
      const file = join(folder, "report.html");
      await writeFile(file, renderReport(await sampleReport(inline)));
      await using visited = await visit(browser, NARROW);
      await visited.page.goto(pathToFileURL(file).href);
      assert.deepEqual(await overflowOf(visited.page), { sideways: 0, cut: [] });
      await visited.page.locator(".card-open").first().click();
      await visited.page.locator(".tools button").first().waitFor();
      assert.deepEqual(await overflowOf(visited.page), { sideways: 0, cut: [] });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
