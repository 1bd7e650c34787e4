import assert from "node:assert/strict";
import type { Sender } from "../../../services/alerts/alerts-context.ts";
import { Dispatcher } from "../../../services/alerts/notifications/dispatcher.ts";
import { currentScope, inScope } from "../../../shared/tracing/work-scope.ts";
import { until } from "../../support/drivers/until.ts";

describe("The dispatcher of notifications", () => {
  it("doesn't log under the request that wakes it", async () => {
    const scopes: unknown[] = [];
    // biome-ignore lint/plugin: nothing is sent while the database is down.
    const sender = {} as Sender;
    const dispatcher = new Dispatcher({
      em: () => {
        throw new Error("The database is down.");
      },
      sender,
      onAttempt: () => {},
      onPause: () => {},
      warn: () => void scopes.push(currentScope()),
    });
    inScope({ requestId: "req-1", runId: "run_1" }, () => dispatcher.wake());
    await until(() => scopes.length > 0);
    await dispatcher.stop();
    assert.deepEqual(scopes, [undefined]);
  });
});
