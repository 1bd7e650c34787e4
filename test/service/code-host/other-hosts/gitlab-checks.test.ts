import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, it } from "mocha";
import { advanceDueChecks } from "../../../../services/scm/checks/advance-check.ts";
import { wakeCheckOfRun } from "../../../../services/scm/checks/check.store.ts";
import { configurationAt, isFromFork } from "../../../../services/scm/checks/configuration-at.ts";
import { ConnectedHosts } from "../../../../services/scm/connections/connected-hosts.ts";
import { findConnection } from "../../../../services/scm/connections/connection.store.ts";
import {
  changeConnection,
  disconnect,
  getConnection,
} from "../../../../services/scm/connections/manage-connections.ts";
import { requestExternalRun } from "../../../../services/scm/external-runs/external-run.store.ts";
import { findMissedRuns } from "../../../../services/scm/external-runs/find-missed-runs.ts";
import { reportDueExternalRuns } from "../../../../services/scm/external-runs/report-external-run.ts";
import { handleDueDeliveries } from "../../../../services/scm/webhooks/handle-delivery.ts";
import type { ConnectionWithSecret } from "../../../../shared/contracts/code-host/connections.ts";
import { endFirstRun } from "../../../support/contexts/code-host/connected-context.ts";
import { ADMIN, GitLabTestContext, OTHER } from "../../../support/contexts/code-host/gitlab-context.ts";
import { type DatabaseKind, MAIN_DATABASES } from "../../../support/databases/databases.ts";
import { makeRun, makeScreenshot } from "../../../support/fixtures/run-views.ts";

const PREVIEW = "https://feature-login.previews.example";
const REPORT = "https://vrs.example/r/run_0?token=t";

