import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { findBrowser } from "../../../shared/capture/browser/browser-binary.ts";
import { ReviewServerTestContext } from "../../support/contexts/review-server-context.ts";
import { BROWSER_CACHE } from "../../support/drivers/runner.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { installFramework } from "../../support/tools/frameworks.ts";

const VRS = JSON.stringify(join(import.meta.dirname, "../../../cli/vitest/index.ts"));

const CONFIG = `
import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";
import { vrs } from ${VRS};
const launchOptions = { ...JSON.parse(process.env.BROWSER), args: ["--no-sandbox"] };
export default defineConfig({
  plugins: [vrs({ project: "acme/shop", failOnChanges: true })],
  cacheDir: ".vite",
  test: {
    include: ["src/*.test.ts"],
    retry: 1,
    env: { COLOR: process.env.COLOR },
    browser: { enabled: true, headless: true, screenshotFailures: false, provider: playwright({ launchOptions }), instances: [{ browser: "chromium" }] },
  },
});`;

const TEST = `
import { expect, test } from "vitest";
import { commands, page } from "vitest/browser";
test("button", async () => {
  document.body.innerHTML = \`<style>@keyframes t { to { rotate: 1turn } } i { display: inline-block; animation: t 1s infinite }</style>
    <button style="width:120px;height:40px;background:\${import.meta.env.COLOR};border:0">Buy</button><i>x</i><p>\${Math.random()}</p>\`;
  await commands.vrsScreenshot("Button/primary", { element: page.getByRole("button").selector, threshold: 0 });
  await commands.vrsScreenshot("Page", { masks: ["p"], environment: "chrome" });
  if (import.meta.env.COLOR === "invalid") await expect(commands.vrsScreenshot("../x")).rejects.toThrow("must not contain");
});
// It calls nothing of vrs.
test("has a title", async () => {
  document.body.innerHTML = \`<h1 style="width:200px;background:\${import.meta.env.COLOR}">Shop</h1>\`;
  await expect(page.getByRole("heading")).toMatchScreenshot("title");
  await expect(page.getByRole("heading")).toMatchScreenshot({ comparatorName: "pixelmatch", comparatorOptions: { allowedMismatchedPixelRatio: 0, threshold: 0.2 } });
  await expect(document.body).toMatchScreenshot("parts/body.png");
});`;

const WORKSPACE = `
import { join } from "node:path";
import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";
import { vrs } from ${VRS};
const launchOptions = { ...JSON.parse(process.env.BROWSER), args: ["--no-sandbox"] };
const project = (name, ...browsers) => ({
  root: join(import.meta.dirname, "packages", name),
  plugins: [vrs({ project: "acme/workspace" })],
  cacheDir: ".vite",
  test: {
    name,
    include: ["src/*.test.ts"],
    browser: { enabled: true, headless: true, screenshotFailures: false, provider: playwright({ launchOptions }), instances: browsers.map(browser => ({ browser })) },
  },
});
export default defineConfig({
  test: { projects: [project("a", "chromium"), project("b", "chromium", "firefox")] },
});`;

const TEST_OF_PROJECT = `
import { expect, test } from "vitest";
import { commands, page } from "vitest/browser";
test("title", async () => {
  document.body.innerHTML = "<h1>Shop</h1>";
  await expect(page.getByRole("heading")).toMatchScreenshot("title");
  await commands.vrsScreenshot("Page of NAME");
});`;

