import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { cp, rename, rm } from "node:fs/promises";
import { connect, type NatsConnection } from "nats";
import { waitForStream } from "../../../mixins/queue/open-stream.ts";
import { until } from "../../support/drivers/until.ts";
import { NatsServer } from "../../support/servers/nats-server.ts";
import { JetStreamNode } from "../../support/servers/nodes/queue-node.ts";
import { needs } from "../../support/servers/server-programs.ts";

/** Far below the wait after which the server gives a silent node's job to another. */
const SOON_MS = 8_000;

describe("The queue of a cluster", () => {
  needs("nats-server");
  let server: NatsServer;
  let client: NatsConnection;
  let nodes: JetStreamNode[];

  const open = (options?: ConstructorParameters<typeof JetStreamNode>[1]) => {
    const node = new JetStreamNode(server.url, options);
    nodes.push(node);
    return node;
  };

  beforeEach(async () => {
    nodes = [];
    server = await NatsServer.start();
    client = await connect({ servers: server.url });
  });
  afterEach(async () => {
    await Promise.all(nodes.map(node => node.close()));
    await client.close();
    await server.close();
  });

  /** Publishes messages that our nodes never would. */
  const publish = async (subject: string, data: string) => {
    await client.jetstream().publish(subject, data);
  };

  /** Saves the current jobs. @returns a function that restores them on the server, as after a kill */
  const keepMessages = async () => {
    const messages = server.messagesOf("vrs-compare");
    const kept = `${messages}-kept`;
    await server.stop();
    await cp(messages, kept, { recursive: true });
    await server.start();
    return async () => {
      await server.stop();
      await rm(messages, { recursive: true });
      await rename(kept, messages);
      await server.start();
    };
  };

  it("rejects a job whose name can't be part of a subject", async () => {
    await assert.rejects(open().add("a.b"), /"a\.b" can't be part of a job's name/);
    await assert.rejects(open().add("a", { fairKey: "*" }), /"\*" can't be part of a job's name/);
  });

  it("rejects a job above NATS' limit, and carries one that compression makes small enough", async () => {
    const node = open().consume();
    const noise = randomBytes(1_100_000).toString("base64");
    await assert.rejects(
      node.add("noise", { text: noise }),
      /was not queued: .*more than the max_payload of NATS/,
    );
    const long = "long ".repeat(400_000);
    await node.add("long", { text: long });
    const { job } = await node.nth(0);
    assert.equal(job.baselineHash, long);
  });

  it("names the invalid setting", async () => {
    const node = open({ replicas: 3 });
    await assert.rejects(node.add("a"), /NATS_REPLICAS must not exceed/);
    assert.ok(node.logged.some(line => line.includes("NATS_REPLICAS")));
  });

  it("creates its streams from several nodes concurrently, and gives each job to one of them", async () => {
    const [one, other] = [open(), open()];
    const starts = [one, other].map(({ queue }) => queue.load());
    await Promise.all(starts);
    const done: string[] = [];
    for (const node of [one, other]) {
      assert.deepEqual(
        node.logged.filter(line => !line.startsWith("Connected")),
        [],
      );
      node.consume({ concurrency: 4, handle: async ({ screenshotId }) => void done.push(screenshotId) });
    }
    const ids = Array.from({ length: 100 }, (_, index) => `job-${index}`);
    await Promise.all(ids.map((id, index) => (index % 2 ? one : other).add(id)));
    await one.done();
    assert.deepEqual(done.sort(), ids.sort());
  });

  it("creates no consumer before its stream responds", async () => {
    const jsm = await client.jetstreamManager();
    const open = waitForStream(client, "slow.probe").then(() => "open");
    const early = new Promise(resolve => setTimeout(resolve, 300, "not open"));
    assert.equal(await Promise.race([open, early]), "not open");
    await jsm.streams.add({ name: "slow", subjects: ["slow.>"] });
    assert.equal(await open, "open");
    const { state } = await jsm.streams.info("slow");
    assert.equal(state.messages, 0);
  });

  it("removes finished jobs that a killed server has again", async () => {
    const node = open();
    const done: string[] = [];
    for (const id of ["a", "b"]) await node.add(id);
    const goBack = await keepMessages();
    node.consume({ handle: async ({ screenshotId }) => void done.push(screenshotId) });
    await until(() => done.length === 2);
    await node.done();
    await goBack();
    assert.equal(await server.isDrained(), false);
    assert.equal((await node.queue.idsOf("compare", "run")).size, 2);
    await node.queue.repair();
    // A server that also lost its consumers' state delivers the jobs again.
    await until(async () => (await node.queue.idsOf("compare", "run")).size === 0);
    assert.equal(await server.isDrained(), true);
    await node.add("c");
    await until(() => done.includes("c"));
    assert.deepEqual(new Set(done), new Set(["a", "b", "c"]));
  });

  it("delivers new jobs after a killed server lost the latest ones", async () => {
    const node = open();
    const done: string[] = [];
    await node.load();
    const goBack = await keepMessages();
    node.consume({ handle: async ({ screenshotId }) => void done.push(screenshotId) });
    for (const id of ["a", "b", "c"]) await node.add(id);
    await until(() => done.length === 3);
    await node.done();
    await goBack();
    await node.queue.repair();
    await node.add("d");
    await until(() => done.includes("d"));
  });

  it("leaves jobs without a local worker to other nodes", async () => {
    const one = open().consume({ concurrency: 2 });
    for (const id of ["a", "b", "c"]) await one.add(id);
    await one.nth(1);
    const other = open().consume();
    assert.equal((await other.nth(0)).id, "c");
    assert.equal(one.started.length, 2);
  });

  it("counts a new attempt as a new job, and the same attempt as the same job, even once it is done", async () => {
    const node = open().consume({ concurrency: 3 });
    await node.add("a");
    (await node.nth(0)).end();
    await node.done();
    await node.add("a");
    await node.add("a", { attempt: 2 });
    (await node.nth(1)).end();
    await node.done();
    assert.equal(node.started.length, 2);
  });

  it("holds a job for longer than a silent node could", async () => {
    const node = open().consume();
    const other = open().consume();
    await node.add("a");
    await until(() => node.started.length + other.started.length === 1);
    await new Promise(resolve => setTimeout(resolve, 13_000));
    assert.equal(node.started.length + other.started.length, 1);
  });

  it("fails a job that was started the maximum number of times and never ended", async () => {
    const node = open();
    await node.add("a");
    // A node that takes the job and dies, like one whose browser crashes the machine.
    const deaths = { batch: 1, expires: 5_000_000_000 };
    for (let death = 0; death < 2; death++) {
      const response = await client.request(
        "$JS.API.CONSUMER.MSG.NEXT.vrs-compare.workers",
        JSON.stringify(deaths),
        { timeout: 6_000, noMux: true },
      );
      response.respond("-NAK");
    }
    node.consume({ maxAttempts: 2 });
    await until(() => node.failed.length > 0);
    await node.done();
    assert.match(String(node.failed[0]?.[1]), /started 2 times/);
    assert.deepEqual(node.started, []);
  });

  it("runs suspects one at a time, and counts no attempt of waiting ones", async () => {
    const node = open().consume({ concurrency: 2, maxAttempts: 2, suspectFrom: 1 });
    await Promise.all([node.add("a"), node.add("b")]);
    const first = await node.nth(0);
    await until(async () => {
      const { waiting, underWay } = await node.load();
      return waiting === 1 && underWay === 1;
    });
    assert.equal(node.started.length, 1);
    first.end();
    const second = await node.nth(1);
    second.end();
    await node.done();
    assert.deepEqual([first.id, second.id].sort(), ["a", "b"]);
    assert.deepEqual(node.failed, []);
  });

  it("reports a failed job again when the first report failed", async () => {
    const told: string[] = [];
    const node = open().consume({
      maxAttempts: 1,
      fail: async (_job, reason) => {
        told.push(reason.message);
        if (told.length === 1) throw new Error("away");
      },
    });
    await node.add("a");
    (await node.nth(0)).end(new Error("broken"));
    await node.done();
    assert.deepEqual(told, ["broken", "broken"]);
  });

  it("retries a job that throws on any node, without counting it as a dead node", async () => {
    const [one, other] = [open(), open()];
    for (const node of [one, other]) {
      const handle = async () => {
        node.logged.push("tried");
        throw new Error("away");
      };
      node.consume({ maxAttempts: 1, maxErrors: 3, handle });
    }
    await one.add("a");
    await until(() => one.failed.length + other.failed.length > 0);
    await one.done();
    assert.deepEqual([...one.failed, ...other.failed], [["a", "away"]]);
    assert.equal([...one.logged, ...other.logged].filter(line => line === "tried").length, 3);
  });

  it("aborts a job after its timeout, counts an attempt, and frees its worker", async () => {
    const node = open().consume({ maxAttempts: 2, timeoutMs: 300 });
    await node.add("a");
    const hanging = await node.nth(0);
    assert.equal((await node.nth(1)).id, "a");
    assert.equal(hanging.signal.aborted, true);
    await node.done();
    assert.deepEqual(node.failed, [["a", "The job did not finish within 0.3 seconds."]]);
  });

  it("leaves jobs to other nodes until its consumer is ready", async () => {
    const mended = Promise.withResolvers<void>();
    const broken = open().consume({ ready: () => mended.promise });
    const other = open().consume();
    for (const id of ["a", "b"]) await other.add(id);
    (await other.nth(0)).end();
    const last = await other.nth(1);
    assert.deepEqual(broken.started, []);
    mended.resolve();
    await other.add("c");
    (await broken.nth(0)).end();
    last.end();
    await other.done();
    const unready = open().consume({ ready: () => new Promise(() => {}) });
    await unready.queue.stop();
  });

  it("discards unreadable messages with a warning", async () => {
    const node = open();
    await node.queue.load();
    await publish("vrs.work.compare.run.unreadable", "{");
    await publish("vrs.work.compare.strange", "{}");
    node.consume();
    await node.done();
    assert.ok(node.logged.some(line => line.includes("vrs.work.compare.run.unreadable can't be read")));
    assert.ok(
      node.logged.some(line => line.includes("vrs.work.compare.strange is not the subject of a job")),
    );
    assert.deepEqual(node.started, []);
  });

  describe("when a node stops", () => {
    it("requests no more jobs, so that others get new ones at once", async () => {
      const leaving = open().consume({ concurrency: 4 });
      const staying = open();
      await until(async () => (await waitingRequests()) === 4);
      const stoppedAt = Date.now();
      await leaving.queue.stop();
      await staying.add("a");
      await staying.consume().nth(0);
      assert.ok(Date.now() - stoppedAt < SOON_MS);
      assert.deepEqual(leaving.started, []);
    });

    it("returns its jobs at once, without counting an attempt", async () => {
      const leaving = open({ stopTimeoutMs: 50 }).consume({ maxAttempts: 1 });
      const staying = open();
      await staying.add("a");
      const { signal } = await leaving.nth(0);
      const stoppedAt = Date.now();
      await leaving.queue.stop();
      assert.equal(signal.aborted, true);
      staying.consume({ maxAttempts: 1 });
      (await staying.nth(0)).end();
      await staying.done();
      assert.ok(Date.now() - stoppedAt < SOON_MS);
      assert.deepEqual([...leaving.failed, ...staying.failed], []);
      assert.equal(staying.started.length, 1);
    });

    it("counts earlier attempts", async () => {
      const leaving = open({ stopTimeoutMs: 50 }).consume({ maxAttempts: 2 });
      await leaving.add("a");
      (await leaving.nth(0)).end(new Error("first"));
      await leaving.nth(1);
      await leaving.queue.stop();
      const staying = open().consume({ maxAttempts: 2 });
      (await staying.nth(0)).end(new Error("second"));
      await staying.done();
      assert.deepEqual(staying.failed, [["a", "second"]]);
    });

    it("loses no job and doesn't wait under load", async () => {
      const staying = open();
      const done = new Set<string>();
      const handle = async ({ screenshotId }: { screenshotId: string }) => {
        await new Promise(resolve => setTimeout(resolve, 5));
        done.add(screenshotId);
      };
      const leaving = [open(), open()].map(node => node.consume({ concurrency: 8, handle }));
      const ids = Array.from({ length: 400 }, (_, index) => `job-${index}`);
      await Promise.all(ids.map(id => staying.add(id)));
      await until(() => done.size > 50);
      staying.consume({ concurrency: 8, handle });
      await Promise.all(leaving.map(({ queue }) => queue.stop()));
      const stoppedAt = Date.now();
      await staying.done();
      assert.ok(Date.now() - stoppedAt < SOON_MS);
      assert.equal(done.size, ids.length);
    });
  });

  async function waitingRequests(): Promise<number> {
    const jsm = await client.jetstreamManager();
    const info = await jsm.consumers.info("vrs-compare", "workers").catch(() => null);
    return info?.num_waiting ?? 0;
  }
});
