import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, afterEach, before, describe, it } from "mocha";
import { connectionView, connectionWithSecret } from "../../../shared/contracts/code-host/connections.ts";
import { until } from "../../support/drivers/until.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import type { HostedPull } from "../../support/fakes/code-host/hosted-repository.ts";
import { GitLabProject } from "../../support/fakes/gitlab/gitlab-project.ts";
import { GitLabServer } from "../../support/fakes/gitlab/gitlab-server.ts";
import { Site } from "../../support/fixtures/site.ts";

const page = (color: string) =>
  `<!doctype html><title>Site</title><body style="margin:0;background:${color}"><h1>Hello</h1>`;

describe("A repository at GitLab", () => {
  let gitlab: GitLabServer;
  let site: Site;
  let vrs: Vrs;
  let connection = "";
  const project = new GitLabProject("acme/web", "shop", {
    "package.json": JSON.stringify({ scripts: { dev: "vite" }, devDependencies: { vrs: "1.0.0" } }),
  });

  before(async () => {
    gitlab = await GitLabServer.start();
    gitlab.addProject(project);
    [site, vrs] = await Promise.all([
      Site.start({ "/": page("white") }),
      Vrs.start({ SERVICE_ALLOW_HOSTS: "localhost,127.0.0.1" }),
    ]);
  });
  afterEach(() => assert.deepEqual(gitlab.complaints, [], vrs.output));
  after(async () => {
    await vrs?.stop();
    await site?.stop();
    await gitlab?.close();
  });

  /** Sends an event to the webhook that the service created. */
  const send = async (event: string, payload: object) => {
    const [hook] = project.hooks;
    assert.ok(hook);
    const answer = await fetch(hook.url, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "X-Gitlab-Event": event,
        "X-Gitlab-Token": hook.token,
        "X-Gitlab-Event-UUID": randomUUID(),
        "Idempotency-Key": randomUUID(),
      },
      body: JSON.stringify(payload),
    });
    return { status: answer.status, body: Object(await answer.json()) };
  };
  const sendPull = (pull: HostedPull, action: string) =>
    send("Merge Request Hook", gitlab.mergeRequestEvent(project, pull, action));
  const statusesOf = (sha: string) => project.statuses.filter(each => each.sha === sha);
  const onMain = async () => {
    const { id } = await vrs.client().submitRun({ url: site.url, project: "acme/web/shop", branch: "main" });
    return (await vrs.client().waitForRun(id)).conclusion;
  };

  it("is connected with an access token, which is never shown", async () => {
    const body = { host: "gitlab", url: gitlab.url, repository: project.path, token: gitlab.addToken() };
    const answer = await vrs.post("/v1/connections", body);
    const text = await answer.text();
    assert.equal(answer.status, 201, text);
    const made = connectionWithSecret.parse(JSON.parse(text));
    assert.deepEqual([made.state, made.hasWebhook], ["connected", true]);
    assert.ok(!text.includes(body.token));
    connection = made.id;
    await until(() => project.pulls.length === 1);
    const [pull] = project.pulls;
    assert.match(pull?.body ?? "", /When you merge this merge request/);
    const files = project.filesAt(pull?.head.ref ?? "");
    assert.deepEqual(Object.keys(files).toSorted(), [".gitlab-ci.yml", "package.json", "service.config.ts"]);
    const read = await vrs.request(`/v1/connections/${connection}`);
    assert.equal(connectionView.parse(await read.json()).repository, project.path);
  });

  it("gets a status and a note from the deployment to the approval", async () => {
    const pull = project.open("first", { files: { "color.txt": "white" } });
    assert.equal((await sendPull(pull, "open")).body.reason, "No preview URL available yet");
    const { body } = await send("Deployment Hook", gitlab.deploymentEvent(project, pull.head.sha, site.url));
    assert.equal(body.triggered, true, JSON.stringify(body));
    await until(() => statusesOf(pull.head.sha).at(-1)?.status === "failed");
    const status = statusesOf(pull.head.sha).at(-1);
    assert.match(status?.description ?? "", /^\d+ new screenshots? to review$/);
    const report = await fetch(status?.target_url ?? "");
    assert.equal(report.status, 200);
    await report.text();
    await until(() => project.notes.length === 1);
    assert.match(project.notes[0]?.body ?? "", /### Service \/ Preview/);
    const run = await vrs.client().getRun(body.runId);
    assert.deepEqual([run.scm?.pr, run.scm?.owner, run.project], [pull.number, "acme/web", "acme/web/shop"]);

    await vrs.client().approve(body.runId);
    await until(() => statusesOf(pull.head.sha).at(-1)?.status === "success");
    await until(() => /Approved/.test(project.notes[0]?.body ?? ""));
    assert.equal(project.notes.length, 1);
  });

  it("carries the approvals of a merged merge request to its target branch", async () => {
    assert.equal(await onMain(), "new");
    const pull = project.pulls.find(({ head }) => head.ref === "first");
    assert.ok(pull);
    project.merge(pull, "merge");
    assert.equal((await sendPull(pull, "merge")).body.reason, "Pull request merged");
    assert.equal(await onMain(), "passed");
  });

  it("gets the status of a run that a CI job submits", async () => {
    const pull = project.open("from-ci", { files: { "color.txt": "white" } });
    site.pages.set("/", page("teal"));
    const scm = { owner: "acme/web", repo: "shop", sha: pull.head.sha, pr: pull.number, branch: "from-ci" };
    const { id } = await vrs.client().submitRun({ url: site.url, scm });
    await until(() => statusesOf(pull.head.sha).length > 0);
    assert.equal(statusesOf(pull.head.sha)[0]?.name, "Service / Preview");
    assert.equal((await vrs.client().waitForRun(id)).conclusion, "changed");
    await until(() => statusesOf(pull.head.sha).at(-1)?.status === "failed");
    await until(() => project.notes.some(note => note.pull === pull.number));
    await vrs.client().approve(id);
    await until(() => statusesOf(pull.head.sha).at(-1)?.status === "success");
  });

  it("tells that a revoked token must be replaced, and loses nothing meanwhile", async () => {
    for (const token of gitlab.tokens.values()) token.isRevoked = true;
    const pull = project.open("revoked");
    await sendPull(pull, "open");
    await send("Deployment Hook", gitlab.deploymentEvent(project, pull.head.sha, site.url));
    const refused = connectionView.parse(await (await vrs.request(`/v1/connections/${connection}`)).json());
    assert.equal(refused.state, "refused");
    const answer = await vrs.request(`/v1/connections/${connection}`, {
      method: "PATCH",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ token: gitlab.addToken() }),
    });
    assert.equal(connectionView.parse(await answer.json()).state, "connected");
    await until(
      () =>
        statusesOf(pull.head.sha).at(-1)?.status === "success" ||
        statusesOf(pull.head.sha).at(-1)?.status === "failed",
    );
  });

  it("is disconnected with its webhook", async () => {
    const answer = await vrs.request(`/v1/connections/${connection}`, { method: "DELETE" });
    assert.equal(answer.status, 204);
    assert.deepEqual(project.hooks, []);
  });
});
