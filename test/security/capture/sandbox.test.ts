import assert from "node:assert/strict";
import { networkInterfaces } from "node:os";
import { fleet } from "../../../shared/contracts/fleet.ts";
import { runView } from "../../../shared/contracts/runs/runs.ts";
import { submittedRun } from "../../../shared/contracts/runs/submit-run.ts";
import { createdTeam } from "../../../shared/contracts/teams/people.ts";
import type { ApiAccess } from "../../support/drivers/api-access.ts";
import { until } from "../../support/drivers/until.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { Site } from "../../support/fixtures/site.ts";
import { Cluster } from "../../support/servers/nodes/cluster.ts";
import { needs } from "../../support/servers/server-programs.ts";

const REFUSED = { SERVICE_ALLOW_UNSANDBOXED: "0" };

const submit = async (service: ApiAccess, site: Site) => {
  const response = await service.post("/v1/run", { url: site.url, viewports: [320] });
  return submittedRun.parse(await response.json()).id;
};
const stateOf = async (service: ApiAccess, id: string) =>
  runView.parse(await (await service.request(`/v1/runs/${id}`)).json()).status;
const sandboxOf = async (service: ApiAccess) => {
  const { data } = fleet.parse(await (await service.request("/v1/admin/nodes")).json());
  return data.find(({ services }) => services.includes("renderer"))?.rendering?.sandbox;
};

describe("node whose browser has no sandbox", () => {
  let site: Site;

  before(async function () {
    // For other users, the sandbox may work.
    if (process.getuid?.() !== 0) this.skip();
    site = await Site.start({ "/": "<!doctype html><h1>page</h1>" });
  });
  after(() => site?.stop());

  describe("without other nodes", () => {
    let vrs: Vrs;
    before(async () => {
      vrs = await Vrs.start(REFUSED);
    });
    after(() => vrs?.stop());

    it("renders for one team on loopback with a warning, and stops when a second team exists", async () => {
      const first = await submit(vrs, site);
      await until(async () => (await stateOf(vrs, first)) === "completed");
      assert.equal(await sandboxOf(vrs), "off");
      assert.match(vrs.output, /can't start its sandbox and runs without it/);
      createdTeam.parse(await (await vrs.post("/v1/teams", { name: "Other" })).json());
      await submit(vrs, site);
      await until(async () => (await sandboxOf(vrs)) === "refused");
      assert.match(vrs.output, /this node serves several teams.*SERVICE_ALLOW_UNSANDBOXED=1/);
    });

    it("does not respond at other addresses of its machine", async () => {
      const { port } = vrs;
      const others = Object.values(networkInterfaces())
        .flatMap(list => list ?? [])
        .filter(({ internal, family }) => !internal && family === "IPv4");
      for (const { address } of others)
        await assert.rejects(fetch(`http://${address}:${port}/health`), /fetch failed/);
      assert.ok((await fetch(`http://127.0.0.1:${port}/health`)).ok);
    });
  });

  describe("on a bus with other nodes", () => {
    needs("nats-server", "database");
    let cluster: Cluster;
    before(async () => {
      cluster = await Cluster.start({ sharedDatabase: true, env: REFUSED });
    });
    after(() => cluster?.stop());

    it("takes no jobs until it is allowed, and explains how to get the sandbox", async () => {
      const id = await submit(cluster, site);
      await until(async () => (await sandboxOf(cluster)) === "refused");
      assert.notEqual(await stateOf(cluster, id), "completed");
      const renderers = cluster.with("renderer");
      await until(() => renderers.some(({ output }) => /this node is part of a cluster/.test(output)));
      assert.match(renderers.map(({ output }) => output).join(""), /as a user other than root/);
      await cluster.node(["renderer"], { SERVICE_ALLOW_UNSANDBOXED: "1" });
      await until(async () => (await stateOf(cluster, id)) === "completed");
    });
  });
});
