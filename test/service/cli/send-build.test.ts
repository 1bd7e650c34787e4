import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json, text } from "node:stream/consumers";
import { sendBuild } from "../../../cli/upload/send-build.ts";
import { ApiClient } from "../../../shared/api/api-client.ts";

const links = { self: "http://vrs.example/v1/runs/run_1", report: "http://vrs.example/r/run_1" };

const DAMAGED = JSON.stringify({
  ...{ type: "about:blank", title: "No", status: 422, requestId: "req_1" },
  ...{ code: "invalid_request", detail: "The PNG is damaged." },
});

describe("sending a build", () => {
  let server: Server;
  let folder: string;
  let url: string;
  let client: ApiClient;
  /** Hashes that the service has. */
  let stored: Set<string>;
  let requests: { line: string; body: unknown }[];
  /** Whether signed URLs are refused. */
  let isExpired: boolean;
  /** Whether images are refused. */
  let isDamaged: boolean;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "vrs-send-"));
    server = createServer(async (request, response) => {
      const line = `${request.method} ${request.url}`;
      if (request.method === "PUT") {
        requests.push({ line, body: await text(request) });
        if (isDamaged) return void response.writeHead(422).end(DAMAGED);
        if (isExpired) return void response.writeHead(403).end("<Error/>");
        stored.add(line.slice(-64));
        return void response.end();
      }
      const body = request.method === "GET" ? null : await json(request);
      requests.push({ line, body });
      const [status, answer] = respond(line, body);
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    assert.ok(address && typeof address === "object");
    url = `http://127.0.0.1:${address.port}`;
    client = new ApiClient({ baseUrl: url, apiKey: "key-1" });
  });
  after(async () => {
    server.close();
    server.closeAllConnections();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(() => {
    stored = new Set();
    requests = [];
    attachments = new Set();
    isExpired = false;
    isDamaged = false;
  });

  /** Hashes of attachments. */
  let attachments: Set<string>;
  const uploadOf = (hash: string) => ({
    ...{ hash, method: "PUT", headers: {}, sendKey: false, url: `${url}/bucket/${hash}` },
  });
  const listed = new Set<string>();
  function respond(line: string, body: unknown): [number, unknown] {
    const hashes = [...JSON.stringify(body).matchAll(/"hash":"([0-9a-f]{64})"/g)].map(
      ([, hash = ""]) => hash,
    );
    for (const hash of hashes) listed.add(hash);
    const asked = line.startsWith("GET") ? [...listed] : hashes;
    const missing = asked.filter(hash => !stored.has(hash));
    const build = {
      ...{ id: "run_1", status: "queued", project: "shop", name: null, open: true, error: null, links },
      ...{ screenshots: listed.size, shards: { total: null, seen: 1, finalized: 0 } },
      uploads: missing.filter(hash => !attachments.has(hash)).map(uploadOf),
      attachments: missing.filter(hash => attachments.has(hash)).map(uploadOf),
    };
    if (!line.endsWith("/finalize") || [...listed].every(hash => stored.has(hash) || attachments.has(hash)))
      return [200, build];
    isExpired = false;
    const problem = { type: "about:blank", title: "No", status: 409, requestId: "req_1" };
    return [409, { ...problem, code: "conflict", detail: "Images are missing." }];
  }

  async function files(count: number) {
    listed.clear();
    return await Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const path = join(folder, `${index}.png`);
        await writeFile(path, `image ${index}`);
        const hash = (index % 1_000).toString(16).padStart(64, "0");
        return { screenshot: { name: `shot ${index}`, hash }, path, attached: new Map<string, string>() };
      }),
    );
  }

  const puts = () => requests.filter(({ line }) => line.startsWith("PUT")).length;

  it("lists many screenshots in parts, and sends each unknown image once", async () => {
    const all = await files(1_201);
    for (const { screenshot } of all.slice(20, 1_000)) stored.add(screenshot.hash);
    const { sent } = await sendBuild(
      client,
      { project: "shop" },
      all,
      () => {},
      () => {},
    );
    assert.deepEqual([sent.images, puts()], [20, 20]);
    const lines = requests.map(({ line }) => line).filter(line => !line.startsWith("PUT"));
    assert.deepEqual(lines, [
      "POST /v1/builds",
      ...Array(2).fill("POST /v1/builds/run_1/shards"),
      "POST /v1/builds/run_1/finalize",
    ]);
  });

  it("sends an image again whose signed URL expired", async () => {
    isExpired = true;
    const { sent } = await sendBuild(
      client,
      { project: "shop" },
      await files(3),
      () => {},
      () => {},
    );
    assert.deepEqual([sent.images, puts()], [3, 6]);
  });

  it("sends wanted attachments once, and ends without those that it can't send", async () => {
    const trace = join(folder, "trace.zip");
    await writeFile(trace, "trace");
    const [sentHash, missingHash] = ["a".repeat(64), "b".repeat(64)];
    attachments = new Set([sentHash, missingHash]);
    const attached = new Map([
      [sentHash, trace],
      [missingHash, join(folder, "missing.txt")],
    ]);
    const all = (await files(2)).map(({ screenshot, path }) => ({
      screenshot: { ...screenshot, attachments: [...attached.keys()].map(hash => ({ name: "file", hash })) },
      path,
      attached,
    }));
    const skipped: string[] = [];
    const { sent } = await sendBuild(
      client,
      { project: "shop" },
      all,
      () => {},
      path => skipped.push(path),
    );
    assert.deepEqual([sent.images, sent.attachments, puts()], [2, 1, 3]);
    assert.deepEqual(skipped, [join(folder, "missing.txt")]);
  });

  it("names a file that the service refuses", async () => {
    isDamaged = true;
    await assert.rejects(
      sendBuild(
        client,
        { project: "shop" },
        await files(1),
        () => {},
        () => {},
      ),
      { code: "invalid_request", message: `${join(folder, "0.png")}: The PNG is damaged.` },
    );
  });

  it("names a file that was removed meanwhile", async () => {
    const all = await files(2);
    await rm(all[1]?.path ?? "");
    await assert.rejects(
      sendBuild(
        client,
        { project: "shop" },
        all,
        () => {},
        () => {},
      ),
      { code: "screenshot_changed", message: /1\.png was removed/ },
    );
  });
});
