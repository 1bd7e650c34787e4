import { dirname, join } from "node:path";
import { loadConfig } from "../../../shared/config.ts";
import { Child } from "./child.ts";
import { NodeHost } from "./nodes/node-host.ts";

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

const ARGS = ["--config", "moleculer.config.ts", "--mask", "**/*.service.ts"];

/** Starts a node as `npm start` does, with this environment in addition to the tests' own. */
export function startRunner(env: Record<string, string>): Child {
  return new Child(process.execPath, [...SHORT_LIVED, RUNNER, ...ARGS], { cwd: ROOT, env: ownEnv(env) });
}

/**
 * Starts a node in a process that can be reused for another node.
 * @param root folder of the code, for another version
 */
export function startReusable(env: Record<string, string>, root = ROOT): NodeHost {
  return NodeHost.start({ nodeOptions: SHORT_LIVED, args: ARGS, cwd: root }, ownEnv(env));
}

function ownEnv(env: Record<string, string>): NodeJS.ProcessEnv {
  // Tests run as root in many containers, where Chromium can't create a sandbox.
  return { ...process.env, SERVICE_ALLOW_UNSANDBOXED: "1", ...env };
}
