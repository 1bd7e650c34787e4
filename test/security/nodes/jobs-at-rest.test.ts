import assert from "node:assert/strict";
import { readAllFiles } from "../../support/fixtures/files.ts";
import { LockedNats } from "../../support/servers/locked-nats.ts";
import { JetStreamNode } from "../../support/servers/nodes/queue-node.ts";
import { needs } from "../../support/servers/server-programs.ts";

const TOKEN = "secret-of-a-request-header";

describe("Waiting jobs in the Compose file's NATS", () => {
  needs("nats-server");
  let nats: LockedNats;
  let node: JetStreamNode;

  before(async () => {
    nats = await LockedNats.start();
    node = new JetStreamNode(nats.urlOf("core"));
    await node.load();
  });
  after(async () => {
    await node?.close();
    await nats?.close();
  });

  it("are encrypted on disk, with their request headers", async () => {
    const options = { headers: { authorization: TOKEN } };
    const about = { runId: "run_1", teamId: "team_1", url: "https://shop.example/", rendering: null };
    const job = { ...about, options, screenshots: [] };
    await node.queue.enqueue("capture", job, { id: "route", fairKey: "run_1", attempt: 1 });
    const stored = await readAllFiles(nats.server.store);
    assert.ok(stored.length > 200, "the job is on the disk");
    assert.ok(!stored.includes(TOKEN));
  });
});
