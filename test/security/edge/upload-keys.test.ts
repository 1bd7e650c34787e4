import assert from "node:assert/strict";
import { archive as archiveView } from "../../../shared/contracts/builds/archives.ts";
import { type Build, build } from "../../../shared/contracts/builds/builds.ts";
import { runView } from "../../../shared/contracts/runs/runs.ts";
import { screenshotList } from "../../../shared/contracts/runs/screenshots.ts";
import { type CreatedKey, createdKey, keyList } from "../../../shared/contracts/teams/keys.ts";
import { sessionView } from "../../../shared/contracts/teams/sessions.ts";
import { BuildClient, hashOf, picture } from "../../support/drivers/build-client.ts";
import { until } from "../../support/drivers/until.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { tarGzOf } from "../../support/fixtures/made-archives.ts";
import { problemOf } from "../../support/formats/problem.ts";

const PROJECT = "acme/shop";
const scm = (repo: string) => ({ owner: "acme", repo, sha: "a".repeat(40), branch: "main" });

describe("API keys that can only upload", () => {
  let vrs: Vrs;
  let upload: CreatedKey;
  let image: Buffer;
  let screenshots: { name: string; hash: string }[];

  before(async () => {
    vrs = await Vrs.start();
    image = await picture("red");
    screenshots = [{ name: "Card", hash: hashOf(image) }];
    upload = await makeKey(PROJECT);
  });
  after(() => vrs?.stop());

  async function makeKey(project: string): Promise<CreatedKey> {
    const answer = await vrs.post("/v1/keys", { name: "ci", scope: "upload", project });
    assert.equal(answer.status, 201);
    return createdKey.parse(await answer.json());
  }

  const send = (method: string, path: string, body?: object | Buffer, { key } = upload) =>
    fetch(`${vrs.baseUrl}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${key}`,
        ...(!Buffer.isBuffer(body) && { "Content-Type": "application/json" }),
      },
      ...(body && { body: Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body) }),
    });

  const create = async (body: object): Promise<Build> =>
    build.parse(await (await send("POST", "/v1/builds", { screenshots, ...body })).json());

  /** Uploads a build of another project with an admin's key. */
  const uploadElsewhere = async (project: string) => {
    const shots = [{ name: "Card", bytes: image }];
    const client = new BuildClient(vrs);
    const { id } = await client.upload({ project }, shots);
    await client.ended(id);
    return id;
  };

  it("upload builds of their project, also named ones, and read their results", async () => {
    for (const name of [undefined, "mobile"]) {
      const { id, project } = await create({ scm: scm("shop"), ...(name !== undefined && { name }) });
      assert.equal(project, name === undefined ? PROJECT : `${PROJECT}#${name}`);
      assert.equal((await send("POST", `/v1/builds/${id}/shards`, { screenshots })).status, 200);
      assert.equal((await send("PUT", `/v1/builds/${id}/images/${hashOf(image)}`, image)).status, 200);
      assert.equal((await send("POST", `/v1/builds/${id}/finalize`, {})).status, 200);
      assert.equal(build.parse(await (await send("GET", `/v1/builds/${id}`)).json()).open, false);
      await until(
        async () => runView.parse(await (await send("GET", `/v1/runs/${id}`)).json()).completedAt !== null,
      );
      assert.match(await (await send("GET", `/v1/runs/${id}/events`)).text(), /"completed"/);
      const rows = screenshotList.parse(await (await send("GET", `/v1/screenshots/${id}`)).json());
      assert.deepEqual(
        rows.data.map(({ route }) => route),
        ["Card"],
      );
    }
  });

  it("upload archives of their project, and start runs of them without secrets", async () => {
    const site = await tarGzOf([{ name: "index.html", content: "<h1>Home</h1>" }]);
    const sent = await send("POST", `/v1/archives?project=${PROJECT}`, site);
    assert.equal(sent.status, 201);
    const { id: archive } = archiveView.parse(await sent.json());
    assert.equal((await send("GET", `/v1/archives/${archive}?project=${PROJECT}`)).status, 200);
    const started = await send("POST", "/v1/run", { archive, project: PROJECT });
    const { id } = runView.pick({ id: true }).parse(await started.json());
    assert.equal(runView.parse(await (await send("GET", `/v1/runs/${id}`)).json()).project, PROJECT);
    assert.equal((await send("GET", `/v1/screenshots/${id}`)).status, 200);

    const steps = [{ action: "fill", selector: "#a", value: `\${secret.PASSWORD}` }];
    for (const body of [
      { url: "https://example.com", project: PROJECT },
      { archive, project: "acme/bank" },
      { archive, scm: scm("bank") },
      { archive, project: PROJECT, scm: scm("bank") },
      { archive, project: PROJECT, options: { steps } },
    ])
      await problemOf(await send("POST", "/v1/run", body), "forbidden");
    await problemOf(await send("POST", "/v1/archives?project=acme/bank", site), "forbidden");
    await problemOf(await send("GET", `/v1/archives/${archive}?project=acme/bank`), "forbidden");
    await problemOf(await send("POST", `/v1/runs/${id}/cancel`, {}), "forbidden");
  });

  it("upload to no other project, and no commit of another repository", async () => {
    for (const body of [
      { project: "acme/bank" },
      { project: "acme/shop2" },
      { project: "acme/bank", name: "acme/shop" },
      { project: "acme/bank", scm: scm("shop") },
      { scm: scm("bank") },
      { project: PROJECT, scm: scm("bank") },
    ]) {
      const answer = await send("POST", "/v1/builds", { screenshots, ...body });
      if (body.name !== undefined) await problemOf(answer, "invalid_request");
      else assert.match((await problemOf(answer, "forbidden")).detail, /This API key can't upload/);
    }
  });

  it("see nothing of other projects, and no captured run of their own", async () => {
    const other = await uploadElsewhere("acme/bank");
    const captured = await vrs.post("/v1/run", { url: "http://localhost:1024", project: PROJECT });
    const run = runView.pick({ id: true }).parse(await captured.json());
    for (const id of [other, run.id]) {
      // Read once with a full key, so that the answer is cached.
      assert.equal((await vrs.request(`/v1/runs/${id}`)).status, 200);
      for (const path of [
        `/v1/runs/${id}`,
        `/v1/runs/${id}/events`,
        `/v1/screenshots/${id}`,
        `/v1/builds/${id}`,
      ])
        await problemOf(await send("GET", path), "not_found");
      await problemOf(await send("POST", `/v1/builds/${id}/shards`, { screenshots }), "not_found");
      await problemOf(await send("POST", `/v1/builds/${id}/finalize`, {}), "not_found");
      await problemOf(await send("PUT", `/v1/builds/${id}/images/${hashOf(image)}`, image), "not_found");
    }
  });

  it("don't sign in, approve, or open links for members", async () => {
    const { id } = await create({ project: PROJECT });
    await problemOf(await send("POST", `/v1/baselines/${id}/approve`, {}), "forbidden");
    await problemOf(await send("GET", "/v1/session"), "forbidden");
    await problemOf(await send("POST", "/v1/session", { apiKey: upload.key }), "forbidden");
    const path = await privateImage();
    await problemOf(await send("GET", path), "unauthorized");
  });

  /** Makes the team's links private. @returns the path of an image that its members can open */
  async function privateImage(): Promise<string> {
    const id = await uploadElsewhere("acme/secret");
    const { team } = sessionView.parse(await (await vrs.request("/v1/session")).json());
    const body = JSON.stringify({ publicLinks: false });
    const headers = { "Content-Type": "application/json" };
    const changed = await vrs.request(`/v1/teams/${team?.id}`, { method: "PATCH", headers, body });
    assert.equal(changed.status, 200);
    const [row] = screenshotList.parse(await (await vrs.request(`/v1/screenshots/${id}`)).json()).data;
    const { pathname, search } = new URL(row?.images.current ?? "");
    assert.equal((await vrs.request(pathname + search)).status, 200);
    return pathname + search;
  }

  it("are listed with their project, and revoked", async () => {
    const key = await makeKey("shop");
    assert.deepEqual([key.role, key.scope, key.project], ["reviewer", "upload", "shop"]);
    const { data } = keyList.parse(await (await vrs.request("/v1/keys?limit=1")).json());
    assert.deepEqual([data[0]?.scope, data[0]?.project], ["upload", "shop"]);
    assert.equal((await send("POST", "/v1/builds", { project: "shop", screenshots }, key)).status, 202);
    assert.equal((await vrs.request(`/v1/keys/${key.id}`, { method: "DELETE" })).status, 204);
    await problemOf(await send("POST", "/v1/builds", { project: "shop", screenshots }, key), "unauthorized");
  });

  it("need a project and no other role", async () => {
    for (const body of [
      { scope: "upload" },
      { scope: "upload", project: "shop", role: "admin" },
      { scope: "upload", project: "shop", role: "viewer" },
      { project: "shop" },
      { scope: "everything" },
    ])
      await problemOf(await vrs.post("/v1/keys", { name: "ci", ...body }), "invalid_request");
  });
});
