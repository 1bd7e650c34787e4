import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, rm, utimes } from "node:fs/promises";
import { type ClientRequest, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ArchiveUploads } from "../../../services/gateway/handlers/uploads/archive-uploads.ts";
import { ServiceError } from "../../../shared/errors.ts";
import { until } from "../../support/drivers/until.ts";
import { LocalServer, send } from "../../support/servers/local-server.ts";

const MIB = 1024 * 1024;

describe("The gateway's room for uploaded archives", () => {
  const { TMPDIR } = process.env;
  let server: LocalServer | undefined;
  const slow: ClientRequest[] = [];
  let requests = 0;

  afterEach(async () => {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
    for (const req of slow.splice(0)) req.destroy();
    await server?.close();
  });

  const start = async (uploads: ArchiveUploads) => {
    server = new LocalServer((req, res) => {
      requests++;
      const team = String(req.headers["vrs-team"]);
      uploads
        .receive(req, team, async () => null)
        .then(
          () => send(res, 200, {}),
          error => send(res, error instanceof ServiceError ? error.code : 500, {}),
        );
    });
    await server.listen();
    return server.url;
  };
  const post = async (url: string, team: string) => {
    const headers = { "Vrs-Team": team };
    return (await fetch(url, { method: "POST", headers, body: "no archive" })).status;
  };
  /** Starts an upload that sends nothing more. @returns a promise of the end of its connection, once it arrived */
  const stall = async (url: string, team: string) => {
    const before = requests;
    const req = request(url, { method: "POST", headers: { "Vrs-Team": team } }).on("error", () => {});
    slow.push(req);
    const closed = new Promise<true>(resolve => req.once("close", () => resolve(true)));
    req.write("x");
    await until(() => requests > before);
    return { closed };
  };

  it("is free again after its folder could not be created", async () => {
    const url = await start(new ArchiveUploads(MIB));
    process.env.TMPDIR = "/nowhere";
    for (let upload = 0; upload < 5; upload++) assert.equal(await post(url, `team_${upload}`), 500);
    delete process.env.TMPDIR;
    assert.equal(await post(url, "team_1"), 422);
  });

  it("is left for other teams while the archives of one team stall", async () => {
    const url = await start(new ArchiveUploads(MIB));
    for (let upload = 0; upload < 3; upload++) await stall(url, "team_1");
    assert.equal(await post(url, "team_1"), 503);
    assert.equal(await post(url, "team_2"), 422);
  });

  it("is not filled by what killed processes left", async () => {
    process.env.TMPDIR = await mkdtemp(join(tmpdir(), "vrs-uploads-"));
    const made = ["vrs-archive-old", "vrs-archive-new", "other"].map(name => join(tmpdir(), name));
    for (const folder of made) await mkdir(join(folder, "files"), { recursive: true });
    for (const folder of [made[0], made[2]]) if (folder) await utimes(folder, 1, 1);
    assert.equal(await post(await start(new ArchiveUploads(MIB)), "team_1"), 422);
    assert.deepEqual((await readdir(tmpdir())).sort(), ["other", "vrs-archive-new"]);
    await rm(tmpdir(), { recursive: true });
  });

  it("is not kept by a sender that stalls", async () => {
    const url = await start(new ArchiveUploads(MIB, 50));
    const { closed } = await stall(url, "team_1");
    assert.equal(await closed, true);
  });
});
