import assert from "node:assert/strict";
import { type Context, ServiceBroker } from "moleculer";
import { brokerOptions } from "../../../moleculer.config.ts";
import { loadConfig } from "../../../shared/config.ts";
import { ServiceError } from "../../../shared/errors.ts";
import { type StartedTask, startPeriodicTask } from "../../../shared/periodic-task.ts";
import { freePort } from "../../support/drivers/free-port.ts";
import { ancestry, SpanCollector } from "../../support/fakes/span-collector.ts";
import { NatsServer } from "../../support/servers/nats-server.ts";
import { BusNodes, sees } from "../../support/servers/nodes/bus-node.ts";
import { needs } from "../../support/servers/server-programs.ts";

/** As many spans as a node keeps. */
const MAX_KEPT_SPANS = 10_000;

describe("Traces", () => {
  needs("nats-server");
  let nats: NatsServer;
  let nodes: BusNodes;
  let collector: SpanCollector;
  let caller: ServiceBroker;

  beforeEach(async () => {
    collector = await SpanCollector.start();
    const env = { OTEL_EXPORTER_ZIPKIN_ENDPOINT: collector.url };
    nats = await NatsServer.start();
    nodes = new BusNodes(nats);
    const inner = async () => {
      throw new ServiceError("conflict", "swordfish");
    };
    const outer = (context: Context) => context.call("test.inner", { header: "swordfish" });
    const withoutContext = () => caller.call("test.inner", { header: "swordfish" });
    caller = await nodes.start({ outer, withoutContext }, env);
    const answering = await nodes.start({ inner }, env);
    await Promise.all([sees(caller, "test.inner"), sees(answering, "test.outer")]);
  });
  afterEach(async () => {
    await nodes.stop();
    await nats.close();
    collector.stop();
  });

  /** Returns the collector's spans once the nodes have stopped. */
  const spans = async () => {
    await nodes.stop();
    assert.deepEqual(collector.invalid, []);
    return collector.spans;
  };

  for (const requestID of ["0192f0c1-2a3b-4c4d-8e5f-a6b7c8d9e0f1", "made-up by:somebody", "0".repeat(32)]) {
    it(`join what one request did on several nodes, when its id is ${requestID}`, async () => {
      await assert.rejects(caller.call("test.outer", {}, { requestID }), { type: "conflict" });
      const reported = await spans();
      // Not by their times in ms: both may start in the same one.
      const inner = reported.find(({ name }) => name === "action 'test.inner'");
      assert.equal(reported.length, 2);
      assert.ok(inner);
      assert.deepEqual(ancestry(reported, inner), ["action 'test.outer'", "action 'test.inner'"]);
    });
  }

  it("join what a service sends without its request's context", async () => {
    const options = { requestID: "req-1", meta: { traceId: "4bf92f3577b34da6a3ce929d0e0e4736" } };
    await assert.rejects(caller.call("test.withoutContext", {}, options), { type: "conflict" });
    const reported = await spans();
    const inner = reported.find(({ name }) => name === "action 'test.inner'");
    assert.ok(inner);
    assert.equal(inner.traceId, options.meta.traceId);
    assert.deepEqual(ancestry(reported, inner), ["action 'test.withoutContext'", "action 'test.inner'"]);
  });

  it("leave out ids from other nodes that no collector accepts", async () => {
    const parentSpan = { id: "'; drop table", traceID: "x", sampled: true };
    await assert.rejects(caller.call("test.outer", {}, { parentSpan, meta: { traceId: "<script>" } }));
    const reported = await spans();
    assert.equal(reported.length, 2);
    assert.equal(reported.find(({ name }) => name === "action 'test.outer'")?.parentId, undefined);
  });

  it("are not recorded if the client does not record its own", async () => {
    const parentSpan = { id: "00f067aa0ba902b7", traceID: "x", sampled: false };
    await assert.rejects(caller.call("test.outer", {}, { parentSpan }));
    assert.deepEqual(await spans(), []);
  });

  it("go to exactly the given URL, without parameters and error messages", async () => {
    await assert.rejects(caller.call("test.outer"), { type: "conflict" });
    const text = JSON.stringify(await spans());
    assert.deepEqual(new Set(collector.paths), new Set(["/api/v2/spans"]));
    assert.doesNotMatch(text, /swordfish/);
    assert.match(text, /"error":"ServiceError"/);
  });
});

