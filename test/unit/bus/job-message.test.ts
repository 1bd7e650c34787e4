import assert from "node:assert/strict";
import { headers } from "nats";
import { decodeJob, encodeJob, readDelivery } from "../../../mixins/queue/job-message.ts";
import { natsServers } from "../../../mixins/queue/nats-servers.ts";

const job = (text: string) => ({
  runId: "run",
  screenshotId: "a",
  baselineHash: text,
  currentHash: "new",
  token: "",
});

const REPLY = "$JS.ACK.vrs-compare.workers.3.17.21.1795259194163973269.0";

describe("A job's message", () => {
  it("has the job's name as its subject, and an id for each attempt", async () => {
    const message = await encodeJob("compare", job("old"), { id: "a-1", fairKey: "run_1", attempt: 3 });
    assert.equal(message.subject, "vrs.work.compare.run_1.a-1");
    assert.equal(message.headers.get("Nats-Msg-Id"), "run_1.a-1.3");
  });

  for (const part of ["", "a.b", "*", ">", "a b", "a\r\nPUB x", "é", "a".repeat(201)])
    it(`cannot be made of ${JSON.stringify(part.slice(0, 20))}`, async () => {
      await assert.rejects(
        encodeJob("compare", job("old"), { id: part, fairKey: "run" }),
        /can't be part of a job's name/,
      );
      await assert.rejects(
        encodeJob("compare", job("old"), { id: "a", fairKey: part }),
        /can't be part of a job's name/,
      );
    });

  it("decodes to the same job, short or long", async () => {
    for (const text of ["é", "long ".repeat(100_000)]) {
      const message = await encodeJob("compare", job(text), { id: "a", fairKey: "run" });
      assert.ok(message.data.length < 20_000);
      assert.deepEqual(await decodeJob<"compare">(message), job(text));
    }
  });

  it("has the job's delivery, with and without a domain", () => {
    const subject = "vrs.work.compare.run.a";
    // Jobs without a header are of the first version.
    const contracts = { version: 1, oldest: 1 };
    const queued = { queuedAtMs: 1795259194163, ageMs: 0, origin: null };
    const expected = { fairKey: "run", id: "a", attempts: 3, errors: 0, sequence: 17, contracts, ...queued };
    const plain = REPLY;
    assert.deepEqual(readDelivery({ subject, reply: plain }), expected);
    const hub = "$JS.ACK.hub.hash.vrs-compare.workers.3.17.21.1795259194163973269.0.random";
    assert.deepEqual(readDelivery({ subject, reply: hub }), expected);
    const head = headers();
    head.set("Vrs-Begun", "2");
    head.set("Vrs-Thrown", "1");
    assert.deepEqual(readDelivery({ subject, reply: plain, headers: head }), {
      ...expected,
      attempts: 5,
      errors: 1,
    });
    head.set("Vrs-Queued", "1795259190000");
    const { queuedAtMs, ageMs } = readDelivery({ subject, reply: plain, headers: head });
    assert.deepEqual([queuedAtMs, ageMs], [1795259190000, 4163]);
  });

  it("has the job's origin beside the job, so that older nodes can read it", async () => {
    const origin = { requestId: "req-1", traceparent: `00-${"1".repeat(32)}-${"2".repeat(16)}-01` };
    const options = { id: "a", fairKey: "run", origin };
    const message = await encodeJob("compare", job("old"), options);
    assert.deepEqual(readDelivery({ ...message, reply: REPLY }).origin, origin);
    assert.deepEqual(await decodeJob<"compare">(message), job("old"));
    const { headers: head } = await encodeJob("compare", job("old"), { ...options, origin: null });
    assert.deepEqual([head.has("Vrs-Request"), head.has("traceparent")], [false, false]);
  });

  it("has no origin that is malformed", () => {
    const head = headers();
    head.set("Vrs-Request", "'; drop table run; --");
    head.set("traceparent", "00-zz-1-01");
    const subject = "vrs.work.compare.run.a";
    assert.equal(readDelivery({ subject, reply: REPLY, headers: head }).origin, null);
  });

  it("is rejected without a reply subject, or with another subject", () => {
    const reply = REPLY;
    assert.throws(() => readDelivery({ subject: "vrs.work.compare.run", reply }));
    assert.throws(() => readDelivery({ subject: "vrs.work.compare.run.a.b", reply }));
    assert.throws(() => readDelivery({ subject: "vrs.work.compare.run.a" }));
    assert.throws(() => readDelivery({ subject: "vrs.work.compare.run.a", reply: "_INBOX.a" }));
  });
});

describe("The addresses of NATS", () => {
  const cases: [addresses: string[], expected: ReturnType<typeof natsServers>][] = [
    [["nats://one"], { servers: ["one:4222"], inboxPrefix: "_INBOX" }],
    [["nats://one:5000", "nats://[::1]:80"], { servers: ["one:5000", "[::1]:80"], inboxPrefix: "_INBOX" }],
    [["nats://me:p%40ss@one"], { servers: ["one:4222"], user: "me", pass: "p@ss", inboxPrefix: "_INBOX_me" }],
    [["nats://%3E:x@one"], { servers: ["one:4222"], user: ">", pass: "x", inboxPrefix: "_INBOX" }],
    [
      ["nats://one", "nats://t0ken@two"],
      { servers: ["one:4222", "two:4222"], token: "t0ken", inboxPrefix: "_INBOX" },
    ],
    [["tls://me:x@one"], { servers: ["one:4222"], user: "me", pass: "x", inboxPrefix: "_INBOX_me", tls: {} }],
  ];
  for (const [addresses, expected] of cases)
    it(addresses.join(","), () => assert.deepEqual(natsServers(addresses), expected));
});
