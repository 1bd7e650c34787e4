import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, it } from "mocha";
import { bootstrapDueRepositories } from "../../../../services/scm/bootstrap/bootstrap-repositories.ts";
import { advanceDueChecks } from "../../../../services/scm/checks/advance-check.ts";
import { configurationAt, isFromFork } from "../../../../services/scm/checks/configuration-at.ts";
import { ConnectedHosts } from "../../../../services/scm/connections/connected-hosts.ts";
import { findConnection } from "../../../../services/scm/connections/connection.store.ts";
import {
  changeConnection,
  disconnect,
  getConnection,
  rotateSecret,
} from "../../../../services/scm/connections/manage-connections.ts";
import { mirrorDueThreads } from "../../../../services/scm/threads/mirror-threads.ts";
import { requestMirror } from "../../../../services/scm/threads/thread.store.ts";
import {
  type ConnectionWithSecret,
  connectBody,
} from "../../../../shared/contracts/code-host/connections.ts";
import { endFirstRun } from "../../../support/contexts/code-host/connected-context.ts";
import { type GiteaTestContext, startGitea } from "../../../support/contexts/code-host/gitea-context.ts";
import { ADMIN, BASE_URL } from "../../../support/contexts/code-host/gitlab-context.ts";
import { type DatabaseKind, MAIN_DATABASES } from "../../../support/databases/databases.ts";
import { isInvalidField } from "../../../support/formats/problem.ts";

const PREVIEW = "https://feature-login.previews.example";

