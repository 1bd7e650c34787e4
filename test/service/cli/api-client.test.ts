import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { ApiClient } from "../../../shared/api/api-client.ts";
import { ApiError } from "../../../shared/api/api-exchanges.ts";
import type { RunView } from "../../../shared/contracts/runs/runs.ts";
import type { ScreenshotView } from "../../../shared/contracts/runs/screenshots.ts";

interface Answer {
  /** Responses to the requests of a run's stream. */
  isStream?: true;
  status?: number;
  headers?: Record<string, string>;
  body: unknown;
}

const links = { self: "http://vrs.example/v1/runs/run_1", report: "http://vrs.example/v1/reports/run_1" };

const run = (status: RunView["status"], captured: number): RunView => ({
  id: "run_1",
  kind: "run",
  source: "capture",
  status,
  conclusion: null,
  project: "shop",
  url: "https://shop.example",
  branch: null,
  scm: null,
  threshold: 0.01,
  submittedBy: null,
  progress: { total: 4, captured, compared: 0 },
  counts: { unchanged: 0, minor: 0, changed: 0, new: 0, removed: 0, failed: 0 },
  createdAt: "2026-01-01T00:00:00.000Z",
  startedAt: null,
  completedAt: null,
  error: null,
  warnings: [],
  causes: [],
  links,
});

const screenshot = (id: string): ScreenshotView => ({
  id,
  route: "/",
  ...{ state: null, environment: null, viewport: 375 },
  status: "unchanged",
  width: 375,
  height: 900,
  diffRatio: 0,
  diffPixels: 0,
  faintPixels: 0,
  minor: false,
  regions: [],
  ignored: { pixels: 0, regions: [] },
  raised: null,
  flakeScore: 0,
  fingerprint: null,
  explanation: null,
  production: null,
  proof: null,
  baseline: null,
  images: { current: null, baseline: null, diff: null },
  stable: true,
  moving: [],
  attempts: 1,
  browser: null,
  notes: [],
  diagnostics: null,
  review: null,
  reviews: [],
  carried: null,
  error: null,
});

const problem = {
  type: "about:blank",
  title: "No",
  status: 422,
  detail: "The request is not valid.",
  code: "invalid_request",
  requestId: "req_1",
};

