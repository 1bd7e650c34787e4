import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Context } from "moleculer";
import { NO_RETRY } from "../../../shared/contracts/bus.ts";
import { type ErrorCode, ServiceError } from "../../../shared/errors.ts";
import { until } from "../../support/drivers/until.ts";
import { NatsServer } from "../../support/servers/nats-server.ts";
import { BusNodes, busOf, dropDead, sees } from "../../support/servers/nodes/bus-node.ts";
import { needs } from "../../support/servers/server-programs.ts";

type Call = Context<{ text: string }>;

/** Fails in this way the first time, or the first times. */
function failing(code: ErrorCode, times = 1) {
  const action = {
    calls: 0,
    async handler() {
      action.calls += 1;
      if (action.calls <= times) throw new ServiceError(code, "Not now.");
      return "done";
    },
  };
  return action;
}

/** Never responds. */
const hangs = () => new Promise<never>(() => {});

describe("Nodes on one bus", () => {
  needs("nats-server");
  let nats: NatsServer;
  let nodes: BusNodes;

  before(async () => {
    nats = await NatsServer.start();
  });
  beforeEach(() => {
    nodes = new BusNodes(nats);
  });
  afterEach(() => nodes.stop());
  after(() => nats?.close());

  describe("respond with an error, and continue,", () => {
    it("when a request is too large for the bus", async () => {
      const [caller] = await Promise.all([
        nodes.start(),
        nodes.start({ length: async ({ params }: Call) => params.text.length }),
      ]);
      const text = randomBytes(1_500_000).toString("latin1");
      await sees(caller, "test.length");
      await assert.rejects(caller.call("test.length", { text }), { type: "payload_too_large", code: 413 });
      assert.equal(caller.transit?.pendingRequests.size, 0, "nothing is waited for");
      assert.equal(await caller.call("test.length", { text: "short" }), 5);
    });

    it("when a response is too large for the bus", async () => {
      const text = randomBytes(1_500_000).toString("latin1");
      const [caller] = await Promise.all([nodes.start(), nodes.start({ text: async () => text })]);
      await sees(caller, "test.text");
      await assert.rejects(caller.call("test.text"), { type: "internal", code: 500 });
    });

    it("when no node has the action, after a while", async () => {
      const caller = await nodes.start();
      await assert.rejects(caller.call("test.absent"), { name: "ServiceNotFoundError" });
    });
  });

  it("carry messages near NATS' limit despite Moleculer's overhead", async () => {
    const [caller] = await Promise.all([
      nodes.start(),
      nodes.start({ same: async ({ params }: Call) => params.text }),
    ]);
    await sees(caller, "test.same");
    // Compression makes Base64 only a quarter smaller.
    const text = randomBytes(786_000).toString("base64");
    assert.equal(await caller.call("test.same", { text }), text);
  });

  it("can start before the bus", async () => {
    const late = await NatsServer.prepare();
    const early = new BusNodes(late);
    try {
      const [caller, answering] = [early.make(), early.make({ hello: async () => "hello" })];
      const started = Promise.all([caller.start(), answering.start()]);
      await delay(500);
      assert.equal(busOf(caller).online, false);
      await late.start();
      await started;
      assert.equal(await caller.call("test.hello"), "hello");
    } finally {
      await early.stop();
      await late.close();
    }
  });

  it("find each other again after a loss of the bus, and send the requests made meanwhile", async () => {
    const own = await NatsServer.start();
    const others = new BusNodes(own);
    try {
      const [caller] = await Promise.all([others.start(), others.start({ hello: async () => "hello" })]);
      await sees(caller, "test.hello");
      await own.kill();
      await until(() => !busOf(caller).online);
      const asked = caller.call("test.hello");
      await own.start();
      assert.equal(await asked, "hello");
    } finally {
      await others.stop();
      await own.close();
    }
  });

  describe("retry", () => {
    it("when a resource was unavailable for a while", async () => {
      const lacking = failing("unavailable", 3);
      const [caller] = await Promise.all([nodes.start(), nodes.start({ lacking: () => lacking.handler() })]);
      assert.equal(await caller.call("test.lacking"), "done");
      assert.equal(lacking.calls, 4);
    });

    for (const code of ["not_found", "conflict", "invalid_request", "internal"] as const) {
      it(`never after ${code}`, async () => {
        const refusing = failing(code);
        const [caller] = await Promise.all([
          nodes.start(),
          nodes.start({ refusing: () => refusing.handler() }),
        ]);
        await assert.rejects(caller.call("test.refusing"), { type: code, message: "Not now." });
        assert.equal(refusing.calls, 1);
      });
    }

    it("never an action without retries, even when a resource was unavailable", async () => {
      const lacking = failing("unavailable");
      const action = { ...NO_RETRY, handler: () => lacking.handler() };
      const [caller] = await Promise.all([nodes.start(), nodes.start({ lacking: action })]);
      await assert.rejects(caller.call("test.lacking"), { type: "unavailable" });
      assert.equal(lacking.calls, 1);
    });

    it("on another node when one died during the call, except actions without retries", async () => {
      let begun = 0;
      const hanging = () => {
        begun += 1;
        return hangs();
      };
      const dying = await nodes.start({ once: { ...NO_RETRY, handler: hanging }, often: hanging });
      const caller = await nodes.start();
      await sees(caller, "test.often");
      const [often, once] = [caller.call("test.often"), caller.call("test.once")];
      const rejected = assert.rejects(once, { name: "RequestRejectedError" });
      await until(() => begun === 2);
      await nodes.start({ once: async () => "twice", often: async () => "twice" });
      await sees(caller, "test.often", 2);
      await dropDead(dying);
      await rejected;
      assert.equal(await often, "twice");
    });

    it("any action on another node at once when one is dead", async () => {
      const [caller, dead] = await Promise.all([
        nodes.start(),
        nodes.start({ hello: { ...NO_RETRY, handler: async () => "dead" } }),
        nodes.start({ hello: { ...NO_RETRY, handler: async () => "alive" } }),
      ]);
      await sees(caller, "test.hello", 2);
      // A message sent before the server notices may be lost, and its result is then unknown.
      await dropDead(dead);
      await until(async () => (await nats.clients()) === 2);
      const answers = await Promise.all(Array.from({ length: 10 }, () => caller.call("test.hello")));
      assert.deepEqual(new Set(answers), new Set(["alive"]));
    });
  });

  it("bound their concurrency, and keep further requests waiting", async () => {
    let now = 0;
    let most = 0;
    const free = Promise.withResolvers<void>();
    const busy = async () => {
      now += 1;
      most = Math.max(most, now);
      await free.promise;
      await delay(1);
      now -= 1;
    };
    const [caller] = await Promise.all([nodes.start(), nodes.start({ busy })]);
    await sees(caller, "test.busy");
    const all = Promise.all(Array.from({ length: 300 }, () => caller.call("test.busy")));
    await until(() => now === 50);
    free.resolve();
    await all;
    assert.equal(most, 50);
  });

  it("avoid a node that never responds, but not one that only rejects", async () => {
    const refuse = async () => {
      throw new ServiceError("not_found", "Not here.");
    };
    const [caller] = await Promise.all([
      nodes.start(),
      nodes.start({ work: hangs, refuse }),
      nodes.start({ work: async () => "done", refuse }),
    ]);
    await sees(caller, "test.work", 2);
    // Long enough for every response on a busy machine.
    const ask = (action: string) => caller.call(action, {}, { timeout: 2_000 }).catch(error => error.name);
    await Promise.all(Array.from({ length: 60 }, () => ask("test.refuse")));
    await Promise.all(Array.from({ length: 60 }, () => ask("test.work")));
    await sees(caller, "test.work", 1);
    assert.equal(await ask("test.work"), "done");
    await sees(caller, "test.refuse", 2);
  });

  describe("while stopping", () => {
    it("finish running requests", async () => {
      let begun = false;
      const slow = async () => {
        begun = true;
        await delay(400);
        return "finished";
      };
      const [caller, leaving] = await Promise.all([nodes.start(), nodes.start({ slow })]);
      const asked = caller.call("test.slow");
      await until(() => begun);
      await leaving.stop();
      assert.equal(await asked, "finished");
    });

    it("fail no request while others take over", async () => {
      const actions = { work: () => delay(5) };
      const caller = await nodes.start();
      let current = await nodes.start(actions);
      await sees(caller, "test.work");
      let on = true;
      let answered = 0;
      const asking = Array.from({ length: 10 }, async () => {
        while (on) {
          await caller.call("test.work");
          answered += 1;
        }
      });
      try {
        for (let turn = 0; turn < 4; turn++) {
          const next = await nodes.start(actions);
          const before = answered;
          await current.stop();
          current = next;
          await until(() => answered > before + 20);
        }
      } finally {
        on = false;
        await Promise.all(asking);
      }
    });

    it("fail no waiting request while the only node restarts", async () => {
      const actions = { work: async () => "done" };
      const [caller, only] = await Promise.all([nodes.start(), nodes.start(actions)]);
      await sees(caller, "test.work");
      await only.stop();
      const asked = caller.call("test.work");
      await nodes.start(actions);
      assert.equal(await asked, "done");
    });
  });
});
