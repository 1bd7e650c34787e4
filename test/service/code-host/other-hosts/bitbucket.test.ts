import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, it } from "mocha";
import { parse } from "yaml";
import { bootstrapDueRepositories } from "../../../../services/scm/bootstrap/bootstrap-repositories.ts";
import { advanceDueChecks } from "../../../../services/scm/checks/advance-check.ts";
import { wakeCheckOfRun } from "../../../../services/scm/checks/check.store.ts";
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
import {
  type BitbucketTestContext,
  startBitbucket,
} from "../../../support/contexts/code-host/bitbucket-context.ts";
import { endFirstRun } from "../../../support/contexts/code-host/connected-context.ts";
import { ADMIN, BASE_URL } from "../../../support/contexts/code-host/gitlab-context.ts";
import { type DatabaseKind, MAIN_DATABASES } from "../../../support/databases/databases.ts";
import type { BitbucketUser } from "../../../support/fakes/bitbucket/bitbucket-repository.ts";
import { makeScreenshot } from "../../../support/fixtures/run-views.ts";
import { isInvalidField } from "../../../support/formats/problem.ts";

const PREVIEW = "https://feature-login.previews.example";
const REPORT = "https://vrs.example/r/run_0?token=t";
const ADA: BitbucketUser = { type: "user", uuid: "{ada}", nickname: "ada", display_name: "Ada L" };

