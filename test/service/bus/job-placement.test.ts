import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { until } from "../../support/drivers/until.ts";
import { NatsServer } from "../../support/servers/nats-server.ts";
import { JetStreamNode } from "../../support/servers/nodes/queue-node.ts";
import { needs } from "../../support/servers/server-programs.ts";

/** More than a node's workers, as a region with many busy renderers has. */
const JOBS = 40;

describe("A job that only some nodes can run", () => {
  needs("nats-server");
  let nats: NatsServer;
  let nodes: JetStreamNode[];

  /** Starts a node that runs jobs with this prefix. @returns it, and the jobs that it was given */
  const open = (prefix: string, concurrency: number) => {
    const node = new JetStreamNode(nats.url);
    const seen: string[] = [];
    nodes.push(node);
    node.consume({
      concurrency,
      fits: ({ screenshotId }) => {
        seen.push(screenshotId);
        return screenshotId.startsWith(prefix);
      },
    });
    return { node, seen };
  };

  beforeEach(async () => {
    nats = await NatsServer.start();
    nodes = [];
  });
  afterEach(async () => {
    await Promise.all(nodes.map(node => node.close()));
    await nats.close();
  });

  it("doesn't delay jobs that others can run", async () => {
    const { node } = open("here", 1);
    for (let index = 0; index < JOBS; index += 1) await node.add(`away-${index}`);
    const addedAt = performance.now();
    await node.add("here");
    assert.equal((await node.nth(0)).id, "here");
    const waitedMs = performance.now() - addedAt;
    assert.ok(waitedMs < (JOBS * 500) / 4, `${Math.round(waitedMs)} ms behind ${JOBS} jobs for other nodes`);
  });

  it("reaches a free node that can run it, past those that can't", async () => {
    const { node } = open("here", 4);
    await node.add("here");
    await node.nth(0);
    const away = open("away", 1);
    await until(() => away.node.logged.some(line => line.startsWith("Connected")));
    for (const id of ["away-1", "away-2"]) {
      await node.add(id);
      await until(() => away.node.ids.includes(id));
      away.node.started.find(job => job.id === id)?.end();
    }
    assert.deepEqual(node.ids, ["here"]);
  });

  it("isn't handed around all the time while no node can run it", async () => {
    const { node, seen } = open("here", 2);
    await node.add("away");
    await until(() => seen.length > 0);
    await delay(2_000);
    // Four at once, then one after each hold of a quarter of a second.
    assert.ok(seen.length < 60, `given ${seen.length} times`);
    assert.deepEqual(await node.queue.idsOf("compare", "run"), new Set(["away"]));
    const { node: other } = open("away", 1);
    assert.equal((await other.nth(0)).id, "away");
  });
});
