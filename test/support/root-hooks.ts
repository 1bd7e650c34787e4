import { closeSharedPostgres } from "./postgres-server.ts";

/** What mocha runs around all tests, or around each file's where files run side by side. */
export const mochaHooks = {
  afterAll: closeSharedPostgres,
};
