import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { findBrowser } from "../../../shared/capture/browser/browser-binary.ts";
import { ScreenshotsTestContext } from "../../support/contexts/screenshots-context.ts";
import { BROWSER_CACHE } from "../../support/drivers/runner.ts";
import { Vrs } from "../../support/drivers/vrs.ts";

const ROOT = join(import.meta.dirname, "../../..");
const MODULES = join(ROOT, "node_modules");
const VRS = join(ROOT, "cli/playwright/index.ts");

const CONFIG = `
import { defineConfig } from "playwright/test";
import { withVrs } from ${JSON.stringify(VRS)};
const launchOptions = { ...JSON.parse(process.env.BROWSER), args: ["--no-sandbox"] };
const settings = { project: "acme/shop", ...JSON.parse(process.env.SETTINGS) };
export default withVrs(defineConfig({
  testDir: "tests",
  workers: 1,
  retries: 1,
  reporter: "line",
  fullyParallel: true,
  use: { launchOptions, trace: "on-first-retry" },
  projects: [
    { name: "chromium" },
    { name: "Mobile Chrome", use: { viewport: { width: 390, height: 600 } } },
  ],
}), settings);`;

/** Calls nothing of vrs. Its first attempt has another color, and fails. */
const SHOP = `
import { expect, test } from "playwright/test";
test("home page", { tag: "@smoke" }, async ({ page }) => {
  const isFirst = test.info().retry === 0 && process.env.FLAKY === "1";
  if (process.env.FLAKY === "1") console.log("attempt of", process.env.COLOR);
  await page.setContent(\`<body style="background:\${isFirst ? "red" : process.env.COLOR}"><h1>Shop</h1>\`);
  await expect(page).toHaveScreenshot();
  await expect(page.locator("h1")).toHaveScreenshot(["menu", "title.png"]);
  expect(isFirst).toBe(false);
});`;

const CART = `
import { expect, test } from "playwright/test";
import { vrsScreenshot } from ${JSON.stringify(VRS)};
test.describe("cart", () => {
  test("keeps the page as it was", async ({ page }) => {
    await page.setContent(\`
      <style>@keyframes turn { to { rotate: 1turn } } i { animation: turn 1s infinite; display: block; width: 20px; height: 20px; background: green }</style>
      <i></i><p id="random">\${Math.random()}</p><p id="ad">\${Math.random()}</p><div style="height: 2000px">Cart</div>
      <script>window.scrolls = 0; for (const type of ["scroll", "resize"]) addEventListener(type, () => scrolls++);</script>\`);
    await page.evaluate(() => scrollTo(0, 30));
    await page.waitForTimeout(100);
    const read = () => page.evaluate(() => ({
      html: document.documentElement.outerHTML, sheets: document.adoptedStyleSheets.length, scrolls,
      size: [innerWidth, innerHeight, scrollY], symbols: Object.getOwnPropertySymbols(globalThis).filter(each => String(each).includes("vrs")).length,
    }));
    const before = await read();
    await vrsScreenshot(page, "Cart/full", { fullPage: true, masks: ["#random"], hide: ["#ad"], threshold: 0.2 });
    await vrsScreenshot(page, "Cart/icon", { element: page.locator("i"), padding: 4 });
    await vrsScreenshot(page, "Cart/window", { masks: ["p"] });
    expect(await read()).toEqual(before);
    const turned = () => page.evaluate(() => document.getAnimations()[0].currentTime);
    expect(await page.evaluate(() => document.getAnimations()[0].playState)).toBe("running");
    const time = await turned();
    await expect.poll(turned).not.toBe(time);
  });
});`;

interface Ended {
  code: number;
  out: string;
}

