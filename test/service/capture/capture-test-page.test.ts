import assert from "node:assert/strict";
import { type Browser, chromium, devices, type Page } from "playwright";
import sharp from "sharp";
import { findBrowser } from "../../../shared/capture/browser/browser-binary.ts";
import { type CaptureTarget, captureStable } from "../../../shared/capture/page/capture-test-page.ts";
import { BROWSER_CACHE } from "../../support/drivers/runner.ts";

const TARGET: CaptureTarget = {
  ...{ name: "Home", element: null, paddingPx: 0, fullPage: false, masks: [], hide: [] },
  timeoutMs: 1_000,
};

describe("captures of a page that a test controls", () => {
  let browser: Browser;
  before(async () => {
    const found = await findBrowser({
      chromiumPath: process.env.CHROMIUM_PATH ?? null,
      cacheDir: BROWSER_CACHE,
    });
    browser = await chromium.launch({ ...found, args: ["--no-sandbox"] });
  });
  after(() => browser?.close());

  async function open(html: string, device: Parameters<Browser["newPage"]>[0] = {}): Promise<Page> {
    const page = await browser.newPage(device);
    await page.setContent(html);
    return page;
  }
  const sizeOf = async (png: Buffer) => {
    const { width, height } = await sharp(png).metadata();
    return [width, height];
  };
  /** Returns what a capture could leave behind. */
  const traces = (page: Page) =>
    page.evaluate(() => [
      document.adoptedStyleSheets.length,
      document.querySelectorAll("vrs-masks").length,
      Reflect.has(globalThis, Symbol.for("vrs.page")),
    ]);

  it("include elements beyond the window, with their padding", async () => {
    const page = await open(
      `<body style="margin:0"><p style="margin:3000px 0 0 9px;width:50px;height:20px;background:red">`,
    );
    const element = page.locator("p");
    const png = await captureStable(page, { ...TARGET, element, paddingPx: 4 });
    assert.deepEqual(await sizeOf(png), [58, 24]);
    const { data } = await sharp(png)
      .extract({ left: 4, top: 4, width: 1, height: 1 })
      .raw()
      .toBuffer({ resolveWithObject: true });
    assert.deepEqual([...data.subarray(0, 3)], [255, 0, 0]);
    assert.equal(await page.evaluate(() => scrollY), 0);
    await page.close();
  });

  it("have the pixels of an emulated device, and keep its window", async () => {
    const page = await open(
      `<meta name="viewport" content="width=device-width"><h1>Shop</h1>`,
      devices["Pixel 7"],
    );
    const { width = 0, height = 0 } = page.viewportSize() ?? {};
    const before = await page.evaluate(() => [innerWidth, innerHeight, devicePixelRatio]);
    const [shownWidth] = await sizeOf(await captureStable(page, TARGET));
    assert.equal(shownWidth, Math.round(width * (before[2] ?? 1)));
    assert.ok(height > 0);
    assert.deepEqual(await page.evaluate(() => [innerWidth, innerHeight, devicePixelRatio]), before);
    await page.close();
  });

  it("send the page no resize event within the window", async () => {
    const page = await open(`<div style="height:3000px"></div><script>
      window.events = [];
      for (const target of [window, visualViewport]) target.addEventListener("resize", () => events.push("resize"));
    </script>`);
    // The first capture of a new page comes with events of its first size.
    await page.screenshot({ fullPage: true });
    await page.waitForTimeout(300);
    await page.evaluate("events.length = 0");
    await captureStable(page, { ...TARGET, masks: ["div"] });
    await page.waitForTimeout(300);
    assert.deepEqual(await page.evaluate("events"), []);
    await page.setViewportSize({ width: 500, height: 500 });
    await page.waitForFunction("events.length > 0");
    await page.close();
  });

  it("fail for a page that keeps changing, and leave nothing in it", async () => {
    const page = await open(
      `<p>0</p><script>setInterval(() => document.querySelector("p").textContent++, 5)</script>`,
    );
    await assert.rejects(
      captureStable(page, TARGET),
      /keeps changing, so "Home" has no stable screenshot after 1 s/,
    );
    assert.deepEqual(await traces(page), [0, 0, false]);
    await captureStable(page, { ...TARGET, masks: ["p"] });
    assert.deepEqual(await traces(page), [0, 0, false]);
    await page.close();
  });

  it("fail for an invalid selector and an invisible element", async () => {
    const page = await open(`<p hidden>`);
    await assert.rejects(captureStable(page, { ...TARGET, masks: ["p["] }), /selector is invalid: p\[/);
    await assert.rejects(captureStable(page, { ...TARGET, element: page.locator("p") }), /is not visible/);
    assert.deepEqual(await traces(page), [0, 0, false]);
    await page.close();
  });

  it("work while the test controls the clock", async () => {
    const page = await browser.newPage();
    await page.clock.install();
    await page.setContent("<h1>Shop</h1>");
    await page.clock.pauseAt(Date.now() + 60_000);
    assert.deepEqual(await sizeOf(await captureStable(page, TARGET)), [1280, 720]);
    await page.close();
  });
});
