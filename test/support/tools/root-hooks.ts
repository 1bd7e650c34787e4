import { enableCompileCache } from "node:module";
import { join } from "node:path";
import Mocha, { type Context } from "mocha";
import { endIdleHosts, keepIdleHosts } from "../drivers/nodes/node-host.ts";
import { endWaits } from "../drivers/until.ts";
import { closeSharedPostgres, sharePostgres } from "../servers/postgres-server.ts";
import { keepCauses } from "./error-causes.ts";
import { beginCosts, endCosts } from "./file-costs.ts";

// The tests start dozens of processes that load the same files. Each file is compiled once.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "../../../node_modules/.cache/test-code");
enableCompileCache();
keepCauses(Mocha.Runner.prototype);
keepIdleHosts();

/** Runs once before all files. With parallel files, their processes use what it starts. */
export async function mochaGlobalSetup(): Promise<void> {
  if (process.argv.includes("--parallel")) await sharePostgres();
}

/** Runs once after all files. */
export const mochaGlobalTeardown = closeSharedPostgres;

/** Hooks around all tests, or around each file's tests with parallel files. */
export const mochaHooks = {
  beforeAll: beginCosts,
  afterEach: endWaits,
  async afterAll(this: Context): Promise<void> {
    endWaits();
    // Parallel files use the processes of the files before. The costs of a file include all of its own.
    if (!process.env.MOCHA_WORKER_ID || process.env.TEST_COSTS) await endIdleHosts();
    await closeSharedPostgres();
    const [suite] = this.test?.parent?.suites ?? [];
    endCosts(suite?.file ?? "");
  },
};
