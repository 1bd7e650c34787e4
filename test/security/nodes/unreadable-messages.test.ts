import assert from "node:assert/strict";
import { deflateSync } from "node:zlib";
import type { ServiceBroker } from "moleculer";
import { connect, type NatsConnection } from "nats";
import { until } from "../../support/drivers/until.ts";
import { LockedNats, passwordOf } from "../../support/servers/locked-nats.ts";
import { BusNodes, busOf, sees } from "../../support/servers/nodes/bus-node.ts";
import { needs } from "../../support/servers/server-programs.ts";

const HOSTILE = "renderer-1";
/** Byte before a compressed message on the bus. */
const DEFLATED = 1;
/** Larger than any message. It compresses to less than the 1 MB that NATS allows. */
const BOMB_BYTES = 200 * 1_048_576;

describe("Messages of a worker that no node can read", () => {
  let nats: LockedNats;
  let nodes: BusNodes;
  let node: ServiceBroker;
  let asking: ServiceBroker;
  let worker: NatsConnection;
  const statuses: string[] = [];
  const warnings: string[] = [];

  needs("nats-server");

  before(async () => {
    nats = await LockedNats.start();
    nodes = new BusNodes(nats.server);
    const env = { NATS_URL: nats.urlOf("core"), SERVICES: "gateway" };
    node = await nodes.start({ ask: () => "answer" }, env);
    asking = await nodes.start(undefined, env);
    await sees(asking, "test.ask");
    const logger = busOf(node).logger;
    logger.warn = (...parts: unknown[]) => void warnings.push(parts.join(" "));
    void watch(busOf(node).client);
    worker = await connect({
      servers: `127.0.0.1:${nats.server.port}`,
      user: HOSTILE,
      pass: passwordOf(HOSTILE),
      inboxPrefix: `_INBOX_${HOSTILE}`,
    });
  });

  after(async () => {
    await worker?.close();
    await nodes?.stop();
    await nats?.close();
  });

  async function watch(client: NatsConnection): Promise<void> {
    for await (const { type } of client.status()) if (type === "disconnect") statuses.push(type);
  }

  const sendToAll = (data: Uint8Array) => {
    for (const command of ["INFO", "DISCOVER", "HEARTBEAT", "DISCONNECT", "PING", `PING.${node.nodeID}`])
      worker.publish(`MOL-vrs.${command}`, data);
    return worker.flush();
  };

  it("don't end the connection, empty or of an unknown kind", async () => {
    for (const bytes of [[], [2], [0], [DEFLATED], [DEFLATED, 1, 2], [0, 123]])
      await sendToAll(Uint8Array.from(bytes));
    assert.equal(await asking.call("test.ask"), "answer");
    assert.deepEqual(statuses, []);
  });

  it("don't fill the memory", async () => {
    const bomb = deflateSync(Buffer.alloc(BOMB_BYTES));
    worker.publish("MOL-vrs.PING", Buffer.concat([Buffer.of(DEFLATED), bomb]));
    await until(() => warnings.some(text => /PING from the bus can't be read.*larger than/.test(text)));
    assert.equal(await asking.call("test.ask"), "answer");
    assert.deepEqual(statuses, []);
  });
});
