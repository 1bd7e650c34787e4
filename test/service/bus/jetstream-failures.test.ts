import assert from "node:assert/strict";
import { connect } from "nats";
import { until } from "../../support/drivers/until.ts";
import { NatsServer } from "../../support/servers/nats-server.ts";
import { JetStreamNode } from "../../support/servers/nodes/queue-node.ts";
import { needs } from "../../support/servers/server-programs.ts";

describe("The queue of a cluster when NATS fails", () => {
  needs("nats-server");
  let server: NatsServer;
  let nodes: JetStreamNode[];

  const open = (url = server.url) => {
    const node = new JetStreamNode(url);
    nodes.push(node);
    return node;
  };

  beforeEach(async () => {
    nodes = [];
    server = await NatsServer.prepare();
  });
  afterEach(async () => {
    await Promise.all(nodes.map(node => node.close()));
    await server.close();
  });

  it("waits for a server that starts later, and logs that once, without passwords", async () => {
    const node = open(server.url.replace("nats://", "nats://me:secret@")).consume();
    const added = node.add("a");
    await until(() => node.logged.length > 0);
    await server.start();
    await added;
    assert.equal((await node.nth(0)).id, "a");
    assert.match(String(node.logged[0]), /^NATS is not reachable at 127\.0\.0\.1:/);
    assert.match(String(node.logged[1]), /^Connected/);
    assert.equal(node.logged.length, 2);
    assert.ok(!node.logged.join().includes("secret"));
  });

  it("rejects a job that no server accepts in time", async () => {
    await assert.rejects(open().add("a"), /was not queued: NATS is not connected/);
  });

  it("stops at once while it waits for a server", async () => {
    const node = open().consume({ concurrency: 4 });
    await until(() => node.logged.length > 0);
    await node.queue.stop();
  });

  it("loses no job when the server is killed and restarts with its store", async () => {
    await server.start();
    const node = open().consume({ concurrency: 2 });
    for (const id of ["a", "b", "c"]) await node.add(id);
    await node.nth(1);
    await server.kill();
    await until(() => node.logged.some(line => line.includes("was lost")));
    const added = node.add("d");
    await server.start();
    await added;
    for (const { end } of node.started) end();
    node.started.length = 0;
    await until(() => node.logged.some(line => line.startsWith("NATS is back")));
    const seen = new Set<string>();
    await until(async () => {
      for (const { id, end } of node.started) {
        seen.add(id);
        end();
      }
      const { waiting, underWay } = await node.load();
      return waiting + underWay === 0;
    });
    assert.ok(seen.has("c") && seen.has("d"));
    assert.deepEqual(node.failed, []);
  });

  it("recovers when the server restarts without its store", async () => {
    await server.start();
    const worker = open().consume();
    const sender = open();
    await sender.add("a");
    const { end } = await worker.nth(0);
    await server.kill();
    await server.start({ keepStore: false });
    await sender.add("b");
    // It is the first message of both stores. Its response must not count for the other store's message.
    end();
    assert.equal((await worker.nth(1)).id, "b");
    assert.deepEqual(await sender.queue.idsOf("compare", "run"), new Set(["b"]));
  });

  it("creates its streams again when they are deleted", async () => {
    await server.start();
    const node = open().consume();
    await node.add("a");
    (await node.nth(0)).end();
    await node.done();
    const client = await connect({ servers: server.url });
    const jsm = await client.jetstreamManager();
    for (const name of ["capture", "compare", "result"]) await jsm.streams.delete(`vrs-${name}`);
    await client.close();
    assert.deepEqual(await node.queue.idsOf("compare", "run"), new Set());
    await node.add("b");
    assert.equal((await node.nth(1)).id, "b");
  });

  it("gives a dead node's job to another node", async () => {
    await server.start();
    const client = await connect({ servers: server.url });
    const node = open();
    await node.add("a");
    const request = JSON.stringify({ batch: 1, expires: 5_000_000_000 });
    await client.request("$JS.API.CONSUMER.MSG.NEXT.vrs-compare.workers", request, {
      timeout: 6_000,
      noMux: true,
    });
    await client.close();
    node.consume();
    assert.equal((await node.nth(0)).id, "a");
  });

  it("continues when a hanging server responds again", async () => {
    await server.start();
    const node = open().consume();
    await node.add("a");
    const { end } = await node.nth(0);
    server.pause();
    end();
    const added = node.add("b");
    await new Promise(resolve => setTimeout(resolve, 4_000));
    server.resume();
    await added;
    (await node.nth(1)).end();
    await node.done();
    assert.deepEqual(node.ids, ["a", "b"]);
  });

  it("reads users and tokens from the address", async () => {
    await server.close();
    server = await NatsServer.start({ args: ["--user", "me", "--pass", "p@ss"] });
    const refused = open();
    refused.consume();
    await until(() => refused.logged.length > 0);
    assert.match(String(refused.logged[0]), /Authorization Violation/);
    const node = open(server.url.replace("nats://", "nats://me:p%40ss@"));
    await node.add("a");
  });
});