describe("vrs/vitest in Vitest's own browser mode", function () {
  this.timeout(240_000);
  let service: Vrs;
  let context: ReviewServerTestContext;
  let modules: string;
  before(async () => {
    modules = await installFramework("vitest");
    [service, context] = await Promise.all([Vrs.start(), ReviewServerTestContext.start()]);
    const { folder } = context;
    await symlink(modules, join(folder.root, "node_modules"));
    await folder.write("vitest.config.mjs", CONFIG);
    await folder.write("src/button.test.ts", TEST);
    await folder.write(".gitignore", "node_modules\n.vite\n");
    await folder.commit();
  });
  after(async () => {
    await Promise.all([service?.stop(), context?.stop()]);
  });

  async function test(
    color: string,
    env: Record<string, string>,
    { folder = "", options = [] }: { folder?: string; options?: string[] } = {},
  ): Promise<{ code: number; out: string }> {
    const cacheDir = BROWSER_CACHE;
    const browser = await findBrowser({ chromiumPath: process.env.CHROMIUM_PATH ?? null, cacheDir });
    const variables = { ...process.env, BROWSER: JSON.stringify(browser), COLOR: color, ...env };
    const args = [join(modules, "vitest/vitest.mjs"), "run", ...options];
    const cwd = join(context.folder.root, folder);
    return await new Promise(resolve => {
      execFile(process.execPath, args, { cwd, env: variables }, (error, out, err) =>
        resolve({ code: typeof error?.code === "number" ? error.code : 0, out: out + err }),
      );
    });
  }

  it("sends screenshots to vrs dev", async () => {
    const { code, out } = await test("#08f", { CI: "" });
    assert.equal(code, 0, out);
    assert.ok(out.includes(`the screenshots are at ${context.url}`), out);
    const end = performance.now() + 10_000;
    while (!context.terminal.errors.includes("5 new")) {
      assert.ok(performance.now() < end, context.terminal.errors);
      await new Promise(resolve => setTimeout(resolve, 50));
    }
    await context.interrupt();
  });

  it("uploads them in CI, and fails the tests if they need review", async () => {
    const access = { CI: "1", SERVICE_API_URL: service.baseUrl, SERVICE_API_KEY: service.key };
    const first = await test("#08f", access);
    assert.match(first.out, /\+ new: 5 new/, first.out);
    assert.equal(first.code, 1);
    const run = /\brun_\w+/.exec(first.out)?.[0] ?? assert.fail(first.out);
    const shots = (await service.client().listScreenshots(run)).toSorted((a, b) =>
      a.route < b.route ? -1 : 1,
    );
    assert.deepEqual(
      shots.map(({ route, environment, width, height, upload }) => [
        route,
        environment,
        width,
        height,
        upload?.testFile,
      ]),
      [
        ["Button/primary", null, 120, 40, "src/button.test.ts"],
        ["Page", "chrome", shots[1]?.width, shots[1]?.height, "src/button.test.ts"],
        ["src/button.test.ts/has a title 2", "chromium", 200, shots[2]?.height, "src/button.test.ts"],
        [
          "src/button.test.ts/parts/body",
          "chromium",
          shots[3]?.width,
          shots[3]?.height,
          "src/button.test.ts",
        ],
        ["src/button.test.ts/title", "chromium", 200, shots[4]?.height, "src/button.test.ts"],
      ],
    );
    assert.equal(await context.folder.git("status", "--porcelain"), "");
    await service.client().approve(run);
    const same = await test("#08f", access);
    assert.deepEqual([same.code, /✓ passed: 5 unchanged/.test(same.out)], [0, true], same.out);
    const invalid = await test("invalid", access);
    assert.match(invalid.out, /changed/);
    assert.equal(invalid.code, 1);
  });

  it("keeps the screenshots of several projects and browsers apart", async () => {
    const { folder } = context;
    await folder.write("workspace/vitest.config.mjs", WORKSPACE);
    for (const name of ["a", "b"])
      await folder.write(
        `workspace/packages/${name}/src/shop.test.ts`,
        TEST_OF_PROJECT.replace("NAME", name),
      );
    const access = { CI: "1", SERVICE_API_URL: service.baseUrl, SERVICE_API_KEY: service.key };
    // Tests have only Chromium. The second project still has two browsers.
    const { out } = await test("", access, { folder: "workspace", options: ["--browser=chromium"] });
    const run = /\brun_\w+/.exec(out)?.[0] ?? assert.fail(out);
    const shots = await service.client().listScreenshots(run);
    assert.deepEqual(
      shots
        .map(({ route, environment, upload }) => [route, environment, upload?.testFile])
        .sort(([one = ""], [other = ""]) => (String(one) < String(other) ? -1 : 1)),
      [
        ["Page of a", null, "packages/a/src/shop.test.ts"],
        ["Page of b", "chromium", "packages/b/src/shop.test.ts"],
        ["packages/a/src/shop.test.ts/title", "chromium", "packages/a/src/shop.test.ts"],
        ["packages/b/src/shop.test.ts/title", "chromium", "packages/b/src/shop.test.ts"],
      ],
    );
  });
});
