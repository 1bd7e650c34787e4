import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { importTeam } from "../../../cli/cloud/transfer-team.ts";
import { EXIT, type Terminal } from "../../../cli/terminal.ts";
import type { ImportView } from "../../../shared/contracts/transfers/transfers.ts";
import { visible } from "../../../shared/text/visible-text.ts";
import { LocalServer, send } from "../../support/servers/local-server.ts";

const HOSTILE = "shop\u001b[2J\u202e";
const imported: ImportView = {
  ...{ id: "imp_1", status: "completed", error: null, counts: {} },
  progress: { done: 1, total: 1 },
  leftOut: [{ kind: "secret", name: HOSTILE }],
  projects: [{ name: HOSTILE, importedAs: null }],
  receivedBytes: null,
  notes: [`${HOSTILE} was not invited.`],
  ...{ createdAt: "2026-01-01T00:00:00.000Z", endedAt: "2026-01-01T00:00:01.000Z" },
  links: { self: "http://vrs.example/v1/teams/team_1/import" },
};

describe("vrs import of a team", () => {
  it("sends the whole file again if the service is busy, and shows foreign names without control characters", async () => {
    const cwd = await mkdtemp(join(tmpdir(), "vrs-import-"));
    const bodies: string[] = [];
    const server = new LocalServer(async (req, res) => {
      bodies.push(await text(req));
      if (bodies.length > 1) return send(res, 202, imported);
      const problem = {
        type: "about:blank",
        title: "Busy",
        status: 503,
        code: "unavailable",
        detail: "Busy.",
      };
      send(res, 503, { ...problem, requestId: "req_1" }, { "Retry-After": "0" });
    });
    await server.listen();
    const output: string[] = [];
    const terminal: Terminal = {
      out: line => void output.push(line),
      err: () => {},
      input: Readable.from([]),
      ...{ isInteractive: false, canPrompt: false, hasColor: false, columns: 80, cwd },
      env: { SERVICE_API_URL: server.url, SERVICE_API_KEY: "vrs_key" },
      signal: new AbortController().signal,
    };
    try {
      await writeFile(join(cwd, "team.tar"), "the file");
      const options = { json: false, quiet: false, verbose: false };
      assert.equal(await importTeam({ terminal, options }, "team.tar", { team: "team_1" }), EXIT.ok);
      assert.deepEqual(bodies, ["the file", "the file"]);
      assert.match(output.join(""), /secret: shop/);
      assert.equal(visible(output.join("")), output.join(""));
    } finally {
      await server.close();
      await rm(cwd, { recursive: true, force: true });
    }
  });
});