const giteaOn = (database: DatabaseKind) =>
  function (this: Mocha.Suite) {
    this.timeout(60_000);
    database.needed();
    let on: GiteaTestContext;
    let connection: ConnectionWithSecret;
    before(async () => {
      on = await startGitea(database);
    });
    beforeEach(async () => {
      await on.reset();
      connection = await on.connect({ bootstrap: false });
      on.server.requests.length = 0;
    });
    afterEach(() => assert.deepEqual(on.server.complaints, []));
    after(() => on?.stop());

    const opened = (action = "opened", more = {}) =>
      on.send(connection, "pull_request", on.server.pullEvent(on.repository, on.pull, action, more));
    const deployed = (sha = on.pull.head.sha, more: object = { target_url: PREVIEW }) =>
      on.send(connection, "status", on.server.statusEvent(on.repository, sha, "deploy/preview", more));
    const statuses = () =>
      on.repository.statuses.map(({ status, context, target_url }) => [status, context, target_url]);

    describe("A connection", () => {
      it("creates its webhook, and needs no expiry of its token", async () => {
        const { webhookUrl, webhookSecret, hasWebhook, tokenExpiresAt, host } = connection;
        assert.deepEqual([host, hasWebhook, tokenExpiresAt], ["gitea", true, null]);
        assert.equal(webhookUrl, `${BASE_URL}/codehost/connections/${connection.id}/webhook`);
        const [hook] = on.repository.hooks;
        assert.deepEqual([hook?.url, hook?.secret], [webhookUrl, webhookSecret]);
        assert.ok(hook?.events.includes("pull_request_sync") && hook.events.includes("pull_request_comment"));
        const rotated = await rotateSecret(on.scm, ADMIN, connection.id);
        assert.equal(on.repository.hooks[0]?.secret, rotated.webhookSecret);
        await disconnect(on.scm, ADMIN, connection.id);
        assert.deepEqual(on.repository.hooks, []);
      });

      it("says what to fix in a token, a repository or an address", async () => {
        await disconnect(on.scm, ADMIN, connection.id);
        const { server: gitea } = on;
        await assert.rejects(
          on.connect({ token: "unknown-token" }),
          isInvalidField("token", /Forgejo rejects it/),
        );
        const noUser = gitea.addToken({ canReadUser: false });
        await assert.rejects(on.connect({ token: noUser }), isInvalidField("token", /read:user/));
        const reader = gitea.addToken({ canWrite: false });
        await assert.rejects(on.connect({ token: reader }), isInvalidField("token", /can write/));
        await assert.rejects(
          on.connect({ repository: "acme/none" }),
          isInvalidField("repository", /token can read/),
        );
        gitea.failures.push({ match: /user$/, times: 1, status: 200 });
        await assert.rejects(on.connect(), isInvalidField("url", /Gitea or Forgejo instance/));
        const made = await on.connect({ token: gitea.addToken({ isAdmin: false }) });
        assert.equal(made.hasWebhook, false, "members create it");
        const url = "https://169.254.169.254";
        await assert.rejects(on.connect({ url }), isInvalidField("url", /SERVICE_ALLOW_HOSTS/));
      });

      it("takes a new token, says that one is rejected, and never replaces it by itself", async () => {
        const token = (await findConnection(on.em(), connection.id))?.access.token ?? "";
        await opened();
        Object.assign(on.server.tokens.get(token) ?? {}, { isRevoked: true });
        assert.match(JSON.stringify(await deployed()), /401/);
        const view = await getConnection(on.scm, ADMIN, connection.id);
        assert.match(view.error ?? "", /Forgejo rejects the token.*Create an access token/);
        const rotating = { id: connection.id, body: { rotatesToken: true } };
        await assert.rejects(
          changeConnection(on.scm, ADMIN, rotating),
          isInvalidField("rotatesToken", /false/),
        );
        const body = { token: on.server.addToken() };
        assert.equal((await changeConnection(on.scm, ADMIN, { id: connection.id, body })).state, "connected");
        await on.base.age("10 minutes");
        await advanceDueChecks(on.scm);
        assert.equal(on.repository.statuses.at(-1)?.status, "pending");
      });

      it("follows its repository to a new name, and no redirect to another server", async () => {
        Object.assign(on.repository, { name: "store" });
        on.server.moved.set("acme/shop", "acme/store");
        await opened();
        await deployed();
        assert.equal(on.repository.statuses.at(-1)?.status, "pending");
        const body = { token: on.server.addToken() };
        const changed = await changeConnection(on.scm, ADMIN, { id: connection.id, body });
        assert.equal(changed.repository, "acme/store");
        const elsewhere = new URL("/api/v1/repos/acme/store", on.server.url);
        elsewhere.hostname = "localhost";
        on.server.moved.clear();
        on.server.moved.set("acme/other", elsewhere.href);
        await assert.rejects(on.connect({ repository: "acme/other" }), isInvalidField("url", /307/));
      });

      it("needs an address and a path of two names", () => {
        const errorsOf = (more: object) =>
          connectBody
            .safeParse({
              host: "gitea",
              url: "https://g.example",
              repository: "a/b",
              token: "12345678",
              ...more,
            })
            .error?.issues.map(({ path }) => path.join(".")) ?? [];
        assert.deepEqual(errorsOf({}), []);
        assert.deepEqual(errorsOf({ url: undefined }), ["url"]);
        assert.deepEqual(errorsOf({ repository: "a/b/c" }), ["repository"]);
        assert.deepEqual(errorsOf({ rotatesToken: true }), ["rotatesToken"]);
      });
    });

    describe("A pull request", () => {
      it("gets a status and one comment, which later results change", async () => {
        await opened();
        await deployed();
        assert.deepEqual(on.cloud.submitted[0]?.run.url, PREVIEW);
        const { scm, project } = Object(on.cloud.submitted[0]?.run);
        assert.deepEqual([project, scm.pr, scm.branch], ["acme/shop", on.pull.number, "feature/login"]);
        await endFirstRun(on, "changed");
        await endFirstRun(on, "approved");
        const report = "https://vrs.example/r/run_0?token=t";
        assert.deepEqual(statuses(), [
          ["pending", "Service / Preview", ""],
          ["pending", "Service / Preview", report],
          ["failure", "Service / Preview", report],
          ["success", "Service / Preview", report],
        ]);
        assert.equal(on.repository.notes.length, 1);
        assert.match(on.repository.notes[0]?.body ?? "", /Approved|approved/);
      });

      it("creates no second comment after a lost response", async () => {
        await opened();
        await deployed();
        on.server.failures.push({ match: /^POST .*comments/, times: 1, status: 500, afterwards: true });
        await endFirstRun(on, "changed");
        await on.base.age("10 minutes");
        await advanceDueChecks(on.scm);
        assert.equal(on.repository.notes.length, 1);
      });

      it("is compared at the merge base, with the branch's commits since then and its own files", async () => {
        const base = on.repository.branches.get("main");
        const later = on.repository.push("main", { "later.txt": "1" });
        await opened();
        await deployed();
        const { scm } = Object(on.cloud.submitted[0]?.run);
        assert.deepEqual([scm.baseSha, scm.missingShas, scm.changedFiles], [base, [later], ["login.html"]]);
      });

      it("runs with the configuration at its head, and a fork with that of the base", async () => {
        const files = { "service.config.ts": "export default { routes: ['/mine'] };" };
        on.pull = on.repository.open("feature/config", { files });
        await opened();
        await deployed();
        assert.deepEqual(on.cloud.submitted[0]?.run.routes, ["/mine"]);
        on.pull = on.repository.open("feature/fork", { files, fork: true });
        await opened();
        await deployed();
        assert.equal(on.cloud.submitted[1]?.run.routes, undefined);
      });

      it("carries its approvals when it is merged, and nothing when it is closed", async () => {
        await opened();
        on.pull.state = "closed";
        await opened("closed");
        assert.deepEqual(on.cloud.carried, []);
        on.repository.merge(on.pull, "squash");
        await opened("closed");
        const into = { branch: "main", defaultBranch: "main", sha: on.pull.mergeSha };
        const head = { branch: "feature/login", sha: on.pull.head.sha, runIds: [] };
        assert.deepEqual(on.cloud.carried, [{ of: `acme/shop#${on.pull.number}`, ...head, into }]);
      });

      it("follows another base and new commits", async () => {
        on.repository.branches.set("release", on.repository.branches.get("main") ?? "");
        await opened();
        await deployed();
        on.pull.base.ref = "release";
        await opened("edited", { changes: { ref: { from: "main" } } });
        assert.match(JSON.stringify((await opened("labeled")).body), /Ignored action/);
        on.pull.head.sha = on.repository.push("feature/login", { "login.html": "2" });
        await opened("synchronized");
        await deployed();
        assert.equal(on.cloud.submitted.at(-1)?.run.scm?.sha, on.pull.head.sha);
        assert.equal(on.cloud.submitted.at(-1)?.run.scm?.baseBranch, "release");
      });

      it("starts no run by other statuses, unfinished ones, or its own", async () => {
        await opened();
        const status = (context: string, more: object) =>
          on.send(
            connection,
            "status",
            on.server.statusEvent(on.repository, on.pull.head.sha, context, more),
          );
        for (const context of ["ci/build", "Service / Preview", "previews"])
          await status(context, { target_url: PREVIEW });
        await deployed(on.pull.head.sha, { target_url: PREVIEW, state: "pending" });
        await deployed(on.pull.head.sha, { target_url: "http://10.0.0.1/", state: "success" });
        assert.deepEqual(on.cloud.submitted, []);
      });
    });

    describe("An event", () => {
      it("needs the signature of its bytes, and is handled once", async () => {
        const event = on.server.pullEvent(on.repository, on.pull, "opened");
        const wrong = { ...connection, webhookSecret: "wrong" };
        assert.equal((await on.send(wrong, "pull_request", event)).status, 401);
        for (const signature of ["", "zz", "undefined"]) {
          const headers = { "X-Gitea-Signature": signature };
          assert.equal(
            (await on.send(connection, "pull_request", event, { headers })).status,
            401,
            signature,
          );
        }
        const headers = { "X-Gitea-Delivery": "the-same" };
        await on.send(connection, "pull_request", event, { headers });
        const again = await on.send(connection, "pull_request", event, { headers });
        assert.match(JSON.stringify(again.body), /Duplicate/);
        assert.match(JSON.stringify((await on.send(connection, "push", event)).body), /Ignored event type/);
      });

      it("is refused if it is of another repository or another shape", async () => {
        const other = on.server.addRepository(Object.assign(on.repository, {}));
        const event = on.server.pullEvent(other, on.pull, "opened", { repository: { id: 1, html_url: "x" } });
        assert.match(
          JSON.stringify((await on.send(connection, "pull_request", event)).body),
          /another repository/,
        );
        for (const bad of [{ pull_request: {} }, { repository: null }, { action: 5 }]) {
          const payload = on.server.pullEvent(on.repository, on.pull, "opened", bad);
          assert.equal((await on.send(connection, "pull_request", payload)).status, 400);
        }
      });
    });

    it("opens one pull request with a configuration, and proposes no workflow", async () => {
      await disconnect(on.scm, ADMIN, connection.id);
      await on.connect();
      await bootstrapDueRepositories(on.scm);
      const pull = on.repository.pulls.at(-1);
      assert.deepEqual([pull?.head.ref, pull?.base.ref], ["service/bootstrap-config", "main"]);
      assert.match(
        on.repository.filesAt("service/bootstrap-config")["service.config.ts"] ?? "",
        /export default/,
      );
      assert.match(pull?.body ?? "", /runners of your instance/);
      const count = on.repository.pulls.length;
      const [row] = on.repository.hooks;
      assert.ok(row);
      await bootstrapDueRepositories(on.scm);
      assert.equal(on.repository.pulls.length, count);
    });

    it("knows the commits of forks, also those that are not the head", async () => {
      const found = await findConnection(on.em(), connection.id);
      assert.ok(found && on.scm.host instanceof ConnectedHosts);
      const context = { ...on.scm, host: on.scm.host.ofConnection(found) };
      const fork = on.repository.open("feature/fork", {
        fork: true,
        files: { "service.config.ts": "broken(" },
      });
      const earlier = fork.head.sha;
      fork.head.sha = on.repository.push("feature/fork", { "a.txt": "1" });
      const commit = (sha: string) => ({ owner: "acme", repo: "shop", sha });
      assert.equal(await isFromFork(context, commit(earlier)), true);
      assert.equal(await isFromFork(context, commit(fork.head.sha)), true);
      assert.equal(await isFromFork(context, commit(on.pull.head.sha)), false);
      on.server.maxPageSize = 1;
      const other = on.repository.open("feature/other", { fork: true, files: { "b.txt": "1" } });
      for (const sha of [earlier, other.head.sha])
        assert.equal(await isFromFork(context, commit(sha)), true, "the instance has smaller pages");
      on.server.maxPageSize = 50;
      assert.deepEqual(await configurationAt(context, commit(earlier)), { run: {} });
      for (let at = 0; at < 41; at++) on.repository.open(`fork-${at}`, { fork: true });
      await assert.rejects(isFromFork(context, commit(earlier)), /not responding/);
    });

    it("takes quoted replies into their thread, and no comment of its own", async () => {
      await opened();
      await deployed();
      const shown = { id: "com_1", screenshotId: "shot_1", page: null, isOnRegion: false, omitted: 0 };
      on.cloud.threadsOfRuns.set("run_0", [
        { ...shown, comments: [{ by: "@all !1 #2", text: "Why? !7" }], resolvedBy: null },
      ]);
      await requestMirror(on.em(), "run_0");
      await mirrorDueThreads(on.scm);
      const [own] = on.repository.notes;
      assert.ok(own);
      assert.match(own.body, /Quote reply/);
      const visible = own.body.replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
      assert.doesNotMatch(visible.replaceAll(/<[^>]*>/g, ""), /[@!#]\w/);
      const comment = (
        body: string,
        action = "created",
        of = on.repository.addComment(on.pull.number, body, ADA),
      ) =>
        on.send(connection, "issue_comment", on.server.commentEvent(on.repository, { ...of, body }, action));
      const ADA = { id: 7, login: "ada" };
      const replies = () => [...on.cloud.replies.values()].map(({ text }) => text);
      await on.send(connection, "issue_comment", on.server.commentEvent(on.repository, own, "created"));
      await comment("Unrelated");
      assert.deepEqual(replies(), []);
      const quote = own.body
        .split("\n")
        .map(line => `> ${line}`)
        .join("\n");
      const note = on.repository.addComment(on.pull.number, "", ADA);
      await comment(`${quote}\n\nBecause`, "created", note);
      await comment(`${quote}\n\nBecause of you`, "edited", note);
      assert.deepEqual(replies(), ["Because of you"]);
      const [got] = [...on.cloud.replies.values()];
      assert.match(got?.account.id ?? "", /^127\.0\.0\.1:\d+:7$/);
      await comment("", "deleted", note);
      assert.deepEqual(replies(), []);
    });
  };

for (const database of MAIN_DATABASES) describe(`Gitea and Forgejo on ${database.name}`, giteaOn(database));
