import assert from "node:assert/strict";
import { mock } from "node:test";
import { InProcessQueue } from "../../../mixins/queue/in-process-queue.ts";
import type { CompareJob } from "../../../shared/contracts/runs/jobs.ts";

const job = (runId: string, screenshotId: string): CompareJob => ({
  runId,
  screenshotId,
  baselineHash: "old",
  currentHash: "new",
  token: "",
});

/** Lets the callbacks of all settled promises run. */
const settled = () => new Promise<void>(resolve => setImmediate(resolve));

/** Returns a queue whose jobs end when the test ends them. */
function context(concurrency = 1, queue = new InProcessQueue()) {
  const started: string[] = [];
  const failed: [id: string, reason: string][] = [];
  const signals = new Map<string, AbortSignal>();
  const ends = new Map<string, PromiseWithResolvers<void>>();
  const begin = () =>
    queue.consume("compare", {
      concurrency,
      maxAttempts: 3,
      handle({ screenshotId }, signal) {
        started.push(screenshotId);
        signals.set(screenshotId, signal);
        const end = Promise.withResolvers<void>();
        ends.set(screenshotId, end);
        return end.promise;
      },
      async fail({ screenshotId }, reason) {
        failed.push([screenshotId, reason.message]);
      },
    });
  const add = (runId: string, id: string) => queue.enqueue("compare", job(runId, id), { id, fairKey: runId });
  const end = async (id: string, error?: Error) => {
    const gate = ends.get(id);
    if (error) gate?.reject(error);
    else gate?.resolve();
    await settled();
  };
  return { queue, started, failed, signals, begin, add, end };
}

describe("The queue in memory", () => {
  it("keeps jobs until a consumer comes, and runs as many as its concurrency", async () => {
    const { started, begin, add, end } = context(2);
    for (const id of ["a", "b", "c"]) await add("run", id);
    assert.deepEqual(started, []);
    begin();
    assert.deepEqual(started, ["a", "b"]);
    await end("b");
    assert.deepEqual(started, ["a", "b", "c"]);
  });

  it("queues a job once while it waits or runs, and again afterwards", async () => {
    const { started, begin, add, end } = context();
    await add("run", "a");
    await add("run", "a");
    begin();
    await add("run", "a");
    await end("a");
    assert.deepEqual(started, ["a"]);
    await add("run", "a");
    assert.deepEqual(started, ["a", "a"]);
  });

  it("alternates between runs, so that a long one doesn't starve a short one", async () => {
    const { started, begin, add, end } = context();
    for (const id of ["long 1", "long 2", "long 3", "long 4"]) await add("long", id);
    begin();
    for (const id of ["short 1", "short 2"]) await add("short", id);
    for (let count = 0; count < 5; count++) await end(started.at(-1) ?? "");
    assert.deepEqual(started, ["long 1", "long 2", "short 1", "long 3", "short 2", "long 4"]);
  });

  it("drops a run's waiting jobs and aborts its running ones, of no other run", async () => {
    const { queue, started, failed, signals, begin, add, end } = context(2);
    begin();
    for (const id of ["a1", "a2"]) await add("a", id);
    for (const id of ["b1", "a3"]) await add(id.slice(0, 1), id);
    queue.drop("a");
    assert.deepEqual(
      ["a1", "a2"].map(id => signals.get(id)?.aborted),
      [true, true],
    );
    await end("a1", new Error("aborted"));
    await end("a2");
    assert.deepEqual(started, ["a1", "a2", "b1"]);
    assert.equal(signals.get("b1")?.aborted, false);
    assert.deepEqual(failed, []);
  });

  it("keeps a job that is queued again while its dropped predecessor ends", async () => {
    const { queue, started, begin, add, end } = context();
    begin();
    await add("run", "a");
    await queue.drop("run");
    await add("run", "a");
    await end("a");
    assert.deepEqual(started, ["a", "a"]);
    assert.deepEqual(await queue.idsOf("compare", "run"), new Set(["a"]));
    await end("a");
    assert.deepEqual(await queue.idsOf("compare", "run"), new Set());
  });

  it("lists the jobs of a key, and counts all", async () => {
    const { queue, begin, add, end } = context();
    for (const id of ["a", "b"]) await add("run", id);
    await add("other", "a");
    begin();
    assert.deepEqual(await queue.idsOf("compare", "run"), new Set(["a", "b"]));
    assert.deepEqual(await queue.idsOf("capture", "run"), new Set());
    const [capture, compare] = await queue.load();
    assert.deepEqual(capture, { queue: "capture", waiting: 0, underWay: 0, oldestAt: null });
    assert.deepEqual(
      { ...compare, oldestAt: null },
      { queue: "compare", waiting: 2, underWay: 1, oldestAt: null },
    );
    assert.ok(compare?.oldestAt && compare.oldestAt.getTime() <= Date.now());
    await end("a");
    assert.deepEqual(await queue.idsOf("compare", "run"), new Set(["b"]));
  });

  describe("when a job fails", () => {
    beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
    afterEach(() => mock.timers.reset());

    it("retries it twice after the others, and fails it with the last error", async () => {
      const { started, failed, begin, add, end } = context();
      begin();
      await add("run", "a");
      await add("run", "b");
      await end("a", new Error("first"));
      assert.deepEqual(started, ["a", "b"]);
      await end("b");
      mock.timers.tick(499);
      assert.deepEqual(started, ["a", "b"]);
      mock.timers.tick(1);
      assert.deepEqual(started, ["a", "b", "a"]);
      await end("a", new Error("second"));
      mock.timers.tick(1_000);
      assert.deepEqual(started, ["a", "b", "a", "a"]);
      assert.deepEqual(failed, []);
      await end("a", new Error("third"));
      assert.deepEqual(failed, [["a", "third"]]);
      mock.timers.tick(60_000);
      assert.equal(started.length, 4);
    });

    it("lists it while it waits for a retry, until its run is dropped", async () => {
      const { queue, started, begin, add, end } = context();
      begin();
      await add("run", "a");
      await end("a", new Error("first"));
      await add("run", "a");
      assert.deepEqual(started, ["a"]);
      queue.drop("run");
      mock.timers.tick(500);
      assert.deepEqual(started, ["a"]);
    });
  });

  describe("when it stops", () => {
    it("waits for running jobs and takes no more", async () => {
      const { queue, started, begin, add, end } = context();
      begin();
      await add("run", "a");
      await add("run", "b");
      let stopped = false;
      const stop = queue.stop().then(() => {
        stopped = true;
      });
      await settled();
      assert.equal(stopped, false);
      await end("a");
      await stop;
      assert.deepEqual(started, ["a"]);
    });

    it("still stores the results of finished jobs", async () => {
      const { queue } = context();
      const written: string[] = [];
      queue.consume("result", {
        concurrency: 1,
        maxAttempts: 1,
        async handle({ runId }) {
          await settled();
          written.push(runId);
        },
        fail: async () => {},
      });
      for (const runId of ["a", "b", "c"])
        await queue.enqueue(
          "result",
          { kind: "started", runId, screenshotId: "a", token: "" },
          { id: runId, fairKey: runId },
        );
      await queue.stop();
      assert.deepEqual(written, ["a", "b", "c"]);
    });

    it("aborts running jobs after a bounded time", async () => {
      const { queue, signals, begin, add } = context(1, new InProcessQueue({ stopTimeoutMs: 10 }));
      begin();
      await add("run", "a");
      assert.equal(signals.get("a")?.aborted, false);
      await queue.stop();
      assert.equal(signals.get("a")?.aborted, true);
    });
  });
});
