import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { ApiError, type Deprecated, VrsClient } from "../../../cli/client/index.ts";

type Handler = (req: IncomingMessage, res: ServerResponse) => void;

const json =
  (body: unknown, headers: Record<string, string> = {}, status = 200): Handler =>
  (_, res) =>
    res.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));

describe("vrs/client", () => {
  let server: Server;
  let url: string;
  let answers: Handler[];
  let requests: string[];
  let headers: IncomingMessage["headers"];

  before(async () => {
    server = createServer((req, res) => {
      requests.push(`${req.method} ${req.url}`);
      headers = req.headers;
      (answers.shift() ?? json({ detail: "none" }, {}, 404))(req, res);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    url = typeof address === "object" ? `http://127.0.0.1:${address?.port}/` : "";
  });
  beforeEach(() => {
    answers = [];
    requests = [];
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  it("sends the path, query, body and key of an operation", async () => {
    const client = new VrsClient({ url, apiKey: async () => "vrs_key" });
    answers.push(json({ id: "run_1" }), (_, res) => res.writeHead(204).end(), json({ data: [] }));
    const body = { url: "https://shop.example" };
    assert.equal((await client.call("POST /v1/run", { body, idempotencyKey: "once" })).id, "run_1");
    assert.deepEqual([headers.authorization, headers["idempotency-key"]], ["Bearer vrs_key", "once"]);
    assert.equal(await client.call("DELETE /v1/keys/{id}", { params: { id: "a/b" } }), null);
    await client.call("GET /v1/runs", { query: { project: "a b", branch: undefined } });
    assert.deepEqual(requests, ["POST /v1/run", "DELETE /v1/keys/a%2Fb", "GET /v1/runs?project=a+b"]);
  });

  it("returns all pages of a list", async () => {
    const client = new VrsClient({ url, apiKey: "k" });
    answers.push(
      json({ data: [{ id: "run_2" }], nextCursor: "c" }),
      json({ data: [{ id: "run_1" }], nextCursor: null }),
    );
    const ids: string[] = [];
    for await (const { id } of client.list("GET /v1/runs", { query: { limit: 1 } })) ids.push(id);
    assert.deepEqual(ids, ["run_2", "run_1"]);
    assert.deepEqual(requests, ["GET /v1/runs?limit=1", "GET /v1/runs?limit=1&cursor=c"]);
  });

  it("repeats reads while the service is unreachable, but not what could act twice", async () => {
    const client = new VrsClient({ url, apiKey: "k", retryForMs: 5_000 });
    const unreachable = json({}, {}, 502);
    answers.push(unreachable, json({ id: "run_1" }));
    await client.call("GET /v1/runs/{id}", { params: { id: "run_1" } });
    answers.push(unreachable);
    await assert.rejects(
      client.call("POST /v1/runs/{id}/cancel", { params: { id: "run_1" } }),
      (error: unknown) => error instanceof ApiError && error.status === 502,
    );
    assert.equal(requests.length, 3);
  });

  it("reports a deprecated operation with its dates", async () => {
    const notices: Deprecated[] = [];
    const client = new VrsClient({ url, apiKey: "k", onDeprecated: notice => notices.push(notice) });
    const dates = { deprecation: "@1798761600", sunset: "Thu, 01 Jul 2027 00:00:00 GMT" };
    answers.push(json({}, dates), json({}));
    await client.call("GET /v1/usage");
    await client.call("GET /v1/usage");
    assert.deepEqual(notices, [
      {
        operation: "GET /v1/usage",
        since: new Date("2027-01-01T00:00:00Z"),
        sunset: new Date("2027-07-01T00:00:00Z"),
      },
    ]);
  });

  it("follows a run to its end, also if the stream breaks", async () => {
    const client = new VrsClient({ url, apiKey: "k" });
    const events =
      (...states: string[]): Handler =>
      (_, res) => {
        res.writeHead(200, { "content-type": "text/event-stream" });
        res.end(states.map(status => `event: progress\ndata: ${JSON.stringify({ status })}\n\n`).join(""));
      };
    answers.push(
      events("queued"),
      events("rendering", "completed"),
      json({ id: "run_1", status: "completed" }),
    );
    const states: string[] = [];
    const run = await client.waitForRun("run_1", ({ status }) => states.push(status));
    assert.deepEqual(states, ["queued", "rendering", "completed"]);
    assert.equal(run.status, "completed");
  });

  it("fails at once if the service refuses a stream", async () => {
    const client = new VrsClient({ url, apiKey: "k" });
    answers.push(json({}, {}, 404));
    await assert.rejects(client.waitForRun("run_2"), /404/);
    assert.equal(requests.length, 1);
  });
});
