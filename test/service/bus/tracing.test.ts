import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { json } from "node:stream/consumers";
import type { Context, ServiceBroker } from "moleculer";
import { z } from "zod";
import { ServiceError } from "../../../shared/errors.ts";
import { BusNodes, sees } from "../../support/servers/bus-node.ts";
import { NatsServer } from "../../support/servers/nats-server.ts";
import { needs } from "../../support/servers/server-programs.ts";

/** A span in the format of Zipkin's API. */
const span = z.object({
  traceId: z.string().regex(/^[0-9a-f]{32}$/),
  id: z.string().regex(/^[0-9a-f]{16}$/),
  parentId: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .nullable(),
  name: z.string(),
  timestamp: z.int(),
  duration: z.int(),
  localEndpoint: z.object({ serviceName: z.string() }),
  tags: z.record(z.string(), z.string()),
});

describe("Traces", () => {
  needs("nats-server");
  let nats: NatsServer;
  let nodes: BusNodes;
  let collector: Server;
  let received: { path: string | undefined; body: unknown }[];
  let caller: ServiceBroker;

  beforeEach(async () => {
    received = [];
    collector = createServer(async (req, res) => {
      received.push({ path: req.url, body: await json(req) });
      res.writeHead(202).end();
    }).listen(0, "127.0.0.1");
    await once(collector, "listening");
    const address = collector.address();
    const port = typeof address === "object" ? address?.port : 0;
    const env = { OTEL_EXPORTER_ZIPKIN_ENDPOINT: `http://127.0.0.1:${port}/any/path` };
    nats = await NatsServer.start();
    nodes = new BusNodes(nats);
    const inner = async () => {
      throw new ServiceError("conflict", "swordfish");
    };
    const outer = (context: Context) => context.call("test.inner", { header: "swordfish" });
    caller = await nodes.start({ outer }, env);
    const answering = await nodes.start({ inner }, env);
    await Promise.all([sees(caller, "test.inner"), sees(answering, "test.outer")]);
  });
  afterEach(async () => {
    await nodes.stop();
    await nats.close();
    collector.close();
  });

  /** Returns the collector's spans once the nodes have stopped. */
  const spans = async () => {
    await nodes.stop();
    return received.flatMap(({ body }) => z.array(span).parse(body));
  };

  for (const requestID of ["0192f0c1-2a3b-4c4d-8e5f-a6b7c8d9e0f1", "made-up by:somebody"]) {
    it(`join what one request did on several nodes, when its id is ${requestID}`, async () => {
      await assert.rejects(caller.call("test.outer", {}, { requestID }), { type: "conflict" });
      const reported = await spans();
      // Not by their times in ms: both may start in the same one.
      const outer = reported.find(({ name }) => name === "action 'test.outer'");
      const inner = reported.find(({ name }) => name === "action 'test.inner'");
      assert.equal(reported.length, 2);
      assert.ok(inner);
      assert.equal(inner.traceId, outer?.traceId);
      assert.equal(inner.parentId, outer?.id);
      assert.equal(outer?.parentId, null);
    });
  }

  it("go to exactly the given URL, without parameters and error messages", async () => {
    await assert.rejects(caller.call("test.outer"), { type: "conflict" });
    await spans();
    assert.deepEqual(new Set(received.map(({ path }) => path)), new Set(["/any/path"]));
    assert.doesNotMatch(JSON.stringify(received), /swordfish/);
    assert.match(JSON.stringify(received), /"error":"ServiceError"/);
  });
});
