import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "mocha";
import type { Service } from "moleculer";
import type { WithDatabase } from "../../../mixins/database.ts";
import { type WithQueue, workQueue } from "../../../mixins/work-queue.ts";
import billing from "../../../services/billing/billing.service.ts";
import runs from "../../../services/runs/runs.service.ts";
import scm from "../../../services/scm/scm.service.ts";
import teams from "../../../services/teams/teams.service.ts";
import { ApiClient } from "../../../shared/api/api-client.ts";
import { service } from "../../../shared/contracts/bus.ts";
import { deliveredAnswer } from "../../../shared/contracts/platform/platform.ts";
import type { CaptureJob } from "../../../shared/contracts/runs/jobs.ts";
import type { SubmitRunInput } from "../../../shared/contracts/runs/submit-run.ts";
import { createdTeam } from "../../../shared/contracts/teams/people.ts";
import { enqueueResult } from "../../../shared/contracts/work-queue.ts";
import { TEST_KEY } from "../../support/drivers/api-access.ts";
import { Integration } from "../../support/drivers/integration.ts";
import { until } from "../../support/drivers/until.ts";
import { CodeHostAppServer } from "../../support/fakes/code-host/code-host-app.ts";
import { HostedRepository } from "../../support/fakes/code-host/hosted-repository.ts";
import { DeploymentPlatform } from "../../support/fakes/deployment-platform.ts";
import { PREVIEW, PREVIEW_DOMAIN, ready } from "../../support/fixtures/platform-events.ts";
import { readExternalRuns } from "../../support/rows/scm-rows.ts";

const CONFIG = "export default { viewports: [640], threshold: 0.5 };";

/** Replaces the renderers. No page can be captured. */
const renderer = service<Service & WithQueue>({
  name: "other-end",
  mixins: [workQueue()],
  async started() {
    const { queue } = this;
    const handle = async ({ runId, screenshots }: CaptureJob) => {
      for (const { id: screenshotId, token } of screenshots)
        await enqueueResult(queue, {
          kind: "failed",
          runId,
          screenshotId,
          token,
          stage: "capture",
          reason: "No page",
        });
    };
    queue.consume("capture", { concurrency: 1, maxAttempts: 3, handle, fail: async () => {} });
  },
});

