import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import type { Browser } from "playwright";
import { checkResultSchema } from "../../../cli/check/check-result.ts";
import { findBrowser } from "../../../shared/capture/browser/browser-binary.ts";
import { ReviewServerTestContext } from "../../support/contexts/review-server-context.ts";
import { launchBrowser, visit } from "../../support/drivers/browser/report-browser.ts";
import { BROWSER_CACHE } from "../../support/drivers/runner.ts";

const ROOT = join(import.meta.dirname, "../../..");
const VRS = JSON.stringify(join(ROOT, "cli/playwright/index.ts"));

const CONFIG = `
import { defineConfig } from "playwright/test";
import { withVrs } from ${VRS};
const launchOptions = { ...JSON.parse(process.env.BROWSER), args: ["--no-sandbox"] };
export default withVrs(defineConfig({ testDir: "tests", reporter: "line", use: { launchOptions } }));`;

const SPEC = `
import { expect, test } from "playwright/test";
import { vrsScreenshot } from ${VRS};
test("home page", async ({ page }) => {
  await page.setContent(\`<body style="background:\${process.env.COLOR}"><h1>Shop</h1>\`);
  await expect(page).toHaveScreenshot();
  await vrsScreenshot(page, "Shop/title", { element: "h1" });
});`;

describe("Playwright's own runner while vrs dev runs", function () {
  this.timeout(120_000);
  let browser: Browser;
  let context: ReviewServerTestContext;
  before(async () => {
    browser = await launchBrowser();
    context = await ReviewServerTestContext.start();
    const { folder } = context;
    await symlink(join(ROOT, "node_modules"), join(folder.root, "node_modules"));
    await folder.write("playwright.config.mjs", CONFIG);
    await folder.write("tests/shop.spec.mjs", SPEC);
  });
  after(async () => {
    await context?.stop();
    await browser?.close();
  });

  async function test(color: string): Promise<string> {
    const cacheDir = BROWSER_CACHE;
    const browser = await findBrowser({ chromiumPath: process.env.CHROMIUM_PATH ?? null, cacheDir });
    const env = { ...process.env, BROWSER: JSON.stringify(browser), COLOR: color, CI: "" };
    const args = [join(ROOT, "node_modules/playwright/cli.js"), "test"];
    return await new Promise((resolve, reject) => {
      execFile(process.execPath, args, { cwd: context.folder.root, env }, (error, out, err) =>
        error ? reject(new Error(out + err)) : resolve(out + err),
      );
    });
  }

  /** Waits for a check of the two screenshots with these statuses. */
  async function reports(...expected: string[]): Promise<void> {
    const path = join(context.folder.root, ".service/review/result.json");
    const read = async () => {
      const text = await readFile(path, "utf8").catch(() => null);
      const result = text && checkResultSchema.parse(JSON.parse(text));
      return result ? result.screenshots.map(({ status, route }) => `${status} ${route}`) : [];
    };
    const end = performance.now() + 10_000;
    while (JSON.stringify(await read()) !== JSON.stringify(expected)) {
      if (performance.now() > end) assert.deepEqual(await read(), expected);
      await new Promise(resolve => setTimeout(resolve, 50));
    }
  }

  it("sends it the screenshots, and compares them with git's baselines", async () => {
    const out = await test("#08f");
    assert.ok(out.includes(`sent 2 screenshots to ${context.url}`), out);
    await reports("new Shop/title", "new shop.spec.mjs/home-page-1");
    await using opened = await visit(browser);
    await opened.page.goto(context.url);
    await opened.page.getByRole("button", { name: "Approve all" }).click();
    await reports("unchanged Shop/title", "unchanged shop.spec.mjs/home-page-1");
    await test("#f80");
    await reports("changed Shop/title", "changed shop.spec.mjs/home-page-1");
    const { folder } = context;
    assert.doesNotMatch(await folder.git("status", "--porcelain"), /snapshots/);
  });
});