const bitbucketOn = (database: DatabaseKind) =>
  function (this: Mocha.Suite) {
    this.timeout(60_000);
    database.needed();
    let on: BitbucketTestContext;
    let connection: ConnectionWithSecret;
    before(async () => {
      on = await startBitbucket(database);
    });
    beforeEach(async () => {
      await on.reset();
      connection = await on.connect({ bootstrap: false });
      on.server.requests.length = 0;
    });
    afterEach(() => assert.deepEqual(on.server.complaints, []));
    after(() => on?.stop());

    const sendPull = (event = "pullrequest:created", more = {}) =>
      on.send(connection, event, on.server.pullEvent(on.repository, on.pull, more));
    /** Changes the pull request as at Bitbucket, and sends the event of it. */
    const update = (change: () => void, event = "pullrequest:updated") => {
      change();
      on.pull.updatedAt = new Date(Date.parse(on.pull.updatedAt) + 1_000).toISOString();
      return sendPull(event);
    };
    const deployed = (sha = on.pull.head.sha, more: object = { url: PREVIEW }) =>
      on.send(
        connection,
        "repo:commit_status_updated",
        on.server.statusEvent(on.repository, sha, "deploy/preview", more),
      );
    const submitted = (at: number) => Object(on.cloud.submitted.at(at)?.run.scm);

    describe("A connection", () => {
      it("creates its webhook, and changes and deletes it", async () => {
        const { webhookUrl, webhookSecret, hasWebhook, tokenExpiresAt, host } = connection;
        assert.deepEqual([host, hasWebhook, tokenExpiresAt], ["bitbucket", true, null]);
        assert.equal(webhookUrl, `${BASE_URL}/codehost/connections/${connection.id}/webhook`);
        const [hook] = on.repository.hooks;
        assert.deepEqual([hook?.url, hook?.secret], [webhookUrl, webhookSecret]);
        assert.ok(hook?.events.includes("pullrequest:fulfilled"));
        const rotated = await rotateSecret(on.scm, ADMIN, connection.id);
        assert.equal(
          on.repository.hooks.find(({ url }) => url === webhookUrl)?.secret,
          rotated.webhookSecret,
        );
        await disconnect(on.scm, ADMIN, connection.id);
        assert.deepEqual(on.repository.hooks, []);
      });

      it("says what to fix in a token, a repository or an address", async () => {
        await disconnect(on.scm, ADMIN, connection.id);
        const { server: bitbucket } = on;
        await assert.rejects(
          on.connect({ token: "unknown-token" }),
          isInvalidField("token", /Bitbucket Cloud rejects it/),
        );
        for (const scopes of [["repository"], ["pullrequest"]])
          await assert.rejects(
            on.connect({ token: bitbucket.addToken(scopes) }),
            isInvalidField("token", /scopes repository and pullrequest/),
          );
        await assert.rejects(
          on.connect({ repository: "acme/none" }),
          isInvalidField("repository", /token can read/),
        );
        const made = await on.connect({ token: bitbucket.addToken(["repository", "pullrequest"]) });
        assert.equal(made.hasWebhook, false, "members create it");
        bitbucket.failures.push({ match: /^GET .*pullrequests/, times: 1, status: 410, message: "Gone" });
        await assert.rejects(
          on.connect(),
          isInvalidField("repository", /request failed: Bitbucket answered 410: Gone/),
        );
        const other = { url: "https://bitbucket.acme.example" };
        await assert.rejects(on.connect(other), isInvalidField("url", /left out.*only Bitbucket Cloud/));
        await assert.rejects(
          on.connect({ url: "https://169.254.169.254" }),
          isInvalidField("url", /SERVICE_ALLOW_HOSTS/),
        );
      });

      it("is of Bitbucket Cloud without an address, needs a path of two names, and replaces no token", async () => {
        const body = { host: "bitbucket", repository: "a/b", token: "12345678" };
        const errorsOf = (more: object) =>
          connectBody.safeParse({ ...body, ...more }).error?.issues.map(({ path }) => path.join(".")) ?? [];
        assert.deepEqual(errorsOf({}), []);
        assert.deepEqual(errorsOf({ repository: "a/b/c" }), ["repository"]);
        assert.deepEqual(errorsOf({ rotatesToken: true }), ["rotatesToken"]);
        assert.equal(on.scm.hosts.bitbucket.defaultUrl, "https://bitbucket.org");
        const rotating = { id: connection.id, body: { rotatesToken: true } };
        await assert.rejects(
          changeConnection(on.scm, ADMIN, rotating),
          isInvalidField("rotatesToken", /false/),
        );
      });

      it("takes a new token, and says that one is rejected", async () => {
        const token = (await findConnection(on.em(), connection.id))?.access.token ?? "";
        await sendPull();
        Object.assign(on.server.tokens.get(token) ?? {}, { isRevoked: true });
        assert.match(JSON.stringify(await deployed()), /401: Token is invalid/);
        const view = await getConnection(on.scm, ADMIN, connection.id);
        assert.match(view.error ?? "", /Bitbucket Cloud rejects the token/);
        const body = { token: on.server.addToken() };
        assert.equal((await changeConnection(on.scm, ADMIN, { id: connection.id, body })).state, "connected");
        await on.base.age("10 minutes");
        await advanceDueChecks(on.scm);
        assert.equal(on.repository.statuses.at(-1)?.state, "INPROGRESS");
      });

      it("follows its repository to a new name", async () => {
        Object.assign(on.repository, { name: "store" });
        await sendPull();
        await deployed();
        assert.equal(on.repository.statuses.at(-1)?.state, "INPROGRESS");
        const body = { token: on.server.addToken() };
        const changed = await changeConnection(on.scm, ADMIN, { id: connection.id, body });
        assert.equal(changed.repository, "acme/store");
      });
    });

    describe("A pull request", () => {
      it("gets one status that changes in place, and one comment, with a token that only reads", async () => {
        await disconnect(on.scm, ADMIN, connection.id);
        const token = on.server.addToken(["repository", "pullrequest"]);
        connection = await on.connect({ bootstrap: false, token });
        await sendPull();
        await deployed();
        assert.deepEqual(on.cloud.submitted[0]?.run.url, PREVIEW);
        const { pr, branch, sha, defaultBranch } = submitted(0);
        assert.deepEqual([pr, branch, defaultBranch], [on.pull.number, "feature/login", "main"]);
        assert.equal(sha, on.pull.head.sha, "events have only its start");
        await endFirstRun(on, "changed");
        await endFirstRun(on, "approved");
        const page = `${on.server.url}/acme/shop/commits/${sha}`;
        assert.deepEqual(on.repository.states, [
          ["INPROGRESS", page],
          ["INPROGRESS", REPORT],
          ["FAILED", REPORT],
          ["SUCCESSFUL", REPORT],
        ]);
        assert.deepEqual(
          on.repository.statuses.map(({ name, refname }) => [name, refname]),
          [["Service / Preview", "feature/login"]],
        );
        const [comment, ...others] = on.repository.notes;
        assert.deepEqual(others, []);
        assert.match(comment?.content.raw ?? "", /[Aa]pproved/);
      });

      it("has a comment without HTML, which Bitbucket would show as text", async () => {
        await sendPull();
        await deployed();
        await endFirstRun(on, "changed");
        const raw = on.repository.notes.at(-1)?.content.raw ?? "";
        assert.doesNotMatch(raw, /<\w|&#/);
        assert.match(
          raw,
          /^\[\/\/\]: # \(vrs: the result of Service \/ Preview\)\n\n### Service \/ Preview: /,
        );
        assert.match(raw, /\[Open the report\]\(https:\/\/vrs\.example\/r\/run_0\?token=t\)/);
        assert.match(raw, /\[`\/login`\]\(|`\/login` at 1280 px/);
      });

      it("has a comment of the length that Bitbucket accepts", async () => {
        await sendPull();
        await deployed();
        const changed = Array.from({ length: 300 }, (_, n) =>
          makeScreenshot({ route: `/${"page".repeat(20)}/${n}`, fingerprint: null }),
        );
        on.cloud.end("run_0", "changed", changed);
        await wakeCheckOfRun(on.em(), "run_0");
        await advanceDueChecks(on.scm);
        const raw = on.repository.notes.at(-1)?.content.raw ?? "";
        assert.ok(raw.length > 30_000 && raw.length <= 32_768, String(raw.length));
        assert.match(raw, /\/pagepage.*\n\n…\n\nCommit/);
      });

      it("creates no second comment after a lost response, and changes no comment of others", async () => {
        await sendPull();
        await deployed();
        const forged = "[//]: # (vrs: the result of Service / Preview)";
        on.repository.addComment(on.pull.number, forged, ADA);
        on.server.failures.push({ match: /^POST .*comments/, times: 1, status: 500, afterwards: true });
        await endFirstRun(on, "changed");
        await on.base.age("10 minutes");
        await advanceDueChecks(on.scm);
        assert.equal(on.repository.notes.length, 2);
        assert.equal(on.repository.notes.find(({ user }) => user === ADA)?.content.raw, forged);
      });

      it("keeps its comment in a conversation that is too long to search", async () => {
        on.server.maxPageSize = 2;
        const talk = () => {
          for (let count = 0; count < 45; count++) on.repository.addComment(on.pull.number, "Nice", ADA);
        };
        talk();
        await sendPull();
        await deployed();
        on.server.failures.push({ match: /^POST .*comments/, times: 1, status: 500, afterwards: true });
        await endFirstRun(on, "changed");
        await on.base.age("10 minutes");
        await advanceDueChecks(on.scm);
        const ownComments = () => on.repository.notes.filter(({ user }) => user !== ADA);
        assert.equal(ownComments().length, 1, "the response to its creation was lost");
        talk();
        await endFirstRun(on, "approved");
        const [own, ...others] = ownComments();
        assert.deepEqual(others, []);
        assert.match(own?.content.raw ?? "", /[Aa]pproved/);
      });

      it("creates its status again if it is gone, and finds one whose response was lost", async () => {
        on.server.failures.push({ match: /^POST .*statuses/, times: 1, status: 500, afterwards: true });
        await sendPull();
        await deployed();
        await on.base.age("10 minutes");
        await advanceDueChecks(on.scm);
        assert.equal(on.repository.statuses.length, 1);
        on.repository.statuses.length = 0;
        await endFirstRun(on, "passed");
        assert.equal(on.repository.statuses.at(-1)?.state, "SUCCESSFUL");
      });

      it("is compared at the merge base, with the branch's commits since then and its own files", async () => {
        on.server.maxPageSize = 1;
        const base = on.repository.branches.get("main");
        const later = ["1", "2"].map(text => on.repository.push("main", { "later.txt": text })).toReversed();
        await sendPull();
        await deployed();
        const { baseSha, missingShas, changedFiles } = submitted(0);
        assert.deepEqual([baseSha, missingShas, changedFiles], [base, later, ["login.html"]]);
      });

      it("runs with the configuration at its head", async () => {
        const files = { "service.config.ts": "export default { routes: ['/mine'] };" };
        on.pull = on.repository.open("feature/config", { files });
        await sendPull();
        await deployed();
        assert.deepEqual(on.cloud.submitted[0]?.run.routes, ["/mine"]);
      });

      it("of a fork is not checked, because its commits are not in the repository", async () => {
        on.pull = on.repository.open("feature/fork", { fork: true, files: { "a.txt": "1" } });
        assert.match(JSON.stringify((await sendPull()).body), /in a fork/);
        assert.deepEqual(on.cloud.submitted, []);
      });

      it("carries its approvals when it is merged, and nothing when it is declined", async () => {
        await sendPull();
        await update(() => Object.assign(on.pull, { state: "closed" }), "pullrequest:rejected");
        assert.deepEqual(on.cloud.carried, []);
        await update(() => on.repository.merge(on.pull, "squash"), "pullrequest:fulfilled");
        const into = { branch: "main", defaultBranch: "main", sha: on.pull.mergeSha };
        const head = { branch: "feature/login", sha: on.pull.head.sha, runIds: [] };
        assert.deepEqual(on.cloud.carried, [{ of: `acme/shop#${on.pull.number}`, ...head, into }]);
      });

      it("is not merged by another name of its event, which is not signed", async () => {
        await sendPull();
        await sendPull("pullrequest:fulfilled", { replayed: true });
        assert.deepEqual(on.cloud.carried, []);
      });

      it("follows new commits and another base, and nothing else that changed", async () => {
        on.repository.branches.set("release", on.repository.branches.get("main") ?? "");
        await sendPull();
        await deployed();
        const title = await update(() => Object.assign(on.pull, { title: "Another" }));
        assert.match(JSON.stringify(title.body), /already checked/);
        await update(() => Object.assign(on.pull.base, { ref: "release" }));
        assert.equal(on.cloud.submitted.length, 2);
        assert.equal(submitted(-1).baseBranch, "release");
        await update(() => {
          on.pull.head.sha = on.repository.push("feature/login", { "login.html": "2" });
        });
        await deployed();
        assert.equal(submitted(-1).sha, on.pull.head.sha);
      });

      it("is compared with another base by the retry of a node that stopped after it saved the base", async () => {
        on.repository.branches.set("release", on.repository.branches.get("main") ?? "");
        await sendPull();
        await deployed();
        await on.em().execute(`update scm.pull_request set head = head || '{"base": "release"}'`);
        await update(() => Object.assign(on.pull.base, { ref: "release" }));
        assert.equal(submitted(-1).baseBranch, "release");
      });

      it("starts no run by other statuses, unfinished ones, or its own", async () => {
        await sendPull();
        const status = (key: string, more: object) =>
          on.send(
            connection,
            "repo:commit_status_created",
            on.server.statusEvent(on.repository, on.pull.head.sha, key, more),
          );
        for (const key of ["ci/build", "previews"]) await status(key, { url: PREVIEW });
        await status("vrs-1", { name: "Service / Preview", url: PREVIEW });
        await status("deploy/preview", { url: PREVIEW, state: "FAILED" });
        await status("deploy/preview", { url: "http://10.0.0.1/" });
        assert.equal(on.cloud.submitted.length, 0);
        await status("deploy/preview", { url: PREVIEW, state: "INPROGRESS" });
        await status("deploy/preview", { url: "" });
        assert.equal(on.cloud.submitted[0]?.run.url, PREVIEW, "the earlier status had the URL");
      });
    });

    describe("An event", () => {
      it("needs the signature of its bytes, and is handled once, whatever its id", async () => {
        const event = on.server.pullEvent(on.repository, on.pull);
        const wrong = { ...connection, webhookSecret: "wrong" };
        assert.equal((await on.send(wrong, "pullrequest:created", event)).status, 401);
        for (const signature of ["", "sha256=zz", "sha1=00", "undefined"]) {
          const headers = { "X-Hub-Signature": signature };
          const answer = await on.send(connection, "pullrequest:created", event, { headers });
          assert.equal(answer.status, 401, signature);
        }
        await on.send(connection, "pullrequest:created", event);
        const again = await on.send(connection, "pullrequest:created", event);
        assert.match(JSON.stringify(again.body), /Duplicate/);
        assert.match(
          JSON.stringify((await on.send(connection, "repo:push", event)).body),
          /Ignored event type/,
        );
      });

      it("is refused if it is of another repository or another shape", async () => {
        const repository = { uuid: "{1b7e7c5c-0000-4000-8000-000000000000}", links: { html: { href: "x" } } };
        const other = await sendPull("pullrequest:created", { repository });
        assert.match(JSON.stringify(other.body), /another repository/);
        for (const bad of [{ pullrequest: {} }, { repository: null }, { pullrequest: 5 }])
          assert.equal((await sendPull("pullrequest:created", bad)).status, 400);
      });

      it("is handled again after Bitbucket did not answer", async () => {
        on.server.failures.push({ match: /^GET .*commit/, times: 9, status: 503 });
        assert.match(JSON.stringify((await sendPull()).body), /will retry/);
      });
    });

    describe("The bootstrap", () => {
      const connectAgain = async () => {
        await disconnect(on.scm, ADMIN, connection.id);
        connection = await on.connect();
        await bootstrapDueRepositories(on.scm);
        return on.repository.pulls.at(-1);
      };

      it("opens one pull request with a configuration and a pipeline", async () => {
        const manifest = JSON.stringify({ scripts: { dev: "vite" }, devDependencies: { vrs: "1.0.0" } });
        on.repository.push("main", { "package.json": manifest });
        const pull = await connectAgain();
        assert.deepEqual([pull?.head.ref, pull?.base.ref], ["service/bootstrap-config", "main"]);
        assert.match(pull?.body ?? "", /`bitbucket-pipelines.yml` is optional/);
        const files = on.repository.filesAt("service/bootstrap-config");
        assert.match(files["service.config.ts"] ?? "", /export default/);
        const { pipelines } = parse(files["bitbucket-pipelines.yml"] ?? "");
        const { step } = Object(Object.values(pipelines["pull-requests"]).flat().at(0));
        assert.match(
          step.script.join("\n"),
          /if \[ -d \.service\/baselines \]; then npx .* vrs check .*"npm run dev"; fi/,
        );
        const count = on.repository.pulls.length;
        await connectAgain();
        assert.equal(on.repository.pulls.length, count);
      });

      it("never changes a pipeline", async () => {
        const manifest = JSON.stringify({ scripts: { dev: "vite" }, devDependencies: { vrs: "1.0.0" } });
        on.repository.push("main", { "package.json": manifest, "bitbucket-pipelines.yml": "image: mine" });
        const pull = await connectAgain();
        assert.match(pull?.body ?? "", /already has a pipeline/);
        assert.equal(
          on.repository.filesAt("service/bootstrap-config")["bitbucket-pipelines.yml"],
          "image: mine",
        );
      });
    });

    it("knows the commits of forks, whose authors don't choose the configuration", async () => {
      const found = await findConnection(on.em(), connection.id);
      assert.ok(found && on.scm.host instanceof ConnectedHosts);
      const context = { ...on.scm, host: on.scm.host.ofConnection(found) };
      const files = { "service.config.ts": "broken(" };
      const fork = on.repository.open("feature/fork", { fork: true, files });
      const earlier = fork.head.sha;
      fork.head.sha = on.repository.push("feature/fork", { "a.txt": "1" });
      const commit = (sha: string) => ({ owner: "acme", repo: "shop", sha });
      on.server.maxPageSize = 1;
      assert.equal(await isFromFork(context, commit(earlier)), true);
      assert.equal(await isFromFork(context, commit(fork.head.sha)), true);
      assert.equal(await isFromFork(context, commit(on.pull.head.sha)), false);
      assert.deepEqual(await configurationAt(context, commit(earlier)), { run: {} });
      on.repository.push("main", { "service.config.ts": 'export default { routes: ["/base"] };' });
      const ofBase = await configurationAt(context, commit(earlier));
      assert.deepEqual(ofBase && "run" in ofBase && ofBase.run.routes, ["/base"]);
    });

    describe("A thread of the review", () => {
      const replies = () => [...on.cloud.replies.values()].map(({ text }) => text);
      const mirror = () => mirrorDueThreads(on.scm);
      const comment = async (event: string, of: Parameters<typeof on.server.commentEvent>[1]) => {
        const answer = await on.send(connection, event, on.server.commentEvent(on.repository, of));
        await mirror();
        return JSON.stringify(answer.body);
      };
      const shown = async (resolvedBy: string | null = null) => {
        const thread = { id: "com_1", screenshotId: "shot_1", page: null, isOnRegion: false, omitted: 0 };
        const comments = [{ by: "@all #2", text: "Why? <b>\nSee https://evil.example" }];
        on.cloud.threadsOfRuns.set("run_0", [{ ...thread, comments, resolvedBy }]);
        await requestMirror(on.em(), "run_0");
        await mirror();
        const own = on.repository.notes.find(({ user }) => user.type === "app_user");
        assert.ok(own);
        return own;
      };
      beforeEach(async () => {
        await sendPull();
        await deployed();
      });

      it("gets a comment without references and links of its authors", async () => {
        const own = await shown();
        const { raw } = own.content;
        assert.match(raw, /^\[\/\/\]: # \(vrs thread com_1\)\n\n/);
        assert.doesNotMatch(raw, /[@#]\w|<\w|https:\/\/evil/);
        assert.match(raw, /Replies to this comment appear in the thread\./);
        await shown("ada");
        assert.match(own.content.raw, /Resolved by ada/);
        assert.equal(on.repository.notes.length, 1);
      });

      it("gets the replies of people, also to replies, until they are deleted", async () => {
        const own = await shown();
        const { number } = on.pull;
        const reply = on.repository.addComment(number, "Because", ADA, own.id);
        assert.match(await comment("pullrequest:comment_created", reply), /is read/);
        assert.deepEqual(replies(), ["Because"]);
        const [got] = [...on.cloud.replies.values()];
        assert.match(got?.account.id ?? "", /^127\.0\.0\.1:\d+:\{ada\}$/);
        assert.equal(got?.account.login, "ada");
        await comment("pullrequest:comment_created", on.repository.addComment(number, "And?", ADA, reply.id));
        assert.deepEqual(replies(), ["Because", "And?"]);
        const updated_on = new Date(Date.now() + 1_000).toISOString();
        Object.assign(reply, { content: { raw: "Because of you" }, updated_on });
        await comment("pullrequest:comment_updated", reply);
        assert.deepEqual(replies(), ["Because of you", "And?"]);
        reply.deleted = true;
        await comment("pullrequest:comment_deleted", reply);
        assert.deepEqual(replies(), ["And?"]);
      });

      it("keeps its replies in a conversation that is too long to list", async () => {
        const own = await shown();
        const { number } = on.pull;
        const reply = on.repository.addComment(number, "Because", ADA, own.id);
        await comment("pullrequest:comment_created", reply);
        on.server.maxPageSize = 2;
        for (let count = 0; count < 45; count++) on.repository.addComment(number, "Nice", ADA);
        await comment("pullrequest:comment_created", on.repository.addComment(number, "And?", ADA, own.id));
        assert.deepEqual(replies(), ["Because", "And?"]);
        await shown("ada");
        assert.match(own.content.raw, /Resolved by ada/);
      });

      it("gets no other comments, and none of apps", async () => {
        const own = await shown();
        const { number } = on.pull;
        const bot: BitbucketUser = { type: "app_user", uuid: "{bot}", display_name: "Bot" };
        const unrelated = on.repository.addComment(number, "Unrelated", ADA);
        assert.match(await comment("pullrequest:comment_created", unrelated), /no thread/);
        await comment("pullrequest:comment_created", on.repository.addComment(number, "Beep", bot, own.id));
        assert.deepEqual(replies(), []);
        own.deleted = true;
        await comment("pullrequest:comment_deleted", own);
        await shown("ada");
        assert.equal(on.repository.notes.filter(({ deleted }) => !deleted).length, 2, "it stays deleted");
      });
    });
  };

for (const database of MAIN_DATABASES) describe(`Bitbucket Cloud on ${database.name}`, bitbucketOn(database));
