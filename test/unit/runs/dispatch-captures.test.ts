import assert from "node:assert/strict";
import type { HeldTime } from "../../../services/runs/capture/dispatch.store.ts";
import { dispatchCaptures, noteHeldTime } from "../../../services/runs/capture/dispatch-captures.ts";
import { SingleFlight } from "../../../shared/async.ts";

describe("dispatching captures", () => {
  it("charges the time of slots later if the database fails", async () => {
    const held = new Map<string, HeldTime>();
    const transactional = () => {
      // A result that arrives meanwhile.
      noteHeldTime({ held }, "run_1", 500);
      return Promise.reject(new Error("connection lost"));
    };
    const context = { dispatches: new SingleFlight(), held, em: () => ({ transactional }) };
    noteHeldTime(context, "run_1", 1_000);
    noteHeldTime(context, "run_2", 2_000);
    // biome-ignore lint/plugin: without the database, a dispatch needs nothing else.
    await assert.rejects(dispatchCaptures(context as never), /connection lost/);
    assert.deepEqual(
      held,
      new Map([
        ["run_1", { runId: "run_1", heldMs: 1_500, pages: 2 }],
        ["run_2", { runId: "run_2", heldMs: 2_000, pages: 1 }],
      ]),
    );
  });
});
