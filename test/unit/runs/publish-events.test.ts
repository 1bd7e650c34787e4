import assert from "node:assert/strict";
import { ServiceBroker } from "moleculer";
import type { EntityManager } from "../../../mixins/database.ts";
import { publishSoon } from "../../../services/runs/events/publish-events.ts";
import { PendingEvents } from "../../../services/runs/runs-context.ts";
import { SingleFlight } from "../../../shared/async.ts";

import { currentScope, inScope } from "../../../shared/tracing/work-scope.ts";

describe("Stored events", () => {
  it("are not published as a part of the run whose end starts it", async () => {
    const scopes: unknown[] = [];
    const pendingEvents = new PendingEvents();
    const context = {
      em: (): EntityManager => {
        scopes.push(currentScope());
        throw new Error("The database is down.");
      },
      bus: new ServiceBroker({ logger: false }),
      publishing: new SingleFlight(),
      pendingEvents,
    };
    inScope({ requestId: "req-1", runId: "run_1" }, () => publishSoon(context));
    await pendingEvents.flush();
    assert.deepEqual(scopes, [undefined]);
  });
});
