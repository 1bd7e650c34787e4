import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import type { Browser } from "playwright";
import { ReviewServerTestContext } from "../../support/contexts/review-server-context.ts";
import { launchBrowser } from "../../support/drivers/browser/report-browser.ts";
import { WebdriverServer } from "../../support/fakes/webdriver-server.ts";
import { installFramework } from "../../support/tools/frameworks.ts";

const VRS = JSON.stringify(join(import.meta.dirname, "../../../cli/webdriverio/index.ts"));

const config = (port: number) => `
import { VrsService } from ${VRS};
export const config = {
  runner: "local",
  hostname: "127.0.0.1",
  port: ${port},
  specs: ["./tests/*.mjs"],
  capabilities: [{ browserName: "chromium", "wdio:enforceWebDriverClassic": true }],
  framework: "mocha",
  logLevel: "error",
  services: [[VrsService, {}]],
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
  let server: WebdriverServer;
  let context: ReviewServerTestContext;
  let modules: string;
  before(async () => {
    modules = await installFramework("webdriverio");
    [browser, context] = await Promise.all([launchBrowser(), ReviewServerTestContext.start()]);
    server = await WebdriverServer.start(browser);
    const { folder } = context;
    await symlink(modules, join(folder.root, "node_modules"));
    await folder.write("package.json", JSON.stringify({ private: true, type: "module" }));
    await folder.write("wdio.conf.mjs", config(server.port));
    await folder.write("tests/shop.mjs", SPEC);
  });
  after(async () => {
    await server?.stop();
    await Promise.all([browser?.close(), context?.stop()]);
  });

  it("captures stable screenshots in its workers", async () => {
    const args = [join(modules, "@wdio/cli/bin/wdio.js"), "run", "wdio.conf.mjs"];
    const options = { cwd: context.folder.root, env: { ...process.env, CI: "" }, timeout: 120_000 };
    const { code, out } = await new Promise<{ code: unknown; out: string }>(resolve => {
      execFile(process.execPath, args, options, (error, stdout, stderr) =>
        resolve({ code: error?.code ?? 0, out: stdout + stderr }),
      );
    });
    assert.equal(code, 0, out);
    assert.ok(out.includes(`the screenshots are at ${context.url}`), out);
    const end = performance.now() + 10_000;
    while (!context.terminal.errors.includes("2 new")) {
      assert.ok(performance.now() < end, context.terminal.errors);
      await new Promise(resolve => setTimeout(resolve, 50));
    }
  });
});
