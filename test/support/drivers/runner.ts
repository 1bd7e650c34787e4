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
 * For nodes that live for a minute. The embedded database's WebAssembly is compiled only once, and quickly.
 * There is enough room for young objects that most die before a collection.
 */
const SHORT_LIVED = ["--liftoff-only", "--max-semi-space-size=32"];

/**
 * Starts a node as `npm start` does, with this environment in addition to the tests' own.
 * @param root folder of the code, for another version
 */
export function startRunner(env: Record<string, string>, root = ROOT): Child {
  return new Child(
    process.execPath,
    [...SHORT_LIVED, RUNNER, "--config", "moleculer.config.ts", "--mask", "**/*.service.ts"],
    {
      cwd: root,
      // Tests run as root in many containers, where Chromium can't create a sandbox.
      env: { ...process.env, SERVICE_ALLOW_UNSANDBOXED: "1", ...env },
    },
  );
}
