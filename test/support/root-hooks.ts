import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { closeSharedPostgres } from "./postgres-server.ts";

// The tests start dozens of processes, which all load the same files: each is compiled once.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "../../node_modules/.cache/test-code");
enableCompileCache();

/** What mocha runs around all tests, or around each file's where files run side by side. */
export const mochaHooks = {
  afterAll: closeSharedPostgres,
};
