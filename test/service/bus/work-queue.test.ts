import assert from "node:assert/strict";
import { InProcessQueue } from "../../../mixins/queue/in-process-queue.ts";
import { inScope, scopeFields } from "../../../shared/tracing/work-scope.ts";
import { until } from "../../support/drivers/until.ts";
import { NatsServer } from "../../support/servers/nats-server.ts";
import { JetStreamNode, QueueNode } from "../../support/servers/nodes/queue-node.ts";
import { needs } from "../../support/servers/server-programs.ts";

/** The behavior that every service can rely on, with either queue. */
function promises(open: () => QueueNode): void {
  let node: QueueNode;

  beforeEach(() => {
    node = open();
  });
  afterEach(() => node.close());

  it("keeps jobs until a consumer comes, and runs as many as its concurrency", async () => {
    for (const id of ["a", "b", "c"]) await node.add(id);
    assert.deepEqual(await node.queue.idsOf("compare", "run"), new Set(["a", "b", "c"]));
    node.consume({ concurrency: 2 });
    await node.nth(1);
    const { waiting, underWay } = await node.load();
    assert.deepEqual({ waiting, underWay }, { waiting: 1, underWay: 2 });
    assert.deepEqual(node.ids.sort(), ["a", "b"]);
    (await node.nth(0)).end();
    assert.equal((await node.nth(2)).id, "c");
  });

  it("counts equal ids of a key as one job while it waits or runs, and of two keys as two", async () => {
    await node.add("a");
    await node.add("a");
    node.consume({ concurrency: 5 });
    await node.nth(0);
    await node.add("a");
    await node.add("a", { fairKey: "other" });
    assert.equal((await node.nth(1)).job.runId, "other");
    for (const { end } of node.started) end();
    await node.done();
    assert.equal(node.started.length, 2);
  });

  it("retries a failed job after the others, and fails it with the last error", async () => {
    node.consume({ maxAttempts: 3 });
    await node.add("a");
    (await node.nth(0)).end(new Error("first"));
    await node.add("b");
    (await node.nth(1)).end();
    (await node.nth(2)).end(new Error("second"));
    (await node.nth(3)).end(new Error("third"));
    await node.done();
    assert.deepEqual(node.ids, ["a", "b", "a", "a"]);
    assert.deepEqual(node.failed, [["a", "third"]]);
  });

  it("lists a job that waits for a retry", async () => {
    node.consume();
    await node.add("a");
    (await node.nth(0)).end(new Error("first"));
    assert.deepEqual(await node.queue.idsOf("compare", "run"), new Set(["a"]));
    (await node.nth(1)).end();
    await node.done();
    assert.deepEqual(await node.queue.idsOf("compare", "run"), new Set());
  });

  it("drops a key's waiting jobs and aborts its running ones, of no other key", async () => {
    node.consume({ concurrency: 2 });
    await node.add("a1", { fairKey: "a" });
    await node.add("b1", { fairKey: "b" });
    const [first, second] = [await node.nth(0), await node.nth(1)];
    const [a, b] = first.job.runId === "a" ? [first, second] : [second, first];
    await node.add("a2", { fairKey: "a" });
    await node.add("b2", { fairKey: "b" });
    node.queue.drop("a");
    assert.equal(a.signal.aborted, true);
    assert.equal(b.signal.aborted, false);
    await until(async () => (await node.queue.idsOf("compare", "a")).size === 0);
    a.end(new Error("aborted"));
    assert.equal((await node.nth(2)).id, "b2");
    for (const { end } of node.started) end();
    await node.done();
    assert.equal(node.started.length, 3);
    assert.deepEqual(node.failed, []);
  });

  it("removes only the named jobs of a key, and no running ones", async () => {
    node.consume({ concurrency: 1 });
    await node.add("a");
    const running = await node.nth(0);
    for (const id of ["b", "c"]) await node.add(id);
    await node.queue.dropWaiting("compare", "run", new Set(["b", "none"]));
    assert.equal(running.signal.aborted, false);
    assert.deepEqual(await node.queue.idsOf("compare", "run"), new Set(["a", "c"]));
    running.end();
    const next = await node.nth(1);
    assert.equal(next.id, "c");
    next.end();
    await node.done();
  });

  it("runs a job as a part of the request that queued it, also when it is repeated", async () => {
    const seen: unknown[] = [];
    node.consume({
      handle: async () => {
        seen.push(scopeFields());
        if (seen.length === 1) throw new Error("first");
      },
    });
    const trace = {
      traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
      spanId: "00f067aa0ba902b7",
      isSampled: true,
    };
    const scope = { requestId: "req-1", runId: "run_1", trace };
    await inScope(scope, () => node.add("a", { fairKey: "run_1" }));
    await until(() => seen.length === 2);
    const { traceId } = trace;
    assert.deepEqual(seen, Array(2).fill({ requestId: "req-1", runId: "run_1", traceId }));
  });

  it("runs jobs of other runs, and those that name their request, as a part of their own", async () => {
    const seen: unknown[] = [];
    node.consume({ handle: async () => void seen.push(scopeFields()) });
    const job = { runId: "run_2", screenshotId: "b", baselineHash: "a", currentHash: "b", token: "" };
    await inScope({ requestId: "req-1", runId: "run_1" }, async () => {
      await node.add("a", { fairKey: "run_2" });
      await until(() => seen.length === 1);
      const origin = { requestId: "req-2" };
      await node.queue.enqueue("compare", job, { id: "b", fairKey: "run_2", origin });
      await until(() => seen.length === 2);
    });
    assert.deepEqual(seen, [{ runId: "run_2" }, { runId: "run_2", requestId: "req-2" }]);
  });

  it("reports when the oldest job was queued", async () => {
    assert.equal((await node.load()).oldestAt, null);
    const before = Date.now();
    await node.add("a");
    await node.add("b");
    const { oldestAt } = await node.load();
    assert.ok(oldestAt && oldestAt.getTime() >= before - 1_000 && oldestAt.getTime() <= Date.now() + 1_000);
  });

  it("waits for running jobs when it stops, and takes no more", async () => {
    node.consume();
    await node.add("a");
    await node.add("b");
    const { end, signal } = await node.nth(0);
    let stopped = false;
    const stop = node.queue.stop().then(() => {
      stopped = true;
    });
    await new Promise(resolve => setTimeout(resolve, 50));
    assert.equal(stopped, false);
    end();
    await stop;
    assert.equal(signal.aborted, false);
    assert.deepEqual(node.ids, ["a"]);
  });
}

describe("A work queue", () => {
  describe("in memory", () => promises(() => new QueueNode(new InProcessQueue())));

  describe("on JetStream", () => {
    needs("nats-server");
    let server: NatsServer;
    before(async () => {
      server = await NatsServer.start();
    });
    // Each test has its own store.
    afterEach(async () => {
      await server.kill();
      await server.start({ keepStore: false });
    });
    after(() => server?.close());

    promises(() => new JetStreamNode(server.url));
  });
});
