import assert from "node:assert/strict";
import sharp from "sharp";
import { z } from "zod";
import { deliveredAnswer } from "../../../shared/contracts/platform/platform.ts";
import { SECRET, sign } from "../../support/drivers/integration.ts";
import { IntegrationNode } from "../../support/drivers/integration-node.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { DeploymentPlatform } from "../../support/fakes/deployment-platform.ts";
import { PreviewSite } from "../../support/fakes/preview-site.ts";
import { ready, SHA } from "../../support/fixtures/platform-events.ts";

const page = (colour: string) =>
  `<!doctype html><title>Preview</title><body style="margin:0;height:300px;background:${colour}">`;

describe("A preview deployment", () => {
  let site: PreviewSite;
  let vrs: Vrs;
  let platform: DeploymentPlatform;
  let integration: IntegrationNode;

  before(async () => {
    site = await PreviewSite.start({ "/": page("#00f"), "/pricing": page("#0f0") });
    platform = await DeploymentPlatform.start();
    vrs = await Vrs.start(site.env);
    integration = await IntegrationNode.start({
      ...platform.env,
      SERVICE_API_URL: vrs.baseUrl,
      SERVICE_API_KEY: vrs.key,
      SERVICE_ROUTES: "/, /pricing",
      PLATFORM_TEAMS: "shared",
      LOG_LEVEL: "debug",
    });
  });
  after(async () => {
    await integration?.stop();
    await vrs?.stop();
    await platform?.close();
    await site?.stop();
  });

  const deliver = async (body: string) => {
    const response = await fetch(`${integration.baseUrl}/api/webhook`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "x-platform-signature": sign(body) },
      body,
    });
    return { status: response.status, body: await response.json() };
  };
  const preview = (sha: string, id?: string) =>
    ready({
      id,
      deployment: {
        url: site.url,
        meta: { scmCommitSha: sha, scmOrg: "acme", scmRepo: "shop", scmPrId: "7", scmCommitRef: "topic" },
      },
      payload: { project: { id: "prj_shop" }, team: { id: "team_acme" } },
    });
  /** Returns the run of a delivery after it has ended. */
  const runOf = async (body: string) => {
    const answer = await deliver(body);
    const delivered = deliveredAnswer.parse(answer.body);
    assert.ok(delivered.triggered, JSON.stringify(answer));
    assert.equal(delivered.previewUrl, `https://${site.url}`);
    return vrs.client().waitForRun(delivered.runId);
  };
  const NOT_ALLOWED = { status: 400, body: { triggered: false, error: "Preview URL not allowed" } };
  const DUPLICATE = {
    status: 200,
    body: { triggered: false, reason: "Duplicate delivery (already processed)" },
  };

  it("is refused on a domain without consent, which installing the integration gives", async () => {
    assert.deepEqual(await deliver(preview(SHA)), NOT_ALLOWED);
    const begun = await fetch(`${integration.baseUrl}/api/install`, { redirect: "manual" });
    const cookie = begun.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    const back = platform.install(begun.headers.get("location") ?? "", {
      id: "icfg_acme",
      teamId: "team_acme",
      userId: "user_1",
      projectSelection: "selected",
      projects: ["prj_shop"],
    });
    const installed = await fetch(back, { redirect: "manual", headers: { cookie } });
    assert.equal(installed.headers.get("location"), `${platform.url}/dashboard/integrations`);
    assert.deepEqual(platform.invalidRequests, []);
  });

  it("starts a run of its commit with screenshots, and a later one is compared with the approved baselines", async () => {
    const first = await runOf(preview(SHA));
    assert.deepEqual([first.status, first.conclusion, first.project], ["completed", "new", "acme/shop"]);
    assert.deepEqual(first.scm, { owner: "acme", repo: "shop", sha: SHA, pr: 7, branch: "topic" });
    const shots = await vrs.client().listScreenshots(first.id);
    assert.deepEqual(
      shots.map(({ route, status, width }) => [route, status, width]),
      [
        ["/", "new", 1280],
        ["/pricing", "new", 1280],
      ],
    );
    const image = await (await fetch(shots[0]?.images.current ?? "")).arrayBuffer();
    const pixels = await sharp(image).removeAlpha().raw().toBuffer();
    assert.deepEqual([...pixels.subarray(0, 3)], [0, 0, 255]);
    assert.ok(site.requested.includes("/pricing"));

    await vrs.client().approve(first.id);
    site.pages["/pricing"] = page("#f00");
    const second = await runOf(preview("e".repeat(40)));
    assert.equal(second.conclusion, "changed");
    assert.deepEqual(second.counts, { unchanged: 1, minor: 0, changed: 1, new: 0, removed: 0, failed: 0 });
  });

  it("starts one run for repeated deliveries, also after the integration was killed", async () => {
    const [sha, id] = ["d".repeat(40), "delivery-of-the-journey"];
    const { id: runId } = await runOf(preview(sha, id));
    assert.deepEqual(await deliver(preview(sha, id)), DUPLICATE);
    await integration.kill();
    await integration.start();
    assert.deepEqual(await deliver(preview(sha, id)), DUPLICATE);
    // A repeated deployment has the same commit and URL.
    assert.equal((await runOf(preview(sha))).id, runId);
  });

  it("is checked when it is delivered again after the service was down", async () => {
    const body = preview("c".repeat(40));
    await vrs.kill();
    const { status, body: answered } = await deliver(body);
    assert.equal(status, 502);
    const fault = z.object({ triggered: z.literal(false), error: z.string(), status: z.null() });
    assert.match(fault.parse(answered).error, /could not be reached/);
    await vrs.start();
    assert.equal((await runOf(body)).status, "completed");
    assert.deepEqual(await deliver(body), DUPLICATE);
  });

  it("starts a run of its installation's own team, if each has one", async () => {
    await integration.stop();
    integration = await IntegrationNode.start({
      ...platform.env,
      SERVICE_API_URL: vrs.baseUrl,
      SERVICE_API_KEY: vrs.key,
      LOG_LEVEL: "debug",
    });
    const chosen = { userId: "user_1", projectSelection: "all", projects: [] } as const;
    const back = platform.fromMarketplace(`${integration.baseUrl}/api/install`, {
      ...chosen,
      id: "icfg_acme",
      teamId: "team_acme",
      projects: [],
    });
    assert.equal((await fetch(back, { redirect: "manual" })).status, 302);
    const delivered = deliveredAnswer.parse((await deliver(preview("b".repeat(40)))).body);
    assert.ok(delivered.triggered);
    // The key of the service's own team has no access to another team's runs.
    await assert.rejects(vrs.client().getRun(delivered.runId), { status: 404 });
  });

  it("is refused again after the integration is removed, and no secret is ever logged", async () => {
    const removed = { ...JSON.parse(ready()), type: "integration-configuration.removed" };
    const payload = { configuration: { id: "icfg_acme" } };
    assert.equal((await deliver(JSON.stringify({ ...removed, payload }))).status, 200);
    assert.deepEqual(await deliver(preview(SHA)), NOT_ALLOWED);
    for (const secret of [SECRET, vrs.key, ...platform.secrets])
      assert.ok(!integration.output.includes(secret), "a secret in the log");
  });
});
