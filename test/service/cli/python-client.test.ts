import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { join } from "node:path";

type Handler = (req: IncomingMessage, res: ServerResponse) => void;

const CLIENT = join(import.meta.dirname, "../../../cli/client/python");

const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Handler =>
  (_, res) =>
    res.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));

const events =
  (...lines: string[]): Handler =>
  (_, res) =>
    res.writeHead(200, { "content-type": "text/event-stream" }).end(lines.join("\n"));

describe("the client for Python", () => {
  let server: Server;
  let url = "";
  let answers: Handler[] = [];
  let requests: string[] = [];

  before(async function () {
    if (spawnSync("python3", ["--version"]).status !== 0) this.skip();
    server = createServer((req, res) => {
      requests.push(`${req.method} ${req.url} ${req.headers.authorization}`);
      (answers.shift() ?? json({ detail: "none" }, 404))(req, res);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    url = typeof address === "object" ? `http://127.0.0.1:${address?.port}` : "";
  });
  beforeEach(() => {
    answers = [];
    requests = [];
  });
  after(() => {
    server?.closeAllConnections();
    server?.close();
  });

  /** Runs lines of Python with a client, and returns what the last of them prints as JSON. */
  const python = (...lines: string[]) =>
    new Promise<unknown>((resolve, reject) => {
      const program = ["import json", "from vrs_client import ApiError, VrsClient", ...lines].join("\n");
      const env = { ...process.env, PYTHONPATH: CLIENT, PYTHONDONTWRITEBYTECODE: "1" };
      execFile("python3", ["-c", program], { env }, (error, stdout, stderr) =>
        error ? reject(new Error(stdout + stderr)) : resolve(JSON.parse(stdout)),
      );
    });
  const start = (options = "") => `client = VrsClient("${url}/", "k"${options})`;

  it("encodes paths and queries, and leaves out what is None", async () => {
    answers.push(json({ id: 1 }), json({ data: [] }));
    const found = await python(
      start(),
      'client.call("DELETE /v1/keys/{id}", params={"id": "a/b é"})',
      'print(json.dumps(client.call("GET /v1/runs", query={"project": "a b", "needsReview": True, "branch": None})))',
    );
    assert.deepEqual(found, { data: [] });
    assert.deepEqual(requests, [
      "DELETE /v1/keys/a%2Fb%20%C3%A9 Bearer k",
      "GET /v1/runs?project=a+b&needsReview=true Bearer k",
    ]);
  });

  it("waits as the service asks, and repeats reads while a proxy can't reach it", async () => {
    answers.push(
      json({ detail: "slow down" }, 429, { "retry-after": "0" }),
      json("bad gateway", 502),
      req => req.socket.destroy(),
      json({ id: "run_1" }),
    );
    const call = 'client.call("GET /v1/runs/{id}", params={"id": "run_1"})["id"]';
    assert.equal(await python(start(", retry_for=60"), `print(json.dumps(${call}))`), "run_1");
    assert.equal(requests.length, 4);
  });

  it("never repeats a request that may have been carried out", async () => {
    answers.push(json("bad gateway", 502), json({ id: "run_1" }));
    const refused = await python(
      start(", retry_for=60"),
      "try:",
      '    client.call("POST /v1/run", body={"url": "https://shop.example"})',
      "except ApiError as error:",
      "    print(json.dumps([error.status, error.code]))",
    );
    assert.deepEqual(refused, [502, "unknown"]);
    assert.equal(requests.length, 1);
  });

  it("sends its key nowhere else", async () => {
    answers.push((_, res) => res.writeHead(302, { location: `${url}/elsewhere` }).end());
    const refused = await python(
      start(),
      "try:",
      '    client.call("GET /v1/usage")',
      "except ApiError as error:",
      "    print(json.dumps(error.status))",
    );
    assert.equal(refused, 302);
    assert.equal(requests.length, 1);
  });

  it("opens a broken stream again, and skips what is not JSON", async () => {
    answers.push(
      events(": hello", "event: progress\r", 'data: {"status":', 'data: "rendering"}', "", "data: {", "", ""),
      events('data: {"status":"completed"}', "", 'data: {"status":"queued"}', "", ""),
    );
    const states = await python(
      start(),
      'print(json.dumps([s["status"] for s in client.follow_run("run_1")]))',
    );
    assert.deepEqual(states, ["rendering", "completed"]);
    assert.equal(requests[0], "GET /v1/runs/run_1/events Bearer k");
  });

  it("says which operation is deprecated, and until when", async () => {
    answers.push(json({}, 200, { deprecation: "@1767225600", sunset: "Thu, 01 Jul 2027 00:00:00 GMT" }));
    const notice = await python(
      "seen = []",
      start(", on_deprecated=lambda *notice: seen.append(notice)"),
      'client.call("GET /v1/usage")',
      "print(json.dumps([seen[0][0], *(each.isoformat() for each in seen[0][1:])]))",
    );
    assert.deepEqual(notice, ["GET /v1/usage", "2026-01-01T00:00:00+00:00", "2027-07-01T00:00:00+00:00"]);
  });
});
