import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { connect, type NatsConnection } from "nats";
import { NatsTunnels } from "../../../mixins/tunnels/nats-tunnels.ts";
import { MAX_CHUNK_BYTES, tunnelKey } from "../../../shared/contracts/runs/tunnels.ts";
import { until } from "../../support/drivers/until.ts";
import { LockedNats, passwordOf } from "../../support/servers/locked-nats.ts";
import { needs } from "../../support/servers/server-programs.ts";

const WORKER = "renderer-1";
const KEY = tunnelKey("team", "t".repeat(43));
const LOG = { info: () => {}, warn: () => {} };

describe("Tunnels in a fleet", () => {
  let nats: LockedNats;
  let gateway: NatsTunnels;
  let otherGateway: NatsTunnels;
  let renderer: NatsTunnels;
  let worker: NatsConnection;

  needs("nats-server");

  before(async () => {
    nats = await LockedNats.start();
    const as = (user: string) => new NatsTunnels([nats.urlOf(user)], user, LOG);
    gateway = as("core");
    otherGateway = as("core");
    renderer = as(WORKER);
    worker = await connect({
      servers: `127.0.0.1:${nats.server.port}`,
      user: WORKER,
      pass: passwordOf(WORKER),
      inboxPrefix: `_INBOX_${WORKER}`,
    });
  });
  after(async () => {
    await Promise.all([gateway?.close(), otherGateway?.close(), renderer?.close(), worker?.close()]);
    await nats?.close();
  });

  it("answer a renderer, wherever they are held", async () => {
    assert.equal(await renderer.request(KEY, { op: "check" }), null);
    const data = Buffer.alloc(MAX_CHUNK_BYTES, "\n\0x");
    const release = await gateway.serve(KEY, async request =>
      request.op === "write" && request.data.equals(data) && request.stream === "1"
        ? { is: "data", data: request.data }
        : { is: "alive", session: "first" },
    );
    // The subscription may reach the server after the request.
    await until(async () => (await renderer.request(KEY, { op: "check" })) !== null);
    assert.deepEqual(await renderer.request(KEY, { op: "check" }), { is: "alive", session: "first" });
    const echo = await renderer.request(KEY, { op: "write", stream: "1", data });
    assert.ok(echo?.is === "data" && echo.data.equals(data));
    release();
    // A request that reaches the server before the end of the subscription is lost.
    const answer = () => renderer.request(KEY, { op: "check" }).catch(() => "lost");
    await until(async () => (await answer()) === null);
    const releaseOther = await otherGateway.serve(KEY, async () => ({ is: "alive", session: "second" }));
    await until(async () => (await renderer.request(KEY, { op: "check" })) !== null);
    releaseOther();
  });

  it("can't be listened to, or held, by a renderer", async () => {
    const heard: string[] = [];
    for (const subject of ["vrs.tunnel.>", `vrs.tunnel.${KEY}`])
      worker.subscribe(subject, {
        callback: (error, { subject }) => void heard.push(error ? "refused" : subject),
      });
    await worker.flush();
    await until(() => heard.length === 2);
    assert.deepEqual(heard, ["refused", "refused"]);
  });

  it("send no answer to a place that the renderer names, and ignore what is no request", async () => {
    let asked = 0;
    const release = await gateway.serve(KEY, async () => {
      asked += 1;
      return { is: "done" };
    });
    await until(async () => (await renderer.request(KEY, { op: "check" })) !== null);
    const before = asked;
    const victim = await connect({
      servers: `127.0.0.1:${nats.server.port}`,
      user: "core",
      pass: passwordOf("core"),
    });
    const heard: string[] = [];
    victim.subscribe("MOL-vrs.>", { callback: (_error, { subject }) => void heard.push(subject) });
    await victim.flush();
    worker.publish(`vrs.tunnel.${KEY}`, '{"op":"check"}\n', { reply: "MOL-vrs.REQ.core.victim" });
    for (const text of ["", "{", '{"op":"delete"}\n', '{"op":"read"}\n', "\n"])
      worker.publish(`vrs.tunnel.${KEY}`, text, { reply: `_INBOX_${WORKER}.x` });
    await worker.flush();
    await delay(300);
    assert.deepEqual([heard, asked], [[], before]);
    assert.deepEqual((await renderer.request(KEY, { op: "check" }))?.is, "done");
    await victim.close();
    release();
  });
});
