import { closeSharedPostgres } from "./postgres-server.ts";

/** What mocha runs around all tests. */
export const mochaHooks = {
  afterAll: closeSharedPostgres,
};