const checksOn = (database: DatabaseKind) =>
  function (this: Mocha.Suite) {
    this.timeout(60_000);
    database.needed();
    let on: GitLabTestContext;
    let connection: ConnectionWithSecret;
    before(async () => {
      on = await GitLabTestContext.start(database);
    });
    beforeEach(async () => {
      await on.reset();
      connection = await on.connect();
      on.gitlab.requests.length = 0;
    });
    afterEach(() => assert.deepEqual(on.gitlab.complaints, []));
    after(() => on?.stop());

    const opened = (action = "open", more = {}) =>
      on.send(
        connection,
        "Merge Request Hook",
        on.gitlab.mergeRequestEvent(on.project, on.pull, action, more),
      );
    const deployed = (more = {}, url: string | null = PREVIEW) =>
      on.send(
        connection,
        "Deployment Hook",
        on.gitlab.deploymentEvent(on.project, on.pull.head.sha, url, more),
      );
    const statuses = () => on.project.statuses.map(({ status, description }) => [status, description]);

    it("runs a merge request at its deployment's URL, as a commit status with one note", async () => {
      assert.deepEqual((await opened()).body, {
        triggered: false,
        reason: "No preview URL available yet",
      });
      assert.deepEqual((await deployed({ status: "running" })).body, {
        triggered: false,
        reason: "The deployment is in_progress. Its preview URL is stored",
      });
      const { body } = await deployed();
      assert.deepEqual(body, {
        triggered: true,
        runId: "run_0",
        previewUrl: PREVIEW,
        checkRunId: `${connection.id}-1`,
      });
      const { run } = on.cloud.submitted[0] ?? {};
      assert.deepEqual(run, {
        url: PREVIEW,
        project: "acme/web/shop",
        scm: {
          owner: "acme/web",
          repo: "shop",
          sha: on.pull.head.sha,
          checkRunId: `${connection.id}-1`,
          message: "Work on feature/login",
          pr: 1,
          branch: "feature/login",
          baseBranch: "main",
          defaultBranch: "main",
          author: "octocat",
          baseSha: on.project.branches.get("main"),
          missingShas: [],
          changedFiles: ["login.html"],
        },
      });
      const [status] = on.project.statuses;
      assert.deepEqual(status, {
        id: 1,
        sha: on.pull.head.sha,
        name: "Service / Preview",
        ref: "feature/login",
        status: "running",
        description: "1 of 3 screenshots done",
        target_url: REPORT,
      });
      assert.equal(on.project.notes.length, 0);
      await endFirstRun(on, "changed");
      assert.deepEqual([status?.status, status?.target_url], ["failed", REPORT]);
      const [note] = on.project.notes;
      assert.match(note?.body ?? "", /### Service \/ Preview: .*1 changed|Needs review/i);
      assert.match(note?.body ?? "", /<code>\/login<\/code>/);
      await endFirstRun(on, "approved");
      assert.deepEqual(
        on.project.statuses.map(each => each.status),
        ["failed", "success"],
      );
      assert.deepEqual(
        on.project.notes.map(({ id, pull }) => [id, pull]),
        [[1, 1]],
      );
      assert.match(on.project.notes[0]?.body ?? "", /approved/i);
    });

    it("sets a status to pending first, and reports progress without errors of repeated states", async () => {
      on.cloud.refusal = new TypeError("fetch failed");
      await opened();
      await deployed();
      assert.deepEqual(statuses(), [["pending", "Queued"]]);
      on.cloud.refusal = null;
      await on.age("10 minutes");
      await advanceDueChecks(on.scm);
      assert.equal(on.project.statuses[0]?.status, "running");
      const run = on.cloud.runs.get("run_0");
      on.cloud.runs.set("run_0", {
        ...makeRun({ id: "run_0" }),
        ...run,
        progress: { total: 3, captured: 3, compared: 2 },
      });
      await on.age("1 minute");
      await advanceDueChecks(on.scm);
      await endFirstRun(on, "passed");
      assert.deepEqual(
        on.project.statuses.map(each => each.status),
        ["success"],
      );
      assert.deepEqual(
        on.warnings.filter(warning => /transition|details/.test(String(warning))),
        [],
      );
    });

    it("verifies the secret, and handles a delivery once", async () => {
      const event = on.gitlab.mergeRequestEvent(on.project, on.pull, "open");
      const send = (headers: Record<string, string>, to = connection) =>
        on.send(to, "Merge Request Hook", event, { headers });
      for (const token of ["", "wrong", `${connection.webhookSecret} `, connection.webhookSecret.slice(1)])
        assert.deepEqual(await send({ "X-Gitlab-Token": token }), {
          status: 401,
          body: { message: "invalid token" },
        });
      const other = await on.connect({}, OTHER);
      assert.equal((await send({ "X-Gitlab-Token": connection.webhookSecret }, other)).status, 401);
      const unknown = { ...connection, id: "con_00000000000000000000000000" };
      assert.equal((await send({}, unknown)).status, 404);
      const done = { triggered: false, reason: "Duplicate delivery (already processed)" };
      await send({ "Idempotency-Key": "one" });
      assert.deepEqual((await send({ "Idempotency-Key": "one" })).body, done);
      // Older instances send only the id of the event, which other events can share.
      const old = { "Idempotency-Key": "", "X-Gitlab-Event-UUID": "shared" };
      assert.notDeepEqual((await send(old)).body, done);
      assert.deepEqual((await send(old)).body, done);
      assert.notDeepEqual(
        (
          await on.send(
            connection,
            "Deployment Hook",
            on.gitlab.deploymentEvent(on.project, on.pull.head.sha, null),
            { headers: old },
          )
        ).body,
        done,
      );
      const view = await getConnection(on.scm, ADMIN, connection.id);
      assert.ok(Date.parse(view.lastEventAt ?? "") > Date.now() - 60_000);
    });

    it("refuses payloads of another shape or project", async () => {
      for (const payload of [{}, [], { project: null }, { project: { id: "1" } }]) {
        const { status } = await on.send(connection, "Merge Request Hook", payload);
        assert.equal(status, 400);
      }
      const event = on.gitlab.mergeRequestEvent(on.project, on.pull, "open", { iid: 2 ** 31 });
      assert.equal((await on.send(connection, "Merge Request Hook", event)).status, 400);
      const elsewhere = {
        ...on.gitlab.mergeRequestEvent(on.project, on.pull, "open"),
        project: { id: 1, web_url: "https://x.y" },
      };
      assert.match(
        JSON.stringify(await on.send(connection, "Merge Request Hook", elsewhere)),
        /another repository/,
      );
      assert.match(
        JSON.stringify(await on.send(connection, "Push Hook", {})),
        /Ignored event type: Push Hook/,
      );
      assert.equal(on.cloud.submitted.length, 0);
    });

    it("skips production, deployments without a URL, and private previews", async () => {
      await opened();
      for (const more of [{ environment: "production" }, { environment_tier: "production" }])
        assert.deepEqual((await deployed(more)).body, {
          triggered: false,
          reason: "Skipping production deployment",
        });
      assert.match(JSON.stringify(await deployed({}, null)), /no URL/);
      assert.equal((await deployed({}, "http://10.0.0.1/")).status, 400);
      assert.equal((await deployed({}, `${on.gitlab.url}/acme/web/shop`)).status, 400);
      assert.match(JSON.stringify(await deployed({ status: "failed" })), /The deployment is failed/);
      assert.equal(on.cloud.submitted.length, 0);
    });

    it("reads the configuration at the head, and at the target branch for forks", async () => {
      on.project.push("main", { "service.config.ts": "export default { routes: ['/main'] };" });
      on.pull = on.project.open("feature/config", {
        files: { "service.config.ts": "export default { routes: ['/head'], project: 'theirs' };" },
      });
      await opened();
      await deployed();
      on.pull = on.project.open("feature/fork", {
        fork: true,
        files: { "service.config.ts": "export default { routes: ['/fork'] };" },
      });
      await opened();
      await deployed();
      assert.deepEqual(
        on.cloud.submitted.map(({ run }) => [run.routes, run.project, run.scm?.fromFork ?? false]),
        [
          [["/head"], "acme/web/shop", false],
          [["/main"], "acme/web/shop", true],
        ],
      );
    });

    it("shows the errors of a configuration in the status", async () => {
      on.pull = on.project.open("feature/config", {
        files: { "service.config.ts": "export default { routes: 1 };" },
      });
      await opened();
      await deployed();
      assert.deepEqual(statuses(), [["failed", "service.config.ts has errors"]]);
    });

    it("compares with a new target branch in another run, and only then", async () => {
      on.project.branches.set("next", on.project.branches.get("main") ?? "");
      await opened();
      await deployed();
      await endFirstRun(on, "passed");
      assert.match(JSON.stringify(await opened("update")), /Ignored action: update/);
      on.pull.base.ref = "next";
      const event = on.gitlab.mergeRequestEvent(on.project, on.pull, "update");
      await on.send(connection, "Merge Request Hook", {
        ...event,
        changes: { target_branch: { previous: "main", current: "next" } },
      });
      assert.deepEqual(
        on.cloud.submitted.map(({ run }) => run.scm?.baseBranch),
        ["main", "next"],
      );
    });

    it("checks new commits of a merge request, and not the events of old ones", async () => {
      await opened();
      const old = on.gitlab.mergeRequestEvent(on.project, on.pull, "open");
      const oldrev = on.pull.head.sha;
      on.pull.head.sha = on.project.push("feature/login", { "login.html": "2" });
      on.pull.updatedAt = new Date(Date.now() + 5_000).toISOString();
      await opened("update", { oldrev });
      assert.match(JSON.stringify(await on.send(connection, "Merge Request Hook", old)), /newer commits/);
      assert.equal(Object((await deployed()).body).triggered, true);
    });

    it("understands the times of older instances", async () => {
      await opened("open", { updated_at: "2026-01-31 12:00:00 UTC" });
      assert.equal(Object((await deployed()).body).triggered, true);
    });

    it("carries the approvals of a merged merge request to its target branch", async () => {
      await opened();
      await deployed();
      await endFirstRun(on, "approved");
      on.project.merge(on.pull, "merge");
      await opened("merge");
      assert.deepEqual(on.cloud.carried, [
        {
          of: "acme/web/shop#1",
          ...{ branch: "feature/login", sha: on.pull.head.sha, runIds: ["run_0"] },
          into: { branch: "main", defaultBranch: "main", sha: on.pull.mergeSha },
        },
      ]);
      assert.deepEqual(on.cloudOf(null).carried, [], "the app's team has nothing to do with it");
    });

    it("carries nothing of a closed merge request", async () => {
      await opened();
      on.pull.state = "closed";
      assert.match(JSON.stringify(await opened("close")), /closed/);
      assert.deepEqual(on.cloud.carried, []);
    });

    it("reports a run of another program on its commit, with and without a merge request", async () => {
      const report = async (id: string, sha: string, more = {}) => {
        on.cloud.runs.set(id, makeRun({ id, scm: { owner: "Acme/web", repo: "Shop", sha, ...more } }));
        await requestExternalRun(on.em(), id, { teamId: ADMIN.teamId, connectionId: connection.id });
        await reportDueExternalRuns(on.scm);
      };
      const main = on.project.branches.get("main") ?? "";
      await report("run_0", main);
      assert.deepEqual(
        on.project.statuses.map(({ sha, name, status }) => [sha, name, status]),
        [[main, "Service / Preview", "running"]],
      );
      await report("run_1", on.pull.head.sha);
      on.cloud.end("run_1", "changed", [makeScreenshot()]);
      await wakeCheckOfRun(on.em(), "run_1");
      await advanceDueChecks(on.scm);
      assert.deepEqual(
        on.project.statuses.map(({ status }) => status),
        ["running", "failed"],
      );
      assert.equal(on.project.notes.length, 1);
      // A retried CI job submits another run of the same commit.
      await report("run_2", on.pull.head.sha);
      on.cloud.end("run_2", "passed", []);
      await wakeCheckOfRun(on.em(), "run_2");
      await advanceDueChecks(on.scm);
      assert.deepEqual(
        on.project.statuses.map(({ status }) => status),
        ["running", "failed", "success"],
      );
      assert.equal(on.project.notes.length, 1);
    });

    it("comments on a merge request that was opened after the run of its commit", async () => {
      const { owner, repo } = { owner: "acme/web", repo: "shop" };
      const sha = on.pull.head.sha;
      on.cloud.runs.set(
        "run_0",
        makeRun({ id: "run_0", branch: "feature/login", scm: { owner, repo, sha } }),
      );
      on.pull.state = "closed";
      await requestExternalRun(on.em(), "run_0", { teamId: ADMIN.teamId, connectionId: connection.id });
      await reportDueExternalRuns(on.scm);
      await endFirstRun(on, "changed");
      assert.deepEqual([on.project.statuses.length, on.project.notes.length], [1, 0]);
      on.pull.state = "open";
      await opened();
      assert.deepEqual(
        on.project.notes.map(({ pull }) => pull),
        [on.pull.number],
      );
      await endFirstRun(on, "approved");
      assert.equal(on.project.statuses.at(-1)?.status, "success");
      assert.match(on.project.notes[0]?.body ?? "", /approved/i);
    });

    it("finds ended runs whose event was lost, of connected repositories only", async () => {
      const completedAt = new Date().toISOString();
      const ended = { status: "completed", conclusion: "passed", completedAt } as const;
      const sha = on.pull.head.sha;
      on.cloud.runs.set(
        "run_0",
        makeRun({ id: "run_0", ...ended, scm: { owner: "acme/web", repo: "shop", sha } }),
      );
      on.cloud.runs.set(
        "run_1",
        makeRun({ id: "run_1", ...ended, scm: { owner: "acme", repo: "shop", sha } }),
      );
      await findMissedRuns(on.scm);
      await reportDueExternalRuns(on.scm);
      assert.deepEqual(
        on.project.statuses.map(({ status }) => status),
        ["success"],
      );
    });

    it("keeps previews, checks and approvals of two teams with the same repository apart", async () => {
      const other = await on.connect({}, OTHER);
      const event = on.gitlab.deploymentEvent(on.project, on.pull.head.sha, "https://evil.previews.example");
      await on.send(other, "Deployment Hook", event);
      await opened();
      assert.equal(on.cloud.submitted.length, 0, "the other team's preview is not used");
      await deployed();
      assert.deepEqual(
        on.cloud.submitted.map(({ run }) => run.url),
        [PREVIEW],
      );
      assert.equal(on.cloudOf(OTHER.teamId).submitted.length, 1);
    });

    it("says that the token is rejected, and continues with a new one", async () => {
      const token = (await findConnection(on.em(), connection.id))?.access.token ?? "";
      await opened();
      Object.assign(on.gitlab.tokens.get(token) ?? {}, { isRevoked: true });
      assert.match(JSON.stringify(await deployed()), /401/);
      const view = await getConnection(on.scm, ADMIN, connection.id);
      assert.equal(view.state, "refused");
      assert.match(view.error ?? "", /Create an access token there, and set it in this connection/);
      const body = { token: on.gitlab.addToken() };
      const changed = await changeConnection(on.scm, ADMIN, { id: connection.id, body });
      assert.deepEqual([changed.state, changed.error], ["connected", null]);
      await on.age("10 minutes");
      await advanceDueChecks(on.scm);
      assert.equal(on.project.statuses[0]?.status, "running");
    });

    it("retries an event that GitLab did not respond to, and drops it after a disconnection", async () => {
      await deployed();
      const again = on.project.open("feature/late");
      on.gitlab.failures.push({ match: /commits\/\w+\/merge_requests$/, times: 3, status: 503 });
      const event = on.gitlab.deploymentEvent(on.project, again.head.sha, PREVIEW);
      assert.match(JSON.stringify(await on.send(connection, "Deployment Hook", event)), /will retry/);
      await on.age("10 minutes");
      await handleDueDeliveries(on.scm);
      assert.equal(on.cloud.submitted.length, 2);
      on.gitlab.failures.push({ match: /commits\/\w+\/merge_requests$/, times: 3, status: 503 });
      const third = on.gitlab.deploymentEvent(on.project, on.project.open("feature/third").head.sha, PREVIEW);
      await on.send(connection, "Deployment Hook", third);
      await disconnect(on.scm, ADMIN, connection.id);
      await on.age("10 minutes");
      await handleDueDeliveries(on.scm);
      assert.equal(on.cloud.submitted.length, 2);
    });

    it("leaves the checks of a disconnected repository alone", async () => {
      await opened();
      await deployed();
      await disconnect(on.scm, ADMIN, connection.id);
      await on.age("10 minutes");
      on.warnings.length = 0;
      await advanceDueChecks(on.scm);
      assert.deepEqual(on.warnings, []);
    });

    it("creates no second status or note if a response was lost", async () => {
      await opened();
      on.gitlab.failures.push({ match: /^POST .*statuses/, times: 1, status: 500, afterwards: true });
      await deployed();
      await on.age("10 minutes");
      await advanceDueChecks(on.scm);
      assert.equal(on.project.statuses.length, 1);
      on.gitlab.failures.push({ match: /^POST .*notes/, times: 1, status: 500, afterwards: true });
      await endFirstRun(on, "changed");
      await on.age("10 minutes");
      await advanceDueChecks(on.scm);
      assert.equal(on.project.notes.length, 1);
      assert.equal(on.project.statuses.at(-1)?.status, "failed");
    });

    it("writes another note if the earlier one is gone or of another token's user", async () => {
      await opened();
      await deployed();
      await endFirstRun(on, "changed");
      on.project.notes.length = 0;
      await endFirstRun(on, "approved");
      assert.equal(on.project.notes.length, 1);
      await changeConnection(on.scm, ADMIN, { id: connection.id, body: { token: on.gitlab.addToken() } });
      await endFirstRun(on, "rejected");
      assert.equal(on.project.notes.length, 2);
    });

    it("writes names as text that GitLab does not act on", async () => {
      await opened();
      await deployed();
      on.cloud.end("run_0", "changed", [makeScreenshot({ route: "/merge!1~bug%v1$2&3@all#4:tada:" })]);
      await wakeCheckOfRun(on.em(), "run_0");
      await advanceDueChecks(on.scm);
      // GitLab searches texts, and no attributes.
      const body = (on.project.notes[0]?.body ?? "").replaceAll(/<[^>]*>/g, "");
      assert.doesNotMatch(body, /^\s*\/\w/m);
      for (const reference of ["&#33;1", "&#126;b", "&#37;v", "&#36;2", "&#38;3"])
        assert.ok(!body.includes(reference), reference);
    });

    it("reads the configuration and the fork of a run that another program submits", async () => {
      const found = await findConnection(on.em(), connection.id);
      assert.ok(found && on.scm.host instanceof ConnectedHosts);
      const context = { ...on.scm, host: on.scm.host.ofConnection(found) };
      const fork = on.project.open("feature/fork", {
        fork: true,
        files: { "service.config.ts": "export default { routes: ['/fork'] };" },
      });
      const commit = { owner: "acme/web", repo: "shop", sha: fork.head.sha };
      assert.deepEqual(
        [await isFromFork(context, commit), await isFromFork(context, { ...commit, sha: on.pull.head.sha })],
        [true, false],
      );
      assert.deepEqual(await configurationAt(context, commit), { run: {} });
      Object.assign(on.gitlab.tokens.get(found.access.token) ?? {}, { isRevoked: true });
      await assert.rejects(configurationAt(context, commit), /rejects the token.*Create an access token/);
    });
  };

for (const database of MAIN_DATABASES) describe(`Checks of GitLab on ${database.name}`, checksOn(database));
