import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import type { Context, ServiceBroker, ServiceSchema } from "moleculer";
import { connect, type NatsConnection, nanos } from "nats";
import { nodeIdFor } from "../../../shared/broker/node-kinds.ts";
import { until } from "../../support/drivers/until.ts";
import { LockedNats, passwordOf } from "../../support/servers/locked-nats.ts";
import { BusNodes, sees } from "../../support/servers/nodes/bus-node.ts";
import { JetStreamNode } from "../../support/servers/nodes/queue-node.ts";
import { needs } from "../../support/servers/server-programs.ts";

/** Header of an uncompressed message on the bus. */
const UNCOMPRESSED = "\0";
const HOSTILE = "renderer-1";
const FORGER = "worker.forger-1-abc";
const service = (name: string, actions: string[], fields: object = {}) => ({
  name,
  fullName: name,
  actions: Object.fromEntries(actions.map(action => [action, { name: action }])),
  events: {},
  ...fields,
});

describe("A node's id", () => {
  it("contains its kind, in two tokens for any host name", () => {
    const host = "ip-10-0-0-1.ec2.internal";
    const place = "ip-10-0-0-1_ec2_internal-\\d+-\\w+";
    assert.match(nodeIdFor(["renderer", "differ"], null, host), new RegExp(`^worker\\.${place}$`));
    assert.match(nodeIdFor(["renderer", "runs"], null, host), new RegExp(`^core\\.${place}$`));
  });

  it("contains a worker's NATS user, but not a core node's", () => {
    assert.match(nodeIdFor(["renderer"], "renderer-1", "host"), /^worker\.renderer-1\.host-/);
    assert.match(nodeIdFor(["runs"], "core", "host"), /^core\.host-/);
  });
});

