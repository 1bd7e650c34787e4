import assert from "node:assert/strict";
import { type Browser, chromium, devices, type Page } from "playwright";
import sharp from "sharp";
import { withWholePage } from "../../../shared/capture/browser/browser-args.ts";
import { findBrowser } from "../../../shared/capture/browser/browser-binary.ts";
import { type CaptureTarget, captureStable } from "../../../shared/capture/page/capture-test-page.ts";
import { BROWSER_CACHE } from "../../support/drivers/runner.ts";

const TARGET: CaptureTarget = {
  ...{ name: "Home", element: null, paddingPx: 0, fullPage: false, masks: [], hide: [] },
  timeoutMs: 1_000,
};

describe("captures of a page that a test controls", () => {
  let browser: Browser;
  /** Without the argument that \`withVrs\` adds. */
  let clipping: Browser;
  before(async () => {
    const found = await findBrowser({
      chromiumPath: process.env.CHROMIUM_PATH ?? null,
      cacheDir: BROWSER_CACHE,
    });
    [browser, clipping] = await Promise.all([
      chromium.launch({ ...found, args: withWholePage(["--no-sandbox"]) }),
      chromium.launch({ ...found, args: ["--no-sandbox"] }),
    ]);
  });
  after(async () => {
    await Promise.all([browser?.close(), clipping?.close()]);
  });

  async function open(
    html: string,
    device: Parameters<Browser["newPage"]>[0] = {},
    of = browser,
  ): Promise<Page> {
    const page = await of.newPage(device);
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
    const { image: png } = await captureStable(page, { ...TARGET, element, paddingPx: 4 });
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
    const [shownWidth] = await sizeOf((await captureStable(page, TARGET)).image);
    assert.equal(shownWidth, Math.round(width * (before[2] ?? 1)));
    assert.ok(height > 0);
    assert.deepEqual(await page.evaluate(() => [innerWidth, innerHeight, devicePixelRatio]), before);
    await page.close();
  });

  /** Returns a tall page that notes what it can observe of a capture. */
  const observing = `<meta name="viewport" content="width=device-width"><body style="margin:0">
    <div style="height:3000px"></div><p style="margin:0;width:50px;height:20px;background:red"><script>
      window.events = [];
      for (const target of [window, visualViewport, screen.orientation])
        for (const type of ["resize", "change", "scroll"]) target.addEventListener(type, () => events.push(type));
      matchMedia("(max-width: 100px)").addEventListener("change", () => events.push("media"));
      new ResizeObserver(() => events.push("observed")).observe(document.body);
      window.facts = () => [innerWidth, innerHeight, devicePixelRatio, screen.width, screen.height, screen.orientation.type];
    </script>`;
  /** Lets a new page get the events of its first sizes, and forgets them. */
  async function settled(page: Page): Promise<unknown> {
    await page.waitForTimeout(300);
    return await page.evaluate("events.length = 0; facts()");
  }

  const devicesToTry: Record<string, { deviceScaleFactor?: number }> = {
    ...{ "the window": {}, "a sharp window": { deviceScaleFactor: 2 }, "a phone": devices["Pixel 7"] },
    "a phone on its side": devices["Pixel 7 landscape"],
  };
  for (const [name, device] of Object.entries(devicesToTry))
    it(`show ${name} nothing of a capture beyond the window`, async () => {
      const page = await open(observing, device);
      const facts = await settled(page);
      const { image, note } = await captureStable(page, { ...TARGET, fullPage: true, masks: ["div"] });
      const { deviceScaleFactor = 1 } = device;
      assert.equal(note, null);
      assert.equal((await sizeOf(image))[1], Math.round(3020 * deviceScaleFactor));
      const red = await captureStable(page, { ...TARGET, element: page.locator("p") });
      assert.deepEqual([...(await sharp(red.image).raw().toBuffer()).subarray(0, 3)], [255, 0, 0]);
      await page.waitForTimeout(300);
      assert.deepEqual(await page.evaluate("events"), []);
      assert.deepEqual(await page.evaluate("facts()"), facts);
      // The test can go on to resize it, and capture again.
      await page.setViewportSize({ width: 500, height: 400 });
      await page.waitForFunction("innerWidth === 500 && events.length > 0");
      const resized = await settled(page);
      const { image: window } = await captureStable(page, TARGET);
      assert.deepEqual(
        await sizeOf(window),
        [500, 400].map(px => Math.round(px * deviceScaleFactor)),
      );
      await page.waitForTimeout(300);
      assert.deepEqual([await page.evaluate("events"), await page.evaluate("facts()")], [[], resized]);
      await page.close();
    });

  it("tell when the browser had to resize the page", async () => {
    const page = await open(observing, {}, clipping);
    // The first capture of a new page comes with events of its first size.
    await page.screenshot({ fullPage: true });
    await settled(page);
    assert.equal((await captureStable(page, { ...TARGET, masks: ["div"] })).note, null);
    await page.waitForTimeout(300);
    assert.deepEqual(await page.evaluate("events"), []);
    const { image, note } = await captureStable(page, { ...TARGET, fullPage: true });
    assert.match(note ?? "", /^Playwright's own screenshot\. The page got a resize event/);
    assert.deepEqual(await sizeOf(image), [1280, 3020]);
    await page.waitForFunction("events.includes('resize')");
    await page.close();
  });

  it("are Playwright's own in browsers without the DevTools protocol", async () => {
    const page = await open(observing);
    const type = browser.browserType();
    const name = type.name.bind(type);
    type.name = () => "webkit";
    try {
      const { image, note } = await captureStable(page, { ...TARGET, element: page.locator("p") });
      assert.equal(note, "Playwright's own screenshot, because vrs doesn't capture WebKit itself.");
      assert.deepEqual(await sizeOf(image), [50, 20]);
    } finally {
      type.name = name;
    }
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
    assert.deepEqual(await sizeOf((await captureStable(page, TARGET)).image), [1280, 720]);
    await page.close();
  });
});
