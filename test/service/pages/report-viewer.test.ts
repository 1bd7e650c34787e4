import assert from "node:assert/strict";
import type { Browser, BrowserContextOptions, Page } from "playwright";
import type { ReportModel } from "../../../shared/report/report-model.ts";
import {
  launchBrowser,
  type Visit,
  viewerShows,
  visit,
} from "../../support/drivers/browser/report-browser.ts";
import { report, sampleReport, screenshot } from "../../support/fixtures/report-sample.ts";
import { type ReportSite, serveReport } from "../../support/fixtures/sites/report-site.ts";

describe("the report's viewer", () => {
  let browser: Browser;
  let current: Visit;
  let page: Page;
  const images = new Map<string, Buffer>();
  let sample: ReportModel;
  let site: ReportSite;

  before(async () => {
    browser = await launchBrowser();
    sample = await sampleReport((png, name) => {
      images.set(`/images/${name}`, png);
      return `/images/${name}`;
    });
    site = await serveReport(sample, images);
  });

  after(async () => {
    await site?.[Symbol.asyncDispose]();
    await browser?.close();
  });

  beforeEach(async () => open());

  afterEach(async () => current[Symbol.asyncDispose]());

  async function open(options?: BrowserContextOptions): Promise<void> {
    await current?.[Symbol.asyncDispose]();
    current = await visit(browser, options);
    page = current.page;
  }

  const zoom = async () => Number.parseInt((await page.locator("#zoom").textContent()) ?? "", 10);
  const transforms = () =>
    page.locator(".page-sheet").evaluateAll(sheets => sheets.map(sheet => getComputedStyle(sheet).transform));
  /** Returns the sides with visible pixels, by pane. */
  const shown = () =>
    page.locator(".pane:visible").evaluateAll(panes =>
      panes.map(pane =>
        [...pane.querySelectorAll(".layer")]
          .filter(layer => layer.checkVisibility())
          .map(layer => layer.getAttribute("data-side"))
          .join("+"),
      ),
    );

  it("opens every mode by its key, and keeps the URL a link to it", async () => {
    await page.goto(`${site.url}#scr_price/side`);
    const modes = [
      { key: "1", mode: "side", sides: ["baseline", "current"] },
      { key: "2", mode: "swipe", sides: ["baseline+current"] },
      { key: "3", mode: "overlay", sides: ["baseline+current"] },
      { key: "4", mode: "baseline", sides: ["baseline"] },
      { key: "5", mode: "new", sides: ["current"] },
      { key: "6", mode: "blink", sides: ["baseline+current"] },
    ];
    for (const { key, mode, sides } of modes) {
      await page.keyboard.press(key);
      assert.deepEqual(await shown(), sides, mode);
      assert.equal(await page.evaluate(() => location.hash), `#scr_price/${mode}`);
      assert.equal(await page.locator(`[data-act="${mode}"]`).getAttribute("aria-pressed"), "true");
      assert.equal(await page.locator('[data-mode][aria-pressed="true"]').count(), 1);
    }
    await page.waitForFunction(
      () => document.querySelector<HTMLElement>("#stage")?.dataset.blink === "baseline",
    );
    assert.deepEqual(current.complaints, []);
  });

  it("toggles mask and outline, steps through the regions, zooms, and moves both sides together", async () => {
    await page.goto(`${site.url}#scr_home_375/side`);
    assert.equal(await page.locator("#region-place").textContent(), "Region 1 of 2");
    const first = await transforms();
    await page.keyboard.press("j");
    assert.equal(await page.locator("#region-place").textContent(), "Region 2 of 2");
    assert.notDeepEqual(await transforms(), first);
    await page.keyboard.press("k");
    assert.deepEqual(await transforms(), first);

    assert.equal(await page.locator(".mask:visible").count(), 0);
    await page.keyboard.press("d");
    assert.equal(await page.locator(".mask:visible").count(), 2);
    assert.equal(await page.locator(".outlines:visible").count(), 2);
    await page.keyboard.press("h");
    assert.equal(await page.locator(".outlines:visible").count(), 0);

    await page.keyboard.press("Space");
    assert.ok((await zoom()) < 25, "a page of 4,380 px does not fit at more");
    await page.keyboard.press("0");
    assert.equal(await zoom(), 100);
    await page.keyboard.press("+");
    assert.equal(await zoom(), 125);
    await page.keyboard.press("-");
    assert.equal(await zoom(), 100);

    const port = page.locator(".port").first();
    await port.hover();
    const before = await transforms();
    await page.mouse.down();
    await page.mouse.move(200, 300);
    await page.mouse.up();
    const [left, right] = await transforms();
    assert.notEqual(left, before[0]);
    assert.equal(left, right);
  });

  it("opens at the page's full width, keeps the actual size once chosen, and resets other zooms", async () => {
    const isAcross = () =>
      page.locator(".pane:first-child").evaluate(pane => {
        const [sheet, port] = [".page-sheet", ".port"].map(part =>
          pane.querySelector(part)?.getBoundingClientRect(),
        );
        return sheet && port && Math.abs(sheet.width - port.width) < 1;
      });
    await page.goto(`${site.url}#scr_home_1280/side`);
    assert.ok(await isAcross());
    assert.ok((await zoom()) < 60);
    await page.keyboard.press("5");
    assert.ok(await isAcross(), "in the one pane as well");
    await page.keyboard.press("1");
    await page.setViewportSize({ width: 1000, height: 800 });
    await page.waitForFunction(
      () => Number.parseInt(document.querySelector("#zoom")?.textContent ?? "", 10) < 40,
    );
    assert.ok(await isAcross(), "and as wide as the window is");

    await page.keyboard.press("+");
    const chosen = await zoom();
    await page.keyboard.press("j");
    assert.equal(await zoom(), chosen);
    await page.keyboard.press("ArrowDown");
    assert.ok(await isAcross());
    await page.keyboard.press("0");
    await page.keyboard.press("ArrowDown");
    assert.equal(await zoom(), 100);
    await page.keyboard.press("Space");
    await page.keyboard.press("ArrowDown");
    assert.ok(await isAcross());
  });

  it("folds the details before it closes, and when something else is pressed", async () => {
    await page.goto(`${site.url}#scr_price/side`);
    const details = page.locator(".viewer-facts");
    const isOpen = async () => (await details.getAttribute("open")) !== null;
    for (const leave of [() => page.keyboard.press("Escape"), () => page.locator("#viewer-title").click()]) {
      await details.locator("summary").click();
      assert.ok(await isOpen());
      await leave();
      assert.ok(!(await isOpen()));
      assert.ok(await page.locator("#viewer").isVisible());
    }
    await page.keyboard.press("Escape");
    await page.locator("#viewer").waitFor({ state: "hidden" });
  });

  it("zooms around two fingers", async () => {
    await open({ hasTouch: true, viewport: { width: 360, height: 740 } });
    await page.goto(`${site.url}#scr_home_375/new`);
    await viewerShows(page, "/ · 375 px");
    const before = await zoom();
    const devtools = await page.context().newCDPSession(page);
    const touch = (type: "touchStart" | "touchMove" | "touchEnd", spread: number | null) => {
      const y = 300;
      const touchPoints =
        spread === null
          ? []
          : [
              { id: 0, x: 160 - spread, y },
              { id: 1, x: 160 + spread, y },
            ];
      return devtools.send("Input.dispatchTouchEvent", { type, touchPoints });
    };
    await touch("touchStart", 30);
    await touch("touchMove", 60);
    await touch("touchEnd", null);
    assert.equal(await zoom(), 2 * before);
  });

  it("steps through the screenshots in list order, and returns to the current card", async () => {
    await page.goto(`${site.url}#scr_home_1280/side`);
    assert.equal(await page.locator("#viewer-place").textContent(), `1 of ${sample.screenshots.length}`);
    await page.keyboard.press("ArrowUp");
    assert.equal(await page.locator("#toast").textContent(), "This is the first screenshot.");
    await page.keyboard.press("ArrowDown");
    await viewerShows(page, "/about · 1280 px");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await viewerShows(page, "/pricing · 1280 px");
    await page.keyboard.press("Escape");
    assert.equal(await page.locator("#viewer").isVisible(), false);
    assert.equal(await page.evaluate(() => location.hash), "");
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("href")), "#scr_price/side");
    await page.keyboard.press("Enter");
    await viewerShows(page, "/pricing · 1280 px");
    await page.goBack();
    await page.locator("#viewer").waitFor({ state: "hidden" });
  });

  it("moves between the sides with the arrow keys, as the mode shows them", async () => {
    await page.goto(`${site.url}#scr_price/swipe`);
    const blend = async () => Number(await page.locator("#blend").inputValue());
    const clip = () =>
      page
        .locator('.pane:first-child .layer[data-side="current"]')
        .evaluate(layer => getComputedStyle(layer).clipPath);
    const middle = await clip();
    await page.keyboard.press("ArrowRight");
    assert.equal(await blend(), 55);
    assert.notEqual(await clip(), middle);
    await page.keyboard.press("1");
    await page.keyboard.press("ArrowLeft");
    assert.deepEqual(await shown(), ["baseline"]);
    await page.keyboard.press("ArrowRight");
    assert.deepEqual(await shown(), ["current"]);
  });

  it("doesn't blink with reduced motion", async () => {
    await open({ reducedMotion: "reduce" });
    await page.clock.install();
    await page.goto(`${site.url}#scr_price/blink`);
    await page.clock.runFor(5000);
    assert.deepEqual(await page.locator("#stage").getAttribute("data-blink"), "new");
    await page.keyboard.press("ArrowLeft");
    assert.deepEqual(await page.locator("#stage").getAttribute("data-blink"), "baseline");
  });

  it("copies a link that opens the same view", async () => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto(`${site.url}#scr_team/side`);
    await page.keyboard.press("3");
    await page.keyboard.press("c");
    await page.locator("#toast", { hasText: "Link copied." }).waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), `${site.url}#scr_team/overlay`);
  });

  it("hatches the area that one side lacks, and offers only the supported modes", async () => {
    await page.goto(`${site.url}#scr_team/baseline`);
    const missing = page.locator('.pane:first-child .layer[data-side="baseline"] .missing');
    assert.deepEqual(await missing.evaluateAll(strips => strips.map(strip => strip.clientHeight)), [180]);
    await page.goto(`${site.url}#scr_new/side`);
    await viewerShows(page, "/gifts · 375 px");
    assert.deepEqual(await shown(), ["current"]);
    assert.equal(await page.locator("[data-mode]:enabled").count(), 1);
    assert.ok(await page.getByRole("button", { name: "Mask" }).isDisabled());
    assert.ok(await page.getByRole("button", { name: "Outline" }).isDisabled());
    await page.goto(`${site.url}#scr_failed/side`);
    await viewerShows(page, "/checkout · 1280 px");
    assert.match((await page.locator("#stage").textContent()) ?? "", /502 Bad Gateway/);
    assert.deepEqual(current.complaints, []);
  });

  it("hatches the ignore regions with their hidden pixels while outlines are on", async () => {
    const { images: own } = sample.screenshots.find(({ id }) => id === "scr_price") ?? {};
    assert(own);
    const region = { x: 40, y: 0, width: 300, height: 80, pixels: 1234 };
    const ignored = { pixels: region.pixels, regions: [region] };
    const ignoring = await serveReport(report([screenshot({ id: "s", images: own, ignored })]), images);
    try {
      await page.goto(`${ignoring.url}#s/side`);
      const hatched = page.locator(".pane:first-child .ignored");
      await hatched.waitFor();
      assert.equal(await hatched.textContent(), "1,234 px ignored");
      assert.deepEqual(
        await hatched.evaluate((element: HTMLElement) => [
          element.offsetLeft,
          element.clientWidth,
          element.clientHeight,
        ]),
        [40, 300, 80],
      );
      await page.getByText("1 ignore region hides 1,234 changed pixels.").last().waitFor();
      await page.keyboard.press("h");
      assert(!(await hatched.isVisible()));
      assert.deepEqual(current.complaints, []);
    } finally {
      await ignoring[Symbol.asyncDispose]();
    }
  });

  it("reports an image that is no longer stored", async () => {
    const gone = { current: "/images/gone.png", baseline: null, diff: null };
    const lost = await serveReport(report([screenshot({ id: "s", images: gone })]), new Map());
    try {
      await page.goto(`${lost.url}#s/new`);
      await page.locator(".pane:first-child .lost", { hasText: "was deleted" }).waitFor();
    } finally {
      await lost[Symbol.asyncDispose]();
    }
  });

  it("retries an image that failed to load, at once when the network is back", async () => {
    for (const answer of ["503", "away"]) {
      await open();
      const lost = page.locator('.pane:first-child [data-side="current"] .lost');
      await page.route("**/images/**", route =>
        answer === "503" ? route.fulfill({ status: 503 }) : route.abort(),
      );
      await page.goto(`${site.url}#scr_price/new`);
      await lost.filter({ hasText: "failed to load this image. Retrying" }).waitFor();
      assert.equal(await page.locator(".minimap image:visible").count(), 0, "no sign of the browser's own");
      await page.unroute("**/images/**");
      await page.evaluate(() => dispatchEvent(new Event("online")));
      await page.locator('.pane:first-child [data-side="current"] img:visible').waitFor();
      await lost.waitFor({ state: "detached" });
      await page.locator(".minimap image:visible").waitFor();
    }
  });

  it("retries after a pause", async () => {
    let asked = 0;
    await page.route("**/images/**", route => (asked++ < 8 ? route.abort() : route.continue()));
    await page.goto(`${site.url}#scr_price/new`);
    await page.locator('.pane:first-child [data-side="current"] img:visible').waitFor();
    await page.locator(".minimap image:visible").waitFor();
    assert.ok(asked > 8);
  });
});
