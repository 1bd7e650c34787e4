import assert from "node:assert/strict";
import type { ServiceBroker } from "moleculer";
import { connect, type NatsConnection } from "nats";
import { CONTRACTS } from "../../../shared/contracts/contract-version.ts";
import { until } from "../../support/drivers/until.ts";
import { LockedNats, passwordOf } from "../../support/servers/locked-nats.ts";
import { BusNodes, busOf, sees } from "../../support/servers/nodes/bus-node.ts";
import { needs } from "../../support/servers/server-programs.ts";

/** Header of an uncompressed message on the bus. */
const UNCOMPRESSED = "\0";
const HOSTILE = "renderer-1";
const INVENTED = "core.invented-1-abc";
const FUTURE = { version: CONTRACTS.version + 5, oldest: CONTRACTS.version + 5 };

describe("Contracts that a worker announces", () => {
  let nats: LockedNats;
  let nodes: BusNodes;
  let running: ServiceBroker;
  const clients: NatsConnection[] = [];

  needs("nats-server");

  before(async () => {
    nats = await LockedNats.start();
    nodes = new BusNodes(nats.server);
    running = await start({ ask: () => "answer" });
  });

  afterEach(async () => {
    await Promise.all(clients.splice(0).map(client => client.close()));
  });

  after(async () => {
    await nodes?.stop();
    await nats?.close();
  });

  const make = (actions?: Parameters<BusNodes["make"]>[0]) =>
    nodes.make(actions, { NATS_URL: nats.urlOf("core"), SERVICES: "gateway" });

  async function start(actions?: Parameters<BusNodes["make"]>[0]): Promise<ServiceBroker> {
    const node = make(actions);
    await node.start();
    return node;
  }

  async function connectAs(user: string): Promise<NatsConnection> {
    const client = await connect({
      servers: `127.0.0.1:${nats.server.port}`,
      user,
      pass: passwordOf(user),
      inboxPrefix: `_INBOX_${user}`,
    });
    clients.push(client);
    return client;
  }

  /** Answers each node that looks for others, under all these ids. Returns the ids of answered nodes. */
  async function answerAs(client: NatsConnection, senders: string[], metadata: object): Promise<Set<string>> {
    const answered = new Set<string>();
    client.subscribe("MOL-vrs.DISCOVER", {
      callback: (error, { data }) => {
        if (error) return;
        const { sender: newcomer } = JSON.parse(new TextDecoder().decode(data.subarray(1)));
        for (const sender of senders)
          client.publish(`MOL-vrs.INFO.${newcomer}`, announcementOf(sender, metadata));
        answered.add(newcomer);
      },
    });
    await client.flush();
    return answered;
  }

  const announcementOf = (sender: string, metadata: object) =>
    UNCOMPRESSED +
    JSON.stringify({
      ver: running.PROTOCOL_VERSION,
      sender,
      services: [],
      instanceID: sender,
      ipList: [],
      hostname: "x",
      client: {},
      config: {},
      metadata,
      seq: 1,
    });

  it("keep no core node from starting, in any name", async () => {
    const names = [`worker.${HOSTILE}.x-1-abc`, INVENTED, running.nodeID, "core.*", "core.a b", "core.>"];
    const answered = await answerAs(await connectAs(HOSTILE), names, { contracts: FUTURE });
    const node = make();
    await node.start();
    await until(() => answered.has(node.nodeID));
    await sees(node, "test.ask");
    assert.equal(await node.call("test.ask"), "answer");
    const ids = node.registry.nodes.list({}).map(({ id }) => id);
    assert.ok(!ids.includes(INVENTED));
  });

  it("don't keep a core node from starting if they are many", async () => {
    const names = Array.from({ length: 500 }, (_, index) => `core.invented-${index}-abc`);
    const answered = await answerAs(await connectAs(HOSTILE), names, {});
    const node = make();
    await node.start();
    await until(() => answered.has(node.nodeID));
  });

  it("are reported by running nodes, which ignore them", async () => {
    const node = await start();
    const errors: string[] = [];
    node.logger.error = (message: unknown) => void errors.push(String(message));
    const worker = await connectAs(HOSTILE);
    for (const sender of [INVENTED, `worker.${HOSTILE}.x-1-abc`, `worker.${"x".repeat(500)}`])
      worker.publish("MOL-vrs.INFO", announcementOf(sender, { contracts: FUTURE }));
    await until(() => errors.length === 2);
    const text = errors.toSorted().join("\n");
    assert.match(text, /No core node has this name/);
    assert.match(text, /Restart the worker/);
    assert.equal(node.stopping, false);
  });

  it("can't replace the answer of a core node", async () => {
    const worker = await connectAs(HOSTILE);
    const refused: string[] = [];
    worker.subscribe(`MOL-vrs.CONTRACTS.${INVENTED}`, {
      callback: error => void (error && refused.push(error.message)),
    });
    await worker.flush();
    await until(() => refused.length === 1);
    assert.deepEqual(await busOf(running).askContracts(running.nodeID), CONTRACTS);
    assert.equal(await busOf(running).askContracts(INVENTED), null);
  });

  it("count if a core node announces them, also one that is too old to be asked", async () => {
    const OLD = "core.old-1-abc";
    const old = await connectAs("core");
    old.subscribe(`MOL-vrs.PING.${OLD}`);
    await answerAs(old, [OLD], {});
    await assert.rejects(make().start(), /core\.old-1-abc has version 0 of the message contracts/);
  });
});
