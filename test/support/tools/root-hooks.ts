import { enableCompileCache } from "node:module";
import { join } from "node:path";
import type { Context } from "mocha";
import { endWaits } from "../drivers/until.ts";
import { closeSharedPostgres, sharePostgres } from "../servers/postgres-server.ts";
import { beginCosts, endCosts } from "./file-costs.ts";

// The tests start dozens of processes, which all load the same files: each is compiled once.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "../../../node_modules/.cache/test-code");
enableCompileCache();

/** What mocha runs once before all files. Where they run side by side, their processes take what is started here. */
export async function mochaGlobalSetup(): Promise<void> {
  if (process.argv.includes("--parallel")) await sharePostgres();
}

/** What mocha runs once after all files. */
export const mochaGlobalTeardown = closeSharedPostgres;

/** What mocha runs around all tests, or around each file's where files run side by side. */
export const mochaHooks = {
  beforeAll: beginCosts,
  afterEach: endWaits,
  async afterAll(this: Context): Promise<void> {
    endWaits();
    await closeSharedPostgres();
    const [suite] = this.test?.parent?.suites ?? [];
    endCosts(suite?.file ?? "");
  },
};
