import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import gateway from "../../../services/gateway/gateway.service.ts";
import { ServiceError } from "../../../shared/errors.ts";
import type { ExportManifest } from "../../../shared/transfers/export-manifest.ts";
import { freePort } from "../../support/drivers/free-port.ts";
import { tarOf } from "../../support/fixtures/made-archives.ts";
import { NatsServer } from "../../support/servers/nats-server.ts";
import { BusNodes, sees } from "../../support/servers/nodes/bus-node.ts";
import { needs } from "../../support/servers/server-programs.ts";

const TEAM = { id: "team_1", name: "Team", role: "admin", deletesAt: null };
const IDENTITY = { actor: { kind: "key", id: "key_1", name: "test" }, teams: [TEAM], session: null };
const MANIFEST: ExportManifest = {
  format: "vrs-export",
  version: 1,
  createdAt: "2026-01-01T00:00:00.000Z",
  url: "https://vrs.example.com",
  team: { id: `team_${"0".repeat(26)}`, name: "Other" },
  projects: [],
  parts: [],
  files: 0,
  leftOut: [],
};

describe("An import whose team is on another node", () => {
  needs("nats-server");
  let nats: NatsServer;
  let nodes: BusNodes;
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "vrs-import-errors-"));
    nats = await NatsServer.start();
    nodes = new BusNodes(nats);
  });
  after(async () => {
    await nodes?.stop();
    await nats?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it("gets the errors of that node, and not that its file is damaged", async () => {
    const refusals = [
      new ServiceError("conflict", "An import of this team is running."),
      Object.assign(new Error("Too late."), { name: "RequestTimeoutError" }),
    ];
    const others = nodes.make();
    others.createService({ name: "teams", actions: { authenticate: () => IDENTITY } });
    const beginImport = () => Promise.reject(refusals.shift());
    others.createService({ name: "runs", actions: { beginImport } });
    await others.start();
    const port = await freePort();
    const broker = nodes.make(undefined, {
      PORT: String(port),
      IMAGE_STORE_URL: pathToFileURL(join(folder, "images")).href,
    });
    broker.createService(gateway);
    await broker.start();
    await sees(broker, "runs.beginImport");
    const body = await tarOf([{ name: "manifest.json", content: JSON.stringify(MANIFEST) }]);
    const answers: [number, string][] = [];
    for (let sent = 0; sent < 2; sent++) {
      const answer = await fetch(`http://localhost:${port}/v1/teams/team_1/import`, {
        method: "POST",
        headers: { Authorization: "Bearer key", "Content-Type": "application/x-tar" },
        body: new Uint8Array(body),
      });
      answers.push([answer.status, (await answer.json()).code]);
    }
    assert.deepEqual(answers, [
      [409, "conflict"],
      [503, "unavailable"],
    ]);
  });
});