describe("the API client", () => {
  let server: Server;
  let baseUrl: string;
  let client: ApiClient;
  /** The service's responses, in order. */
  let answers: Answer[];
  let asked: { line: string; headers: IncomingMessage["headers"]; body: string }[];

  before(async () => {
    server = createServer(async (request, response) => {
      asked.push({
        line: `${request.method} ${request.url}`,
        headers: request.headers,
        body: await text(request),
      });
      if (request.url?.endsWith("/events") && !answers[0]?.isStream)
        return void response.writeHead(404).end("There are no streams here.");
      const {
        status = 200,
        headers = {},
        body,
      } = answers.shift() ?? { status: 500, body: "nothing more to answer" };
      response.writeHead(status, headers).end(typeof body === "string" ? body : JSON.stringify(body));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    assert.ok(address && typeof address === "object");
    baseUrl = `http://127.0.0.1:${address.port}/`;
    client = new ApiClient({ baseUrl, apiKey: "key-1" });
  });
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  beforeEach(() => {
    asked = [];
    answers = [];
  });

  it("submits a run with its key", async () => {
    answers = [{ status: 202, body: { id: "run_1", status: "queued", project: "shop", links } }];
    const submitted = await client.submitRun({ url: "https://shop.example", routes: ["/"] }, "once");
    assert.equal(submitted.id, "run_1");
    assert.equal(asked[0]?.line, "POST /v1/run");
    assert.equal(asked[0]?.headers.authorization, "Bearer key-1");
    assert.equal(asked[0]?.headers["idempotency-key"], "once");
    assert.deepEqual(JSON.parse(asked[0]?.body ?? ""), { url: "https://shop.example", routes: ["/"] });
  });

  it("waits until a run has ended, and reports each state", async () => {
    answers = [{ body: run("rendering", 1) }, { body: run("comparing", 4) }, { body: run("completed", 4) }];
    const captured: number[] = [];
    const ended = await client.waitForRun("run_1", {
      intervalMs: 1,
      onProgress: ({ progress }) => captured.push(progress.captured),
    });
    assert.equal(ended.status, "completed");
    assert.deepEqual(captured, [1, 4, 4]);
  });

  /** A stream of these events, which ends after them. */
  const stream = (...events: string[]): Answer => ({
    isStream: true,
    headers: { "content-type": "text/event-stream; charset=utf-8" },
    body: events.map(event => `${event}\n\n`).join(""),
  });
  const progress = (status: RunView["status"], captured: number) =>
    `event: progress\ndata: ${JSON.stringify(run(status, captured))}`;

  it("follows a run by its stream, and loads it once more at the end of the stream", async () => {
    const end = { ...run("completed", 4), completedAt: "2026-01-01T00:01:00.000Z" };
    answers = [
      { body: run("queued", 0) },
      stream(progress("rendering", 1), ":", progress("rendering", 2), progress("completed", 4)),
      { body: end },
    ];
    const captured: number[] = [];
    const ended = await client.waitForRun("run_1", {
      intervalMs: 60_000,
      onProgress: ({ progress }) => captured.push(progress.captured),
    });
    assert.deepEqual(ended, end);
    assert.deepEqual(captured, [0, 1, 2, 4]);
    assert.deepEqual(
      asked.map(({ line }) => line),
      ["GET /v1/runs/run_1", "GET /v1/runs/run_1/events", "GET /v1/runs/run_1"],
    );
    assert.equal(asked[1]?.headers.authorization, "Bearer key-1");
  });

  it("continues after a stream is cut or refused, and polls without a stream", async () => {
    answers = [
      { body: run("rendering", 1) },
      stream(progress("rendering", 2), "data: {nonsense", "x".repeat(100)),
      { body: run("rendering", 3) },
      { isStream: true, status: 429, body: problem },
      { body: run("comparing", 4) },
      { isStream: true, headers: { "content-type": "text/html" }, body: "<h1>A proxy</h1>" },
      { body: run("comparing", 4) },
      { body: run("completed", 4) },
    ];
    const captured: number[] = [];
    const onProgress = ({ progress }: RunView) => captured.push(progress.captured);
    const ended = await client.waitForRun("run_1", { intervalMs: 1, onProgress });
    assert.equal(ended.status, "completed");
    assert.deepEqual(captured, [1, 2, 3, 4, 4, 4]);
    assert.equal(asked.filter(({ line }) => line.endsWith("/events")).length, 3);
  });

  it("stops waiting when it is aborted", async () => {
    const stop = new AbortController();
    const stoppable = new ApiClient({ baseUrl, apiKey: "key-1", signal: stop.signal });
    answers = [{ body: run("rendering", 1) }];
    const waiting = stoppable.waitForRun("run_1", { intervalMs: 60_000, onProgress: () => stop.abort() });
    await assert.rejects(waiting, { name: "AbortError" });
  });

  it("reads a list page by page", async () => {
    answers = [
      { body: { data: [screenshot("a"), screenshot("b")], nextCursor: "b&1" } },
      { body: { data: [screenshot("c")], nextCursor: null } },
    ];
    const screenshots = await client.listScreenshots("run_1");
    assert.deepEqual(
      screenshots.map(({ id }) => id),
      ["a", "b", "c"],
    );
    assert.equal(asked[1]?.line, "GET /v1/screenshots/run_1?cursor=b%261");
  });

  it("approves some screenshots, or all", async () => {
    const body = { runId: "run_1", approved: 1, pending: 0, rejected: 0, conclusion: "approved" };
    answers = [{ body }, { body }];
    await client.approve("run_1", ["a"]);
    await client.approve("run_1");
    assert.deepEqual(
      asked.map(({ line, body }) => [line, JSON.parse(body)]),
      [
        ["POST /v1/baselines/run_1/approve", { screenshots: ["a"] }],
        ["POST /v1/baselines/run_1/approve", {}],
      ],
    );
  });

  it("sends its key with an image to the service only, and repeats a lost upload", async () => {
    const hash = "a".repeat(64);
    const upload = { hash, method: "PUT", headers: { "content-type": "application/octet-stream" } } as const;
    const bytes = Buffer.from("image");
    const patient = new ApiClient({ baseUrl, apiKey: "key-1", retryForMs: 60_000 });
    answers = [{ status: 502, body: "" }, { body: {} }];
    await patient.uploadFile(
      "run_1",
      "images",
      { ...upload, url: "http://other.example/x", sendKey: true },
      bytes,
    );
    assert.deepEqual(
      asked.map(({ line, headers, body }) => [line, headers.authorization, body]),
      Array(2).fill([`PUT /v1/builds/run_1/images/${hash}`, "Bearer key-1", "image"]),
    );
    answers = [{ body: "<ok/>" }];
    await patient.uploadFile(
      "run_1",
      "images",
      { ...upload, url: `${baseUrl}bucket/x?sign=1`, sendKey: false },
      bytes,
    );
    assert.deepEqual([asked[2]?.line, asked[2]?.headers.authorization], ["PUT /bucket/x?sign=1", undefined]);
  });

  it("retries refused requests after the given time", async () => {
    answers = [
      { status: 429, headers: { "retry-after": "0" }, body: problem },
      { status: 503, headers: { "retry-after": "0" }, body: problem },
      { body: run("completed", 4) },
    ];
    assert.equal((await client.getRun("run_1")).status, "completed");
    assert.equal(asked.length, 3);
  });

  it("limits its retries, and retries only if asked to", async () => {
    answers = Array.from({ length: 9 }, () => ({
      status: 429,
      headers: { "retry-after": "0" },
      body: problem,
    }));
    await assert.rejects(client.getRun("run_1"), ApiError);
    assert.equal(asked.length, 4);
    answers = [{ status: 503, body: "<h1>Down</h1>" }];
    await assert.rejects(client.getRun("run_1"), {
      name: "ApiError",
      code: "unknown",
      message: "503 <h1>Down</h1>",
    });
    assert.equal(asked.length, 5);
  });

  it("waits for an unreachable service with requests that are safe to repeat", async () => {
    const away: unknown[] = [];
    const onUnreachable = (failure: unknown) => away.push(failure);
    const patient = new ApiClient({ baseUrl, apiKey: "vrs_key", retryForMs: 60_000, onUnreachable });
    answers = [{ status: 502, body: "<h1>Bad gateway</h1>" }, { body: run("completed", 4) }];
    assert.equal((await patient.getRun("run_1")).status, "completed");
    assert.ok(away.length === 1 && away[0] instanceof ApiError);
    answers = [
      { status: 504, body: "" },
      { body: { id: "run_1", status: "queued", project: "shop", links } },
    ];
    assert.equal((await patient.submitRun({ url: "https://shop.example" }, "once")).id, "run_1");
    assert.equal(asked[2]?.headers["idempotency-key"], asked[3]?.headers["idempotency-key"]);
    answers = [{ status: 502, body: "" }];
    await assert.rejects(patient.submitRun({ url: "https://shop.example" }), ApiError);
    assert.equal(asked.length, 5, "what may have been done is not asked for twice");
    answers = [{ body: "<h1>Some site</h1>" }];
    await assert.rejects(patient.getRun("run_1"), "nor is who answers and is no such service");
    assert.equal(asked.length, 6);
  });

  it("waits for a server that restarts", async () => {
    const patient = new ApiClient({ baseUrl, apiKey: "vrs_key", retryForMs: 60_000 });
    const { port } = new URL(baseUrl);
    server.closeAllConnections();
    server.close();
    await once(server, "close");
    const reading = patient.getRun("run_1");
    await assert.rejects(client.getRun("run_1"), TypeError);
    answers = [{ body: run("completed", 4) }];
    server.listen(Number(port));
    assert.equal((await reading).status, "completed");
  });

  it("reports the service's error for each field", async () => {
    answers = [
      {
        status: 422,
        body: { ...problem, errors: [{ path: "routes[0]", message: '"routes[0]" must start with /.' }] },
      },
    ];
    await assert.rejects(client.submitRun({ url: "https://shop.example", routes: ["x"] }), {
      name: "ApiError",
      status: 422,
      code: "invalid_request",
      requestId: "req_1",
      message: 'The request is not valid. "routes[0]" must start with /.',
    });
  });
});
