import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import { homedir } from "node:os";
import type { ServiceBroker } from "moleculer";
import { freePort } from "../../support/drivers/free-port.ts";
import { until } from "../../support/drivers/until.ts";
import { NatsServer } from "../../support/servers/nats-server.ts";
import { BusNodes, busOf } from "../../support/servers/nodes/bus-node.ts";
import { needs } from "../../support/servers/server-programs.ts";

describe("A node's own port", () => {
  needs("nats-server");
  let nats: NatsServer;
  let nodes: BusNodes;
  let port: number;
  let node: ServiceBroker;
  let answered: PromiseWithResolvers<void>;

  const ask = async (path: string, init?: RequestInit) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, init);
    return { status: answer.status, type: answer.headers.get("Content-Type"), text: await answer.text() };
  };

  beforeEach(async () => {
    nats = await NatsServer.start();
    nodes = new BusNodes(nats);
    port = await freePort();
    answered = Promise.withResolvers();
    node = nodes.make({ slow: () => answered.promise }, { METRICS_PORT: String(port) });
  });
  afterEach(async () => {
    await nodes.stop();
    await nats.close();
  });

  it("ends the start when another program uses it", async () => {
    const other: Server = createServer().listen(port);
    try {
      await assert.rejects(node.start(), { code: "EADDRINUSE" });
    } finally {
      other.close();
    }
  });

  it("reports that the node isn't ready while it waits for the bus", async () => {
    await nats.kill();
    const started = node.start();
    await until(async () => (await ask("/live").catch(() => null))?.status === 200);
    const { status, text } = await ask("/health");
    assert.equal(status, 503);
    assert.match(text, /starting or stopping.*not connected to NATS/);
    await nats.start();
    await started;
    assert.equal((await ask("/health")).status, 200);
  });

  it("reports a lost bus, and its return", async () => {
    await node.start();
    assert.deepEqual(JSON.parse((await ask("/ready")).text), { status: "ok", faults: [] });
    await nats.kill();
    await until(() => !busOf(node).online);
    assert.deepEqual(JSON.parse((await ask("/ready")).text), {
      status: "unavailable",
      faults: ["The node is not connected to NATS."],
    });
    assert.equal((await ask("/live")).status, 200);
    await nats.start();
    await until(async () => (await ask("/ready")).status === 200);
  });

  it("reports that the node is stopping, and closes with it", async () => {
    await node.start();
    const asked = node.call("test.slow");
    const stopped = node.stop();
    assert.equal((await ask("/health")).status, 503);
    answered.resolve();
    await Promise.all([asked, stopped]);
    await assert.rejects(ask("/health"), { message: "fetch failed" });
  });

  it("listens on loopback only, unless METRICS_HOST names another address", async function () {
    // Another address of this machine, which only Linux has by default.
    if (process.platform !== "linux") this.skip();
    await node.start();
    assert.equal((await ask("/live")).status, 200);
    await assert.rejects(fetch(`http://127.0.0.2:${port}/live`), { message: "fetch failed" });
    await node.stop();
    const open = nodes.make(undefined, { METRICS_PORT: String(port), METRICS_HOST: "0.0.0.0" });
    await open.start();
    assert.equal((await fetch(`http://127.0.0.2:${port}/live`)).status, 200);
  });

  it("serves the node's metrics without a key, and nothing else", async () => {
    await node.start();
    const { status, type, text } = await ask("/metrics");
    assert.equal(status, 200);
    assert.match(type ?? "", /^text\/plain; version=0\.0\.4/);
    assert.match(text, /^# TYPE process_uptime_seconds gauge$/m);
    // Nothing that only an attacker needs.
    assert.doesNotMatch(text, /^(?:process_arguments|os_user_|os_network_mac)/m);
    for (const secret of [process.argv[1] ?? "", homedir()]) assert.ok(!text.includes(secret), secret);
    assert.equal((await ask("/v1/runs")).status, 404);
    assert.equal((await ask("/metrics", { method: "POST" })).status, 405);
  });
});
