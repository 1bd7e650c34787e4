import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { ScreenshotsTestContext } from "../../support/contexts/screenshots-context.ts";
import { installFramework } from "../../support/tools/frameworks.ts";

const ROOT = join(import.meta.dirname, "../../..");
const source = (path: string) => JSON.stringify(join(ROOT, "cli", path));

/** As the guide shows it. */
const PROJECTS = {
  vitest: {
    types: ["node"],
    "vitest.config.ts": `
import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";
import { vrs } from ${source("vitest/index.ts")};
export default defineConfig({
  plugins: [vrs({ project: "shop" })],
  test: { browser: { enabled: true, provider: playwright(), instances: [{ browser: "chromium" }] } },
});`,
    "vrs.d.ts": `
import type { VrsCommands } from ${source("vitest/index.ts")};
declare module "vitest/internal/browser" {
  interface BrowserCommands extends VrsCommands {}
}`,
    "button.test.ts": `
import { commands } from "vitest/browser";
await commands.vrsScreenshot("Button", { element: "button", threshold: 0 });
// @ts-expect-error
await commands.vrsScreenshot("Button", { elements: "button" });`,
  },
  cypress: {
    types: ["node", "cypress"],
    "cypress.config.ts": `
import { defineConfig } from "cypress";
import { vrs } from ${source("cypress/index.ts")};
export default defineConfig({ e2e: { setupNodeEvents: (on, config) => void vrs(on, config, { project: "shop" }) } });`,
    "support.ts": `import ${source("cypress/support.ts")};`,
    "shop.cy.ts": `
cy.vrsScreenshot("Cart", { fullPage: true });
cy.get("button").vrsScreenshot("Button").click();
// @ts-expect-error
cy.vrsScreenshot(1);`,
  },
  webdriverio: {
    types: ["node", "@wdio/globals/types", "@wdio/mocha-framework"],
    "wdio.conf.ts": `
import { VrsService } from ${source("webdriverio/index.ts")};
export const config: WebdriverIO.Config = {
  capabilities: [{ browserName: "chrome" }],
  services: [[VrsService, { project: "shop" }]],
};`,
    "shop.ts": `
await browser.vrsScreenshot("Button", { element: "button" });
// @ts-expect-error
await browser.vrsScreenshot();`,
  },
};

describe("the types of the adapters", function () {
  this.timeout(240_000);
  for (const [name, { types, ...files }] of Object.entries(PROJECTS)) {
    it(`fit those of ${name}`, async () => {
      const modules = await installFramework(name === "vitest" || name === "cypress" ? name : "webdriverio");
      const context = await ScreenshotsTestContext.start();
      try {
        await symlink(modules, join(context.root, "node_modules"));
        for (const [file, content] of Object.entries(files)) await context.write(file, content);
        const compilerOptions = {
          ...{ strict: true, noEmit: true, skipLibCheck: true, allowImportingTsExtensions: true },
          ...{ target: "esnext", module: "nodenext", moduleDetection: "force", types },
          typeRoots: [join(ROOT, "node_modules/@types"), join(modules, "@types"), modules],
        };
        await context.write("package.json", JSON.stringify({ type: "module" }));
        await context.write("tsconfig.json", JSON.stringify({ compilerOptions, include: ["*.ts"] }));
        const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
        const out = await new Promise<string>(resolve => {
          execFile(process.execPath, [compiler, "-p", context.root], (_error, stdout) => resolve(stdout));
        });
        assert.equal(out, "");
      } finally {
        await context.stop();
      }
    });
  }
});
