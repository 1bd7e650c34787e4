import { dirname, join } from "node:path";
import { loadConfig } from "../../../shared/config.ts";
import { Child } from "./child.ts";

const ROOT = join(import.meta.dirname, "../../..");
const RUNNER = join(ROOT, "node_modules/moleculer/bin/moleculer-runner.mjs");

/** The folder where setup unpacked the browser. Unpacking it again takes about 15 seconds of processor time. */
export const BROWSER_CACHE = loadConfig({}).cacheDir;

/** The folder of caches in which the command line finds that browser. */
export const XDG_CACHE_HOME = dirname(BROWSER_CACHE);

/**
 * For nodes that live for a minute: the embedded database, which is WebAssembly, is compiled once and quickly, not a
 * second time for speed, and young objects have room enough that most are gone before they are looked at.
 */
const SHORT_LIVED = ["--liftoff-only", "--max-semi-space-size=32"];

/** A node as `npm start` runs it, with this environment besides the tests' own. */
export function startRunner(env: Record<string, string>): Child {
  return new Child(
    process.execPath,
    [...SHORT_LIVED, RUNNER, "--config", "moleculer.config.ts", "--mask", "**/*.service.ts"],
    {
      cwd: ROOT,
      // Tests run as root in many containers, where Chromium builds no sandbox.
      env: { ...process.env, SERVICE_ALLOW_UNSANDBOXED: "1", ...env },
    },
  );
}