describe("What a node does by itself from its start on", () => {
  it("has a trace and a request of its own each time", async () => {
    const collector = await SpanCollector.start();
    const config = loadConfig({ OTEL_EXPORTER_ZIPKIN_ENDPOINT: collector.url, LOG_LEVEL: "fatal" });
    const node = new ServiceBroker(brokerOptions(config));
    const requests: unknown[] = [];
    const twice = Promise.withResolvers<void>();
    let task: StartedTask | undefined;
    node.createService({
      name: "test",
      actions: { answer: ({ requestID }: Context) => void requests.push(requestID) },
      events: {
        "$broker.started": () => {
          const work = async () => {
            await node.call("test.answer");
            if (requests.length >= 2) twice.resolve();
          };
          task = startPeriodicTask({ intervalMs: 5, work, failed: "" }, twice.reject);
        },
      },
    });
    try {
      await node.start();
      await twice.promise;
      await task?.stop();
    } finally {
      await node.stop();
      collector.stop();
    }
    assert.equal(new Set(requests).size, requests.length);
    assert.equal(new Set(collector.spans.map(({ traceId }) => traceId)).size, requests.length);
  });
});

describe("Traces, with a collector that fails", () => {
  const warnings: string[] = [];
  let node: ServiceBroker;

  /** Starts a node without a bus that sends its spans to this address. */
  async function start(endpoint: string): Promise<void> {
    const config = loadConfig({ OTEL_EXPORTER_ZIPKIN_ENDPOINT: endpoint, LOG_LEVEL: "fatal" });
    node = new ServiceBroker(brokerOptions(config));
    node.createService({ name: "test", actions: { answer: () => "done" } });
    node.tracer.logger.warn = (message: string) => void warnings.push(message);
    await node.start();
  }

  /** Sends the spans now. @returns when the collector has answered, or the warning is there */
  async function flush(): Promise<void> {
    for (const exporter of node.tracer.exporter ?? []) await exporter.stop();
  }

  beforeEach(() => void warnings.splice(0));
  afterEach(() => node.stop());

  it("are dropped while it is down, and the log says so once", async () => {
    await start(`http://127.0.0.1:${await freePort()}/api/v2/spans`);
    for (const _ of [1, 2, 3]) {
      assert.equal(await node.call("test.answer"), "done");
      await flush();
    }
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? "", /could not be sent/);
  });

  it("are sent with the credentials of its URL, which are not logged", async () => {
    const collector = await SpanCollector.start();
    const credentials: (string | undefined)[] = [];
    collector.respond = res => {
      credentials.push(res.req.headers.authorization);
      res.writeHead(202).end();
    };
    try {
      await start(collector.url.replace("http://", "http://tracer:sword%40fish@"));
      await node.call("test.answer");
      await flush();
    } finally {
      collector.stop();
    }
    assert.deepEqual(warnings, []);
    assert.deepEqual(credentials, [`Basic ${Buffer.from("tracer:sword@fish").toString("base64")}`]);
  });

  it("are dropped when it refuses them, and are sent again once it accepts", async () => {
    const collector = await SpanCollector.start();
    try {
      await start(collector.url);
      collector.respond = res => void res.writeHead(503).end();
      await node.call("test.answer");
      await flush();
      collector.respond = res => void res.writeHead(202).end();
      await node.call("test.answer");
      await flush();
      collector.respond = res => void res.writeHead(503).end();
      await node.call("test.answer");
      await flush();
      assert.equal(warnings.length, 2);
      assert.match(warnings[1] ?? "", /rejected spans with 503/);
    } finally {
      collector.stop();
    }
  });

  it("are bounded while it does not answer, and delay no request", async () => {
    const collector = await SpanCollector.start();
    try {
      await start(collector.url);
      collector.respond = () => {};
      await node.call("test.answer");
      const unanswered = flush();
      for (let index = 0; index < MAX_KEPT_SPANS + 500; index++) node.tracer.startSpan("work").finish();
      assert.equal(await node.call("test.answer"), "done");
      await unanswered;
      assert.match(warnings[0] ?? "", /could not be sent/);
      collector.respond = res => void res.writeHead(202).end();
      collector.spans.length = 0;
      await flush();
      assert.equal(collector.spans.length, MAX_KEPT_SPANS);
    } finally {
      collector.stop();
    }
  });
});
