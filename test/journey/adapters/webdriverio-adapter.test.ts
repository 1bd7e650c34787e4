import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import type { Browser } from "playwright";
import { ReviewServerTestContext } from "../../support/contexts/review-server-context.ts";
import { launchBrowser } from "../../support/drivers/browser/report-browser.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { WebdriverServer } from "../../support/fakes/webdriver-server.ts";
import { installFramework } from "../../support/tools/frameworks.ts";

const VRS = JSON.stringify(join(import.meta.dirname, "../../../cli/webdriverio/index.ts"));

const config = (port: number, settings: object, browsers = ["chromium"]) => `
import { VrsService } from ${VRS};
export const config = {
  runner: "local",
  hostname: "127.0.0.1",
  port: ${port},
  specs: ["./tests/*.mjs"],
  maxInstances: 1,
  capabilities: ${JSON.stringify(browsers)}.map(browserName => ({ browserName, "wdio:enforceWebDriverClassic": true })),
  framework: "mocha",
  logLevel: "error",
  services: [[VrsService, ${JSON.stringify(settings)}]],
};`;

const SPEC = `
describe("shop", () => {
  it("has a button", async () => {
    await browser.url("data:text/html,<style>@keyframes t{to{rotate:1turn}}i{display:inline-block;animation:t 1s infinite}</style><button>Buy</button><i>x</i><p></p><script>document.querySelector('p').textContent=Math.random()</script>");
    await browser.vrsScreenshot("Button", { element: "button" });
    await browser.vrsScreenshot("Page", { hide: ["p"], environment: "chrome", threshold: 0 });
    if ((await browser.execute("return document.querySelectorAll('style').length;")) !== 1) throw new Error("A style is left.");
  });
});`;

describe("vrs/webdriverio in WebdriverIO's own runner", function () {
  this.timeout(240_000);
  let browser: Browser;
  let service: Vrs;
  let server: WebdriverServer;
  let context: ReviewServerTestContext;
  let modules: string;
  before(async () => {
    modules = await installFramework("webdriverio");
    [browser, service, context] = await Promise.all([
      launchBrowser(),
      Vrs.start(),
      ReviewServerTestContext.start(),
    ]);
    server = await WebdriverServer.start(browser);
    const { folder } = context;
    await symlink(modules, join(folder.root, "node_modules"));
    await folder.write("package.json", JSON.stringify({ private: true, type: "module" }));
    await folder.write("wdio.conf.mjs", config(server.port, { project: "acme/shop", nonce: "ci-3" }));
    await folder.write("tests/shop.mjs", SPEC);
  });
  after(async () => {
    await server?.stop();
    await Promise.all([browser?.close(), service?.stop(), context?.stop()]);
  });

  async function test(args: string[], env: Record<string, string>): Promise<{ code: unknown; out: string }> {
    const command = [join(modules, "@wdio/cli/bin/wdio.js"), "run", "wdio.conf.mjs", ...args];
    const options = { cwd: context.folder.root, env: { ...process.env, ...env }, timeout: 120_000 };
    return await new Promise(resolve => {
      execFile(process.execPath, command, options, (error, stdout, stderr) =>
        resolve({ code: error?.code ?? 0, out: stdout + stderr }),
      );
    });
  }

  it("captures stable screenshots in its workers", async () => {
    const { code, out } = await test([], { CI: "" });
    assert.equal(code, 0, out);
    assert.ok(out.includes(`the screenshots are at ${context.url}`), out);
    const end = performance.now() + 10_000;
    while (!context.terminal.errors.includes("2 new")) {
      assert.ok(performance.now() < end, context.terminal.errors);
      await new Promise(resolve => setTimeout(resolve, 50));
    }
    await context.interrupt();
  });

  it("uploads them in CI, from shards into one build", async () => {
    await context.folder.write("tests/cart.mjs", SPEC.replaceAll('Screenshot("', 'Screenshot("Cart '));
    const access = { CI: "1", SERVICE_API_URL: service.baseUrl, SERVICE_API_KEY: service.key };
    const shards = [];
    for (const shard of ["1/2", "2/2"]) shards.push(await test([`--shard=${shard}`], access));
    const [one, two] = shards;
    assert.match(one?.out ?? "", /1 of 2 shards are complete/);
    assert.match(two?.out ?? "", /\+ new: 4 new/);
    assert.deepEqual([one?.code, two?.code], [0, 0]);
    const run = /\brun_\w+/.exec(two?.out ?? "")?.[0] ?? assert.fail(two?.out);
    const shots = await service.client().listScreenshots(run);
    assert.deepEqual(
      shots.map(({ route, environment, upload }) => [route, environment, upload?.testFile]).sort(),
      [
        ["Button", null, "tests/shop.mjs"],
        ["Cart Button", null, "tests/cart.mjs"],
        ["Cart Page", "chrome", "tests/cart.mjs"],
        ["Page", "chrome", "tests/shop.mjs"],
      ],
    );
  });

  it("fails the run with failOnChanges, and has an environment for each of several browsers", async () => {
    const settings = { project: "acme/browsers", failOnChanges: true };
    await context.folder.write("wdio.conf.mjs", config(server.port, settings, ["chrome", "firefox"]));
    const access = { CI: "1", SERVICE_API_URL: service.baseUrl, SERVICE_API_KEY: service.key };
    const { code, out } = await test(["--spec=tests/shop.mjs"], access);
    assert.equal(code, 1, out);
    assert.match(out, /\+ new: 3 new/);
    const run = /\brun_\w+/.exec(out)?.[0] ?? assert.fail(out);
    const shots = await service.client().listScreenshots(run);
    assert.deepEqual(shots.map(({ route, environment }) => `${route} ${environment}`).sort(), [
      "Button chrome",
      "Button firefox",
      "Page chrome",
    ]);
    assert.match(
      out,
      /screenshot "Page" of tests\/shop\.mjs, firefox \S+ replaces that of tests\/shop\.mjs, chrome/,
    );
  });
});
