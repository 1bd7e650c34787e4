import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Test frameworks with which the adapters are tested. They are too large for the dependencies. */
const FRAMEWORKS = {
  vitest: { vitest: "5.1.1", "@vitest/browser-playwright": "5.1.1", playwright: "1.65.1" },
  cypress: { cypress: "15.3.0" },
  webdriverio: {
    "@wdio/cli": "9.32.0",
    "@wdio/local-runner": "9.32.0",
    "@wdio/mocha-framework": "9.32.0",
  },
} as const;

/** Beside the servers of tests, which CI caches too. */
const FOLDER = join(import.meta.dirname, "../../../node_modules/.cache/test-frameworks");

/** Installs a framework from npm on first use, without install scripts. @returns its folder `node_modules` */
export async function installFramework(name: keyof typeof FRAMEWORKS): Promise<string> {
  const dependencies = FRAMEWORKS[name];
  const version = Object.values(dependencies).join("-");
  const folder = join(FOLDER, `${name}-${version}`);
  if (!existsSync(folder)) {
    // Built beside it: a test that is stopped leaves no half of it, and another test may install it too.
    const building = `${folder}.${process.pid}`;
    await mkdir(building, { recursive: true });
    await writeFile(join(building, "package.json"), JSON.stringify({ private: true, dependencies }));
    const quick = [
      "--no-audit",
      "--no-fund",
      "--prefer-offline",
      "--ignore-scripts",
      "--engine-strict=false",
    ];
    await run("npm", ["install", ...quick], { cwd: building });
    await rename(building, folder).catch(() => rm(building, { recursive: true, force: true }));
  }
  return join(folder, "node_modules");
}
