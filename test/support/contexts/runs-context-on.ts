import { after, before } from "mocha";
import type { DatabaseKind, TestDatabase } from "../databases/databases.ts";
import { RunsTestContext } from "./runs-context.ts";

/** Starts a context on a database of its own before the tests of a suite, and stops both afterward. */
export function runsContextOn(kind: DatabaseKind, use: (context: RunsTestContext) => void): void {
  kind.needed();
  let database: TestDatabase;
  let context: RunsTestContext;
  before(async () => {
    database = await kind.make();
    context = await RunsTestContext.start(database.env);
    use(context);
  });
  after(async () => {
    await context?.stop();
    await database?.remove();
  });
}
