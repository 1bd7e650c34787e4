import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { findBrowser } from "../../../shared/capture/browser/browser-binary.ts";
import { ScreenshotsTestContext } from "../../support/contexts/screenshots-context.ts";
import { BROWSER_CACHE } from "../../support/drivers/runner.ts";

const run = promisify(execFile);
const MODULES = join(import.meta.dirname, "../../../node_modules");

const CONFIG = `
import { defineConfig } from "playwright/test";
const launchOptions = { ...JSON.parse(process.env.BROWSER), args: ["--no-sandbox"] };
export default defineConfig({
  testDir: "tests",
  workers: 1,
  projects: [
    { name: "chromium", use: { launchOptions } },
    { name: "Mobile Chrome", use: { launchOptions, viewport: { width: 390, height: 600 } } },
  ],
});`;

const SPEC = `
import { expect, test } from "playwright/test";
test("home page", async ({ page }) => {
  await page.setContent(\`<body style="background:\${process.env.COLOR}"><h1>Shop</h1>\`);
  await expect(page).toHaveScreenshot();
  if (test.info().project.name === "chromium") await expect(page).toHaveScreenshot(["menu", "open.png"]);
});`;

describe("screenshots of Playwright's own runner", function () {
  this.timeout(180_000);
  let context: ScreenshotsTestContext;
  before(async () => {
    context = await ScreenshotsTestContext.start();
    await symlink(MODULES, join(context.root, "node_modules"));
    await context.write("playwright.config.mjs", CONFIG);
    await context.write("tests/shop.spec.mjs", SPEC);
  });
  after(() => context?.stop());

  /** Runs the tests, and writes their snapshots. */
  async function test(color: string): Promise<void> {
    const browser = await findBrowser({
      chromiumPath: process.env.CHROMIUM_PATH ?? null,
      cacheDir: BROWSER_CACHE,
    });
    const command = [join(MODULES, "playwright/cli.js"), "test", "--update-snapshots=all"];
    const env = { ...process.env, BROWSER: JSON.stringify(browser), COLOR: color, CI: "" };
    await run(process.execPath, command, { cwd: context.root, env });
  }

  it("are imported, and compared without a change of the tests", async () => {
    await test("#08f");
    const { code, out } = await context.vrs("import", "--from", "playwright", "tests", "--json");
    assert.equal(code, 0);
    const { approved } = JSON.parse(out);
    const keys = approved.map(({ route, environment, viewport }: Record<string, unknown>) =>
      [route, environment, viewport].join(" "),
    );
    assert.deepEqual(keys, [
      "shop.spec.mjs/home-page-1 Mobile-Chrome 390",
      "shop.spec.mjs/home-page-1 chromium 1280",
      "shop.spec.mjs/menu/open chromium 1280",
    ]);
    const check = () => context.check("--screenshots", "tests", "--naming", "playwright");
    await test("#08f");
    assert.equal((await check()).code, 0);
    await test("#f80");
    const changed = await check();
    assert.deepEqual([changed.code, changed.result.counts.changed], [1, 3]);
  });
});