describe("A process with a renderer's password", () => {
  let nats: LockedNats;
  let nodes: BusNodes;
  let asking: ServiceBroker;
  let coreQueue: JetStreamNode;
  let worker: NatsConnection;
  const heard: string[] = [];

  needs("nats-server");

  before(async () => {
    nats = await LockedNats.start();
    nodes = new BusNodes(nats.server);
    const env = { NATS_URL: nats.urlOf("core"), SERVICES: "gateway" };
    await nodes.start({ ask: () => "secret" }, env);
    asking = await nodes.start(undefined, env);
    coreQueue = new JetStreamNode(nats.urlOf("core"));
    await coreQueue.load();
    worker = await connect({
      servers: `127.0.0.1:${nats.server.port}`,
      user: HOSTILE,
      pass: passwordOf(HOSTILE),
      inboxPrefix: `_INBOX_${HOSTILE}`,
    });
  });

  after(async () => {
    await worker?.close();
    await coreQueue?.close();
    await nodes?.stop();
    await nats?.close();
  });

  const listen = (subject: string) =>
    worker.subscribe(subject, {
      callback: (error, message) => void heard.push(error ? "refused" : message.subject),
    });

  /** Announces this node to all nodes. */
  const announce = async (sender: string, services: object[]) => {
    const { PROTOCOL_VERSION: ver } = asking;
    const metadata = { contracts: asking.metadata.contracts };
    const facts = { ipList: [], hostname: "x", client: {}, config: {}, metadata, seq: 1 };
    const info = { ver, sender, services, instanceID: sender, ...facts };
    worker.publish("MOL-vrs.INFO", UNCOMPRESSED + JSON.stringify(info));
    await worker.flush();
    await until(() => asking.registry.nodes.list({}).some(({ id }) => id === sender));
  };

  /** Starts a node that receives forged messages. */
  const startVictim = async (actions?: ServiceSchema["actions"], events?: ServiceSchema["events"]) => {
    const victim = nodes.make(actions, { NATS_URL: nats.urlOf("core"), SERVICES: "gateway" });
    if (events) victim.createService({ name: "listener", events });
    await victim.start();
    return victim;
  };

  /** Returns a request or an event in its form on the bus. */
  const message = (fields: object) =>
    UNCOMPRESSED +
    JSON.stringify({
      ver: asking.PROTOCOL_VERSION,
      meta: {},
      level: 1,
      tracing: false,
      parentID: null,
      requestID: "1",
      caller: null,
      stream: false,
      ...fields,
    });

  /** Sends it as a worker, directly and as a JetStream job. */
  let jobs = 0;
  const publishOrJob = async (subject: string, text: string) => {
    worker.publish(subject, text);
    await worker.request(`vrs.work.capture.1.${++jobs}`, text, { timeout: 10_000 });
    const take = JSON.stringify({ batch: 1, expires: nanos(2_000) });
    worker.publish("$JS.API.CONSUMER.MSG.NEXT.vrs-capture.workers", take, { reply: subject });
    await worker.flush();
    await delay(500);
  };

  const publishAsCore = async (subject: string, text: string) => {
    const core = await connect({
      servers: `127.0.0.1:${nats.server.port}`,
      user: "core",
      pass: passwordOf("core"),
    });
    core.publish(subject, text);
    await core.drain();
  };

  it("receives neither requests and responses of core nodes nor their messages from JetStream", async () => {
    heard.length = 0;
    for (const subject of [
      "MOL-vrs.>",
      "MOL-vrs.REQ.>",
      "MOL-vrs.RES.core.>",
      "MOL-vrs.*.*.>",
      "_INBOX.>",
      "*.>",
      "vrs.>",
    ])
      listen(subject);
    await worker.flush();
    await sees(asking, "test.ask");
    assert.equal(await asking.call("test.ask"), "secret");
    await coreQueue.load();
    await worker.flush();
    assert.deepEqual(heard, Array(7).fill("refused"));
  });

  it("can't change, purge, read, or delete a stream, nor take results", async () => {
    const jsm = await worker.jetstreamManager({ checkAPI: false });
    const refused = /permissions violation/i;
    for (const stream of ["vrs-capture", "vrs-compare", "vrs-result"]) {
      await assert.rejects(jsm.streams.update(stream, { max_msgs: 1 }), refused);
      await assert.rejects(jsm.streams.purge(stream), refused);
      await assert.rejects(jsm.streams.delete(stream), refused);
      await assert.rejects(jsm.streams.getMessage(stream, { seq: 1 }), refused);
      await assert.rejects(jsm.consumers.add(stream, { durable_name: "workers" }), refused);
      await assert.rejects(jsm.consumers.delete(stream, "workers"), refused);
    }
    for (const stream of ["vrs-compare", "vrs-result"]) {
      const take = `$JS.API.CONSUMER.MSG.NEXT.${stream}.workers`;
      await assert.rejects(worker.request(take, "1", { timeout: 10_000 }), refused);
    }
    assert.equal((await jsm.streams.info("vrs-result")).config.max_msgs, -1);
  });

  it("gets only a worker's requests, whatever it offers", async () => {
    await announce(FORGER, [
      service("teams", ["teams.authenticate"]),
      service("renderer", ["teams.authenticate", "test.ask", "renderer.load"]),
      service("differ", ["differ.load"], { fullName: "runs" }),
      service("differ", [], {
        events: {
          a: { name: "**" },
          b: { name: "run.canceled", group: "runs" },
          "run.completed": { name: "run.completed", group: "runs" },
        },
      }),
    ]);
    const has = (action: string) =>
      (asking.registry.actions.get(action)?.endpoints ?? []).some(({ id }) => id === FORGER);
    assert.ok(has("renderer.load"));
    for (const action of ["teams.authenticate", "test.ask", "differ.load"]) assert.ok(!has(action), action);
    const node = asking.registry.nodes.list({ withServices: true }).find(({ id }) => id === FORGER);
    assert.deepEqual(
      node?.services.map(({ name, fullName, events }) => [name, fullName, Object.keys(events ?? {})]),
      [
        ["renderer", "renderer", []],
        ["differ", "differ", []],
      ],
    );
  });

  it("can't call an action, not even with a job's reply subject", async () => {
    let asked = 0;
    const victim = await startVictim({ count: () => ++asked });
    const request = message({ sender: FORGER, id: "1", action: "test.count", params: {} });
    const subject = `MOL-vrs.REQ.${victim.nodeID}`;
    await publishOrJob(subject, request);
    assert.equal(asked, 0);
    await publishAsCore(subject, request);
    await until(() => asked === 1);
  });

  it("can't send an event in any name, so that it can't have a team's data deleted", async () => {
    const gone: unknown[] = [];
    const victim = await startVictim(undefined, {
      "team.gone": { handler: ({ params }: Context) => void gone.push(params) },
    });
    for (const sender of [FORGER, asking.nodeID]) {
      const event = message({
        sender,
        id: sender,
        event: "team.gone",
        data: { teamId: "team_a" },
        groups: null,
        broadcast: true,
        needAck: false,
      });
      const subject = `MOL-vrs.EVENT.${victim.nodeID}`;
      await publishOrJob(subject, event);
      assert.deepEqual(gone, []);
      await publishAsCore(subject, event);
      await until(() => gone.length === 1);
      gone.length = 0;
    }
  });
});
