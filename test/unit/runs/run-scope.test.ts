import assert from "node:assert/strict";
import { InProcessQueue } from "../../../mixins/queue/in-process-queue.ts";
import { failCaptures } from "../../../services/runs/capture/dispatch-captures.ts";
import { JobTokens } from "../../../services/runs/capture/job-tokens.ts";
import { inRunScope } from "../../../services/runs/run-scope.ts";
import { parseTraceparent } from "../../../shared/tracing/trace-context.ts";
import {
  currentScope,
  inScope,
  type WorkOrigin,
  type WorkScope,
} from "../../../shared/tracing/work-scope.ts";

const SUBMISSION = `00-${"1".repeat(32)}-${"2".repeat(16)}-01`;
const LATER = `00-${"1".repeat(32)}-${"3".repeat(16)}-01`;
const OTHER = `00-${"4".repeat(32)}-${"5".repeat(16)}-01`;

/** Returns the request and the span of work on run 1 that this work does. */
function scopeOfWork(current: WorkScope, origin: WorkOrigin | null): (string | undefined)[] {
  const { runId, requestId, trace } =
    inScope(current, () => inRunScope({}, { id: "run_1", origin }, currentScope)) ?? {};
  return [runId, requestId, trace?.spanId];
}

function scope(requestId: string, traceparent?: string): WorkScope {
  const trace = parseTraceparent(traceparent);
  return { requestId, runId: "run_1", ...(trace && { trace }) };
}

describe("Work on a run", () => {
  const traced = { requestId: "submission", traceparent: SUBMISSION };
  const untraced = { requestId: "submission" };
  const cases: [what: string, current: WorkScope, origin: WorkOrigin | null, expected: unknown[]][] = [
    ["continues its trace", scope("submission", LATER), traced, ["run_1", "submission", "3".repeat(16)]],
    ["leaves another trace", scope("cancel", OTHER), traced, ["run_1", "submission", "2".repeat(16)]],
    ["has its request without traces", scope("submission"), untraced, ["run_1", "submission", undefined]],
    ["leaves another request without traces", scope("cancel"), untraced, ["run_1", "submission", undefined]],
    [
      "belongs to the current request if no request submitted it",
      scope("sweep"),
      null,
      ["run_1", "sweep", undefined],
    ],
    [
      "leaves the request of another run",
      { ...scope("submission"), runId: "run_2" },
      { requestId: "own" },
      ["run_1", "own", undefined],
    ],
  ];
  for (const [what, current, origin, expected] of cases) {
    it(what, () => assert.deepEqual(scopeOfWork(current, origin), expected));
  }

  it("has its own request if another run's submission fails its captures", async () => {
    const queue = new InProcessQueue();
    const recorded = Promise.withResolvers<WorkScope | undefined>();
    queue.consume("result", {
      concurrency: 1,
      maxAttempts: 1,
      handle: async () => recorded.resolve(currentScope()),
      fail: async (_job, error) => recorded.reject(error),
    });
    const context = { queue, tokens: new JobTokens("key") };
    const failure = { reason: "The secret is missing.", blame: "page" as const };
    const origin = { requestId: "own" };
    await inScope({ requestId: "other" }, () =>
      failCaptures(context, [{ id: "shot_1", runId: "run_1" }], failure, { origin }),
    );
    const { requestId, runId } = (await recorded.promise) ?? {};
    await queue.stop();
    assert.deepEqual([requestId, runId], ["own", "run_1"]);
  });
});