describe("Checks of runs for an installation's own team", () => {
  let host: CodeHostAppServer;
  let platform: DeploymentPlatform;
  let whole: Integration;
  let member: ApiClient;
  let repository: HostedRepository;

  before(async () => {
    [host, platform] = await Promise.all([CodeHostAppServer.start(), DeploymentPlatform.start()]);
    whole = await Integration.start(
      {
        ...host.env,
        ...platform.env,
        PLATFORM_PREVIEW_DOMAIN: PREVIEW_DOMAIN,
        SERVICE_BOOTSTRAP_KEY: TEST_KEY,
        SERVICE_BASE_URL: "http://localhost:$PORT",
        SERVICE_API_URL: "http://localhost:$PORT",
        SERVICE_API_KEY: TEST_KEY,
        SERVICE_RATE_LIMIT: "1000000",
      },
      [billing, teams, runs, scm, renderer],
    );
    const ask = (method: string, path: string, body: object) =>
      fetch(`${whole.baseUrl}${path}`, {
        method,
        headers: { authorization: `Bearer ${TEST_KEY}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    const { key = "" } = createdTeam.parse(
      await (await ask("POST", "/v1/teams", { name: "Own team" })).json(),
    );
    await ask("PUT", "/v1/admin/installs/icfg_own", { apiKey: key });
    member = new ApiClient({ baseUrl: whole.baseUrl, apiKey: key });
    const chosen = { id: "icfg_own", teamId: "acme", userId: "user", projects: [] };
    const back = platform.fromMarketplace(`${whole.baseUrl}/api/install`, {
      ...chosen,
      projectSelection: "all",
    });
    assert.equal((await fetch(back, { redirect: "manual" })).status, 302);
  });
  afterEach(() => {
    assert.deepEqual([host.complaints, platform.invalidRequests], [[], []]);
  });
  after(async () => {
    await whole?.stop();
    await Promise.all([host?.close(), platform?.close()]);
  });

  /** A repository with a configuration that the app has access to. */
  const newRepository = (name: string) => {
    repository = new HostedRepository("octo", name);
    host.install(repository);
    return repository;
  };
  const deliver = async ({ sha, pr }: { sha: string; pr?: number }) => {
    const of = { scmOrg: "octo", scmRepo: repository.name, scmCommitRef: "topic" };
    const meta = { ...of, scmCommitSha: sha, ...(pr && { scmPrId: pr }) };
    const sent = ready({ deployment: { meta }, payload: { project: { id: "p" }, team: { id: "acme" } } });
    const { status, body } = await whole.deliver(sent);
    assert.equal(status, 200, JSON.stringify(body));
    const delivered = deliveredAnswer.parse(body);
    assert.ok(delivered.triggered, JSON.stringify(body));
    return delivered.runId;
  };
  const submit = async (scmOf: SubmitRunInput["scm"], url = `https://${PREVIEW}`) =>
    (await member.submitRun({ url, ...(scmOf && { scm: scmOf }), rerun: true })).id;
  const ofScm = () => {
    // biome-ignore lint/plugin: Moleculer's types know only a plain service.
    const { em } = whole.broker.getLocalService("scm") as unknown as WithDatabase;
    return em();
  };
  /** Waits until the scm service has decided whether to report the run. */
  const decided = (runId: string) =>
    until(async () => {
      const runs = await readExternalRuns(ofScm());
      return runs.some(each => each.runId === runId && each.dueAt === null);
    });
  const settingsOf = async (id: string) => {
    const { threshold } = await member.getRun(id);
    return [threshold, (await member.listScreenshots(id)).map(({ viewport }) => viewport)];
  };

  it("are concluded on the pull request, and the runs use its configuration", async () => {
    const { number: pr, head } = newRepository("site").open("topic", {
      files: { "service.config.ts": CONFIG },
    });
    const runId = await deliver({ sha: head.sha, pr });
    assert.deepEqual(await settingsOf(runId), [0.5, [640]]);
    await until(async () => repository.checks[0]?.status === "completed");
    const { conclusion, head_sha, details_url } = repository.checks[0] ?? {};
    assert.deepEqual([conclusion, head_sha], ["failure", head.sha]);
    assert.match(details_url ?? "", new RegExp(runId));
    await until(async () => repository.comments.length === 1);
  });

  it("are concluded on a pull request that is opened after the deployment", async () => {
    newRepository("later").branches.set("topic", repository.branches.get("main") ?? "");
    const sha = repository.push("topic", { "service.config.ts": CONFIG });
    await decided(await deliver({ sha }));
    assert.equal(repository.checks.length, 0);
    const { number, head, base, author, updatedAt } = repository.addPull({
      head: "topic",
      base: "main",
      title: "Topic",
      body: "",
    });
    const body = JSON.stringify({
      action: "opened",
      number,
      pull_request: {
        number,
        merged: false,
        user: { login: author },
        updated_at: updatedAt,
        merge_commit_sha: null,
        head: { ...head, repo: { id: repository.id } },
        base: { ...base, repo: { id: repository.id } },
      },
      ...host.event(repository),
    });
    const headers = CodeHostAppServer.headers("pull_request", body);
    await fetch(`${whole.baseUrl}/codehost/webhook`, { method: "POST", headers, body });
    await until(async () => repository.checks[0]?.status === "completed");
  });

  it("are not created for runs that a member submits, and no file is read for them", async () => {
    const { number: pr, head } = newRepository("private").open("topic", {
      files: { "service.config.ts": CONFIG },
    });
    const { sha } = head;
    const spoofed = { owner: "octo", repo: "private", sha, pr };
    const readsBefore = host.requests.length;
    const ids = [await submit(spoofed)];
    // Also if the platform has a deployment of the same preview, of another repository or pull request.
    const [real, site] = [repository, new HostedRepository("octo", "own")];
    host.install(site);
    repository = site;
    await decided(await deliver({ sha }));
    await decided(await deliver({ sha, pr }));
    repository = real;
    for (const scmOf of [spoofed, { ...spoofed, sha: sha.toUpperCase() }]) ids.push(await submit(scmOf));
    for (const id of ids) {
      assert.deepEqual(await settingsOf(id), [0.01, [1280]]);
      await decided(id);
    }
    assert.deepEqual([real.checks.length, real.comments.length], [0, 0]);
    assert.deepEqual(
      host.requests.slice(readsBefore).filter(path => path.includes("/private")),
      [],
    );
  });

  it("are not created if a member submits a forwarded commit with another preview", async () => {
    const { number: pr, head } = newRepository("other-preview").open("topic");
    const { number: twin } = repository.addPull({ head: "topic", base: "main", title: "Twin", body: "" });
    host.failures.push({ match: /\/installation$/, times: 1_000, status: 404 });
    await decided(await deliver({ sha: head.sha, pr }));
    host.failures.length = 0;
    const scmOf = { owner: "octo", repo: repository.name, sha: head.sha, pr };
    for (const id of [
      await submit(scmOf, `https://evil.${PREVIEW_DOMAIN}`),
      await submit({ ...scmOf, pr: twin }),
    ])
      await decided(id);
    assert.equal(repository.checks.length, 0);
    await decided(await submit(scmOf));
    assert.equal(repository.checks.length, 1);
  });
});
