import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { after, afterEach, before, beforeEach, describe, it } from "mocha";
import { pack } from "tar-stream";
import { importTeam } from "../../../cli/cloud/transfer-team.ts";
import { CommandError, EXIT, type Terminal } from "../../../cli/terminal.ts";
import type { ImportView } from "../../../shared/contracts/transfers/transfers.ts";
import { visible } from "../../../shared/text/visible-text.ts";
import { LocalServer, send } from "../../support/servers/local-server.ts";

const HOSTILE = "shop\u001b[2J\u202e";
const MANIFEST = JSON.stringify({ format: "vrs-export" });
const imported: ImportView = {
  ...{ id: "imp_1", status: "completed", error: null, counts: {} },
  progress: { done: 1, total: 1 },
  leftOut: [{ kind: "secret", name: HOSTILE }],
  projects: [{ name: HOSTILE, importedAs: null }],
  receivedBytes: null,
  receivedManifest: null,
  notes: [`${HOSTILE} was not invited.`],
  ...{ createdAt: "2026-01-01T00:00:00.000Z", endedAt: "2026-01-01T00:00:01.000Z" },
  links: { self: "http://vrs.example/v1/teams/team_1/import" },
};
const receiving = (receivedBytes: number, manifest = MANIFEST): ImportView => ({
  ...imported,
  ...{ status: "receiving", endedAt: null, receivedBytes },
  receivedManifest: createHash("sha256").update(manifest).digest("hex"),
});

/** A service that imports a team, and records the uploads. */
class ImportServer {
  /** The latest import. */
  view: ImportView | null = null;
  isKeyRevoked = false;
  readonly uploads: { from: string | null; manifest: string | null; bytes: Buffer }[] = [];
  /** The responses to the next uploads, before they are accepted. */
  readonly answers: ((res: ServerResponse) => void)[] = [];
  readonly server = new LocalServer((req, res) => this.#answer(req, res));

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (this.isKeyRevoked) return refuse(res, 401, "unauthorized");
    if (req.method === "GET") return this.view ? send(res, 200, this.view) : refuse(res, 404, "not_found");
    const { searchParams } = new URL(req.url ?? "", "http://localhost");
    const bytes = await buffer(req);
    this.uploads.push({ from: searchParams.get("from"), manifest: searchParams.get("manifest"), bytes });
    const answer = this.answers.shift();
    if (answer) return answer(res);
    this.view = imported;
    send(res, 202, imported);
  }
}

function refuse(
  res: ServerResponse,
  status: number,
  code: string,
  headers: Record<string, string> = {},
): void {
  const problem = { type: "about:blank", title: code, status, code, detail: "No.", requestId: "req_1" };
  send(res, status, problem, headers);
}

describe("vrs import of a team", () => {
  let service: ImportServer;
  let cwd: string;
  let file: Buffer;
  const output: string[] = [];

  before(async () => {
    cwd = await mkdtemp(join(tmpdir(), "vrs-import-"));
    const tar = pack();
    tar.entry({ name: "manifest.json" }, MANIFEST);
    tar.entry({ name: "rows/000001.jsonl" }, "x".repeat(5_000));
    tar.finalize();
    file = await buffer(tar);
    await writeFile(join(cwd, "team.tar"), file);
  });
  beforeEach(async () => {
    output.length = 0;
    service = new ImportServer();
    await service.server.listen();
  });
  afterEach(() => service.server.close());
  after(() => rm(cwd, { recursive: true, force: true }));

  const run = ({ json = false } = {}) => {
    const terminal: Terminal = {
      out: line => void output.push(line),
      err: () => {},
      input: Readable.from([]),
      ...{ isInteractive: false, canPrompt: false, hasColor: false, columns: 80, cwd },
      env: { SERVICE_API_URL: service.server.url, SERVICE_API_KEY: "vrs_key" },
      signal: new AbortController().signal,
    };
    const options = { json, quiet: false, verbose: false };
    return importTeam({ terminal, options }, "team.tar", { team: "team_1" });
  };
  const hash = receiving(0).receivedManifest;
  const whole = () => ({ from: null, manifest: null, bytes: file });
  const rest = (from: number) => ({ from: String(from), manifest: hash, bytes: file.subarray(from) });

  it("sends the whole file again if the service is busy, and shows foreign names without control characters", async () => {
    service.answers.push(res => refuse(res, 503, "unavailable", { "Retry-After": "0" }));
    assert.equal(await run(), EXIT.ok);
    assert.deepEqual(service.uploads, [whole(), whole()]);
    assert.match(output.join(""), /secret: shop/);
    assert.equal(visible(output.join("")), output.join(""));
  });

  it("continues an upload of the same file that an earlier command began", async () => {
    service.view = receiving(1_024);
    assert.equal(await run(), EXIT.ok);
    assert.deepEqual(service.uploads, [rest(1_024)]);
  });

  it("sends the whole file if another one was received before", async () => {
    service.view = receiving(1_024, "another manifest");
    assert.equal(await run(), EXIT.ok);
    assert.deepEqual(service.uploads, [whole()]);
  });

  it("sends the whole file if the upload before had other options", async () => {
    service.view = receiving(1_024);
    service.answers.push(res => refuse(res, 409, "conflict"));
    assert.equal(await run(), EXIT.ok);
    assert.deepEqual(service.uploads, [rest(1_024), whole()]);
  });

  it("continues where the service is after the connection breaks", async () => {
    service.answers.push(
      res => {
        service.view = receiving(2_048);
        res.destroy();
      },
      res => {
        service.view = receiving(4_096);
        refuse(res, 409, "conflict");
      },
    );
    assert.equal(await run(), EXIT.ok);
    assert.deepEqual(service.uploads, [whole(), rest(2_048), rest(4_096)]);
  });

  it("sends nothing again if only the response was lost", async () => {
    service.answers.push(res => {
      service.view = imported;
      res.destroy();
    });
    assert.equal(await run(), EXIT.ok);
    assert.deepEqual(service.uploads, [whole()]);
  });

  it("ends at once if the key is revoked during the upload, and says what to do", async () => {
    service.answers.push(res => {
      service.isKeyRevoked = true;
      service.view = receiving(2_048);
      res.destroy();
    });
    await assert.rejects(run(), (error: unknown) => {
      assert.ok(error instanceof CommandError);
      assert.equal(error.code, "unauthorized");
      assert.match(error.message, /rejected the API key: .* Create a key/);
      return true;
    });
    assert.equal(service.uploads.length, 1);
  });

  it("says why the service refuses the file", async () => {
    service.answers.push(res => refuse(res, 422, "invalid_request"));
    await assert.rejects(run(), CommandError);
    assert.equal(service.uploads.length, 1);
  });

  for (const json of [false, true])
    it(`prints nothing but the error of an import that failed${json ? " with --json" : ""}`, async () => {
      service.answers.push(res => {
        service.view = { ...imported, status: "failed", error: "The file is not an export." };
        send(res, 202, service.view);
      });
      await assert.rejects(run({ json }), /The file is not an export\./);
      assert.deepEqual(output, []);
    });

  it("prints one document with --json", async () => {
    assert.equal(await run({ json: true }), EXIT.ok);
    assert.equal(JSON.parse(output.join("")).status, "completed");
  });
});
