import assert from "node:assert/strict";
import { afterEach, describe, it } from "mocha";
import {
  type PeriodicTask,
  type StartedTask,
  startPeriodicTask,
  startPeriodicTasks,
} from "../../../shared/periodic-task.ts";
import { currentScope, inScope } from "../../../shared/tracing/work-scope.ts";
import { until } from "../../support/drivers/until.ts";

const NEVER_MS = 3_600_000;

describe("Periodic tasks", () => {
  const begun: StartedTask[] = [];
  const warnings: string[] = [];
  const begin = (task: Partial<PeriodicTask>) => {
    const whole = { intervalMs: NEVER_MS, work: async () => {}, failed: "It failed", ...task };
    const one = startPeriodicTask(whole, (error, what) => warnings.push(`${what}: ${error}`));
    begun.push(one);
    return one;
  };
  afterEach(async () => {
    await Promise.all(begun.splice(0).map(({ stop }) => stop()));
    warnings.length = 0;
  });

  it("repeat, never twice at once, and continue after a failure", async () => {
    let [times, concurrency, most] = [0, 0, 0];
    begin({
      intervalMs: 2,
      async work() {
        times += 1;
        concurrency += 1;
        most = Math.max(most, concurrency);
        await new Promise(resolve => setTimeout(resolve, 10));
        concurrency -= 1;
        if (times === 1) throw new Error("away");
      },
    });
    await until(() => times >= 4);
    assert.equal(most, 1);
    assert.deepEqual(warnings, ["It failed: Error: away"]);
  });

  it("run first after the given delay, or after one interval", async () => {
    const done: string[] = [];
    begin({ work: async () => done.push("late") });
    begin({ firstDelayMs: 1, work: async () => done.push("soon") });
    await until(() => done.length > 0);
    assert.deepEqual(done, ["soon"]);
  });

  it("don't belong to the request that wakes them", async () => {
    const scopes: unknown[] = [];
    const task = begin({ work: async () => scopes.push(currentScope()) });
    inScope({ requestId: "req-1", runId: "run_1" }, () => task.wake());
    await until(() => scopes.length > 0);
    assert.deepEqual(scopes, [undefined]);
  });

  it("belong to the work that started them", async () => {
    const scope = { requestId: "req-1" };
    const scopes: unknown[] = [];
    const task = inScope(scope, () => begin({ work: async () => scopes.push(currentScope()) }));
    task.wake();
    await until(() => scopes.length > 0);
    assert.deepEqual(scopes, [scope]);
  });

  it("run once more when woken during a run, however often", async () => {
    const turns: PromiseWithResolvers<void>[] = [];
    const task = begin({
      work: () => {
        const turn = Promise.withResolvers<void>();
        turns.push(turn);
        return turn.promise;
      },
    });
    task.wake();
    task.wake();
    task.wake();
    assert.equal(turns.length, 1);
    turns[0]?.resolve();
    await until(() => turns.length === 2);
    turns[1]?.resolve();
    await task.stop();
    task.wake();
    assert.equal(turns.length, 2);
  });

  it("stop with the node, which waits for a running task and ignores its failure", async () => {
    const ended: string[] = [];
    const stop = startPeriodicTasks(
      [
        {
          intervalMs: NEVER_MS,
          firstDelayMs: 0,
          failed: "It failed",
          work: signal =>
            new Promise((_resolve, reject) => {
              ended.push("begun");
              signal.addEventListener("abort", () => {
                ended.push("told");
                setTimeout(() => {
                  ended.push("ended");
                  reject(new Error("The database is closed"));
                }, 5);
              });
            }),
        },
      ],
      (_error, what) => warnings.push(what),
    );
    await until(() => ended.length === 1);
    await stop();
    assert.deepEqual([ended, warnings], [["begun", "told", "ended"], []]);
  });
});
