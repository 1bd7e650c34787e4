import assert from "node:assert/strict";
import { connect } from "nats";
import { encodeJob } from "../../../mixins/queue/job-message.ts";
import { CONTRACTS } from "../../../shared/contracts/contract-version.ts";
import { until } from "../../support/drivers/until.ts";
import { NatsServer } from "../../support/servers/nats-server.ts";
import { JetStreamNode } from "../../support/servers/nodes/queue-node.ts";
import { needs } from "../../support/servers/server-programs.ts";

const NEWER = CONTRACTS.version + 3;

describe("A job of another version", () => {
  needs("nats-server");
  let nats: NatsServer;
  let node: JetStreamNode;

  beforeEach(async () => {
    nats = await NatsServer.start();
    node = new JetStreamNode(nats.url);
    // Creates the streams.
    await node.load();
  });
  afterEach(async () => {
    await node.close();
    await nats.close();
  });

  /** Queues a job as a node with these contracts does. */
  async function addAs(id: string, version: number, oldest: number, queuedAtMs?: number): Promise<void> {
    const job = { runId: "run", screenshotId: id, baselineHash: "a", currentHash: "b", token: "" };
    const { subject, data, headers } = await encodeJob("compare", job, { id, fairKey: "run" });
    headers.set("Vrs-Contract", `${version} ${oldest}`);
    if (queuedAtMs !== undefined) headers.set("Vrs-Queued", String(queuedAtMs));
    const client = await connect({ servers: nats.url });
    await client.jetstream().publish(subject, data, { headers });
    await client.close();
  }

  it("runs here if its contracts are compatible", async () => {
    await addAs("readable", NEWER, CONTRACTS.version);
    const { id, end } = await node.consume().nth(0);
    end();
    assert.equal(id, "readable");
  });

  it("stays in the queue for a newer node if it is too new", async () => {
    await addAs("too-new", NEWER, NEWER);
    node.consume();
    await node.add("own");
    const { end } = await node.nth(0);
    end();
    await until(async () => (await node.load()).underWay + (await node.load()).waiting === 1);
    assert.deepEqual(node.ids, ["own"]);
    assert.deepEqual(await node.queue.idsOf("compare", "run"), new Set(["too-new"]));
  });

  it("leaves the queue if no node has taken it for hours", async () => {
    await addAs("forgotten", NEWER, NEWER, Date.now() - 3 * 60 * 60_000);
    await addAs("too-new", NEWER, NEWER, Date.now() - 60 * 60_000);
    node.consume();
    await until(async () => !(await node.queue.idsOf("compare", "run")).has("forgotten"));
    assert.deepEqual(await node.queue.idsOf("compare", "run"), new Set(["too-new"]));
    assert.deepEqual([node.ids, node.failed], [[], []]);
  });

  it("leaves the queue if it is too old, so that the recovery sweep queues it again", async () => {
    await addAs("too-old", 0, 0);
    node.consume();
    await node.done();
    assert.deepEqual(node.ids, []);
    assert.deepEqual(node.failed, []);
  });
});
