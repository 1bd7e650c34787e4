import { join } from "node:path";
import { Child } from "./child.ts";

const ROOT = join(import.meta.dirname, "../..");
const RUNNER = join(ROOT, "node_modules/moleculer/bin/moleculer-runner.mjs");

/** A node as `npm start` runs it, with this environment besides the tests' own. */
export function startRunner(env: Record<string, string>): Child {
  return new Child(
    process.execPath,
    [RUNNER, "--config", "moleculer.config.ts", "--mask", "**/*.service.ts"],
    {
      cwd: ROOT,
      env: { ...process.env, ...env },
    },
  );
}
