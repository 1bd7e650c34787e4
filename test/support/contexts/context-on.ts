import { after, before } from "mocha";
import type { DatabaseKind, TestDatabase } from "../databases/databases.ts";
import { RunsTestContext } from "./runs-context.ts";

/**
 * Starts a context on a database of its own before the tests of a suite, and stops both afterward.
 * @param start starts it with the database's environment
 * @param use receives it before the first test
 */
export function contextOn<Context extends { stop(): Promise<unknown> }>(
  kind: DatabaseKind,
  start: (env: Record<string, string>) => Promise<Context>,
  use: (context: Context) => void,
): void {
  kind.needed();
  let database: TestDatabase;
  let context: Context;
  before(async () => {
    database = await kind.make();
    context = await start(database.env);
    use(context);
  });
  after(async () => {
    await context?.stop();
    await database?.remove();
  });
}

/** Starts the runs service on a database of its own before the tests of a suite, and stops both afterward. */
export function runsContextOn(kind: DatabaseKind, use: (context: RunsTestContext) => void): void {
  contextOn(kind, env => RunsTestContext.start(env), use);
}