describe("vrs/playwright in Playwright's own runner", function () {
  this.timeout(300_000);
  let service: Vrs;
  let context: ScreenshotsTestContext;
  before(async () => {
    [service, context] = await Promise.all([Vrs.start(), ScreenshotsTestContext.start()]);
    await context.git("remote", "add", "origin", "git@code.example:acme/shop.git");
    await context.write(".gitignore", "node_modules\ntest-results\n");
    await symlink(MODULES, join(context.root, "node_modules"));
    await context.write("playwright.config.mjs", CONFIG);
    await context.write("tests/shop.spec.mjs", SHOP);
    await context.write("tests/cart.spec.mjs", CART);
    await context.commit();
  });
  after(async () => {
    await Promise.all([service?.stop(), context?.stop()]);
  });

  /** Runs the tests in CI. */
  async function test(
    args: string[],
    settings: object = {},
    env: Record<string, string> = {},
  ): Promise<Ended> {
    const browser = await findBrowser({
      chromiumPath: process.env.CHROMIUM_PATH ?? null,
      cacheDir: BROWSER_CACHE,
    });
    const variables = {
      ...process.env,
      ...{ SERVICE_API_URL: service.baseUrl, SERVICE_API_KEY: service.key },
      ...{ BROWSER: JSON.stringify(browser), SETTINGS: JSON.stringify(settings), COLOR: "#08f", CI: "1" },
      ...env,
    };
    const command = [join(MODULES, "playwright/cli.js"), "test", ...args];
    return await new Promise(resolve => {
      execFile(process.execPath, command, { cwd: context.root, env: variables }, (error, out, err) => {
        resolve({ code: typeof error?.code === "number" ? error.code : 0, out: out + err });
      });
    });
  }

  const runOf = (out: string) => /\brun_\w+/.exec(out)?.[0] ?? assert.fail(out);

  it("uploads screenshots of unchanged tests and of vrsScreenshot, with the last attempt's", async () => {
    const first = await test([], {}, { FLAKY: "1" });
    assert.equal(first.code, 0, first.out);
    assert.match(first.out, /4 screenshots of retried tests/);
    assert.match(first.out, /\+ new: 10 new/);
    const shots = await service.client().listScreenshots(runOf(first.out));
    assert.deepEqual(
      shots.map(({ route, environment, viewport }) => [route, environment, viewport].join(" ")).sort(),
      [
        "Cart/full Mobile-Chrome 390",
        "Cart/full chromium 1280",
        "Cart/icon Mobile-Chrome 390",
        "Cart/icon chromium 1280",
        "Cart/window Mobile-Chrome 390",
        "Cart/window chromium 1280",
        "shop.spec.mjs/home-page-1 Mobile-Chrome 390",
        "shop.spec.mjs/home-page-1 chromium 1280",
        "shop.spec.mjs/menu/title Mobile-Chrome 390",
        "shop.spec.mjs/menu/title chromium 1280",
      ],
    );
    assert.deepEqual(
      shots.map(({ upload }) => upload?.note).filter(note => note !== undefined),
      [],
    );
    const {
      line: _line,
      attachments = [],
      ...upload
    } = shots.find(({ route }) => route.includes("home-page"))?.upload ?? {};
    assert.deepEqual(upload, {
      ...{ testFile: "tests/shop.spec.mjs", titlePath: ["home page"], retry: 1, tags: ["@smoke"] },
    });
    assert.match(first.out, /new images uploaded \(.+\), 3 attachments/);
    const names = attachments.map(({ name, kind }) => `${name} ${kind}`);
    assert.deepEqual(names, [
      "trace (attempt 2) zip",
      "console (attempt 2) text",
      "console (attempt 1) text",
    ]);
    const printed = attachments.find(({ name }) => name === "console (attempt 2)")?.url ?? "";
    assert.equal(await (await fetch(printed)).text(), "attempt of #08f\n");
    await service.client().approve(runOf(first.out));
    // The first attempt had another color.
    const second = await test([]);
    assert.match(second.out, /✓ passed: 10 unchanged/, second.out);
    assert.equal(second.code, 0);
    assert.equal(await context.git("status", "--porcelain"), "");
  });

  it("uploads four shards into one build, and fails for changes on request", async () => {
    const settings = { nonce: "ci-7", failOnChanges: true };
    const shard = (index: number) => test([`--shard=${index}/4`], settings, { COLOR: "#f80" });
    const first = await Promise.all([1, 2, 3].map(shard));
    for (const { code, out } of first) {
      assert.match(out, /[123] of 4 shards are complete/);
      assert.equal(code, 0, out);
    }
    const last = await shard(4);
    assert.match(last.out, /± changed: 4 changed, 6 unchanged/);
    assert.equal(last.code, 1);
    assert.deepEqual(new Set(first.map(({ out }) => runOf(out))), new Set([runOf(last.out)]));
  });

  it("reports nothing as removed after a failed test", async () => {
    const { code, out } = await test(["--retries=0"], {}, { FLAKY: "1", COLOR: "red" });
    assert.equal(code, 1);
    assert.match(out, /some tests failed/);
    assert.doesNotMatch(out, /removed:|\d removed/);
  });

  it("keeps the result of the tests if the upload fails, unless asked", async () => {
    const rejected = { SERVICE_API_KEY: "vrs_wrong" };
    const kept = await test(["--grep=home", "--project=chromium"], {}, rejected);
    assert.match(kept.out, /rejected the API key/);
    assert.equal(kept.code, 0, kept.out);
    const failed = await test(["--grep=home", "--project=chromium"], { failOnError: true }, rejected);
    assert.equal(failed.code, 1);
  });

  it("changes nothing outside of CI", async () => {
    const { code, out } = await test(["--grep=home", "--project=chromium"], {}, { CI: "" });
    assert.equal(code, 1);
    assert.doesNotMatch(out, /vrs:/);
    assert.match(await context.git("status", "--porcelain"), /shop\.spec\.mjs-snapshots/);
  });
});
