import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { after, afterEach, before, beforeEach, describe, it } from "mocha";
import { adoptRun } from "../../services/scm/adopt-run.ts";
import { advanceDueChecks } from "../../services/scm/advance-check.ts";
import { carryMerged } from "../../services/scm/carry-merged.ts";
import { nudgeRun } from "../../services/scm/check.store.ts";
import { completeCheck } from "../../services/scm/complete-check.ts";
import { receiveWebhook } from "../../services/scm/receive-webhook.ts";
import { tellApp } from "../../services/scm/tell-app.ts";
import { ApiError } from "../../shared/api-client.ts";
import { CodeHostAppServer } from "../support/code-host-app.ts";
import { DATABASES, type DatabaseKind } from "../support/databases.ts";
import { type HostedPull, HostedRepository } from "../support/hosted-repository.ts";
import { makeShot } from "../support/run-views.ts";
import { deliver, ScmRig } from "../support/scm-rig.ts";

const PREVIEW = "https://site-abc.previews.example";

const checksOn = (database: DatabaseKind) =>
  function (this: Mocha.Suite) {
    this.timeout(30_000);
    database.needed();
    let rig: ScmRig;
    let repository: HostedRepository;
    let pull: HostedPull;

    before(async () => {
      rig = await ScmRig.start(database);
    });
    beforeEach(async () => {
      await rig.reset();
      repository = new HostedRepository("octo", "site");
      rig.host.install(repository);
      pull = repository.open("feature/login");
    });
    afterEach(() => assert.deepEqual(rig.host.complaints, []));
    after(() => rig?.stop());

    const opened = (action = "opened") => rig.send("pull_request", rig.pullEvent(repository, pull, action));
    const deployed = (url: string | null = PREVIEW, more: object = {}) =>
      rig.send("status", rig.statusEvent(repository, pull.head.sha, url, more));
    const theCheck = () => {
      assert.equal(repository.checks.length, 1);
      const [check] = repository.checks;
      assert.ok(check);
      return check;
    };
    /** Both, in the usual order: the run is under way. */
    const begin = async () => {
      await opened();
      const { status, body } = await deployed();
      assert.deepEqual([status, rig.host.complaints], [200, []], JSON.stringify(body));
      return theCheck();
    };
    const end = async (conclusion: Parameters<typeof rig.cloud.end>[1], shots = [makeShot()]) => {
      rig.cloud.end("run_0", conclusion, shots);
      await nudgeRun(rig.em(), "run_0");
      await advanceDueChecks(rig.node);
    };
    const complete = (
      checkRunId: string | number,
      body: object,
      secret = rig.host.env.SERVICE_CALLBACK_SECRET,
    ) =>
      completeCheck(
        rig.node,
        deliver({ Authorization: `Bearer ${secret}` }, JSON.stringify(body), {
          checkRunId: String(checkRunId),
        }),
      );
    const COMPLETION = {
      runId: "run_0",
      conclusion: "passed",
      counts: { unchanged: 3 },
      reportUrl: "https://vrs.example/r",
    };

    it("takes nothing without the secret's signature over the very bytes, and says so as specified", async () => {
      const body = JSON.stringify(rig.pullEvent(repository, pull));
      const headers = CodeHostAppServer.headers("pull_request", body);
      const wrong = { status: 401, body: { message: "invalid signature" } };
      const { "x-hub-signature-256": signature = "", ...unsigned } = headers;
      assert.deepEqual(await receiveWebhook(rig.node, deliver(unsigned, body)), wrong);
      for (const bad of [
        "",
        "sha256=",
        signature.replace("sha256=", "sha1="),
        signature.slice(0, -1),
        `${signature}0`,
      ]) {
        const answer = await receiveWebhook(
          rig.node,
          deliver({ ...headers, "x-hub-signature-256": bad }, body),
        );
        assert.deepEqual(answer, wrong, bad);
      }
      assert.deepEqual(await receiveWebhook(rig.node, deliver(headers, `${body} `)), wrong);
      const unset = rig.makeNode({ CODEHOST_WEBHOOK_SECRET: "" });
      assert.deepEqual(await receiveWebhook(unset, deliver(headers, body)), {
        status: 500,
        body: { message: "webhook secret not configured" },
      });
      assert.deepEqual(rig.host.asked, []);
    });

    it("skips a pull request of which no preview is known, and starts its run when one is told", async () => {
      assert.deepEqual((await opened()).body, { triggered: false, reason: "No preview URL available yet" });
      assert.equal(repository.checks.length, 0);
      const { status, body } = await deployed();
      const check = theCheck();
      assert.deepEqual(
        [status, body],
        [200, { triggered: true, runId: "run_0", previewUrl: PREVIEW, checkRunId: check.id }],
      );
      const { run, key } = rig.cloud.submitted[0] ?? {};
      const { owner, name } = repository;
      const scm = {
        owner,
        repo: name,
        sha: pull.head.sha,
        pr: 1,
        branch: "feature/login",
        baseBranch: "main",
        defaultBranch: "main",
        baseSha: repository.branches.get("main"),
        missingShas: [],
        checkRunId: check.id,
      };
      assert.deepEqual(run, { url: PREVIEW, scm });
      assert.match(key ?? "", /^chr_\w+_1$/);
      assert.deepEqual(
        [check.name, check.status, check.head_sha, check.details_url],
        ["Service / Preview", "in_progress", pull.head.sha, "https://vrs.example/r/run_0?token=t"],
      );
      assert.deepEqual(rig.host.complaints, []);
    });

    it("starts the run with the pull request where the preview was told first, on whichever node", async () => {
      repository.pulls.length = 0;
      assert.match(JSON.stringify((await deployed()).body), /remembered/);
      repository.pulls.push(pull);
      assert.deepEqual(Object(await opened()).body.triggered, true);
      assert.equal(theCheck().status, "in_progress");
      assert.equal(rig.cloud.submitted.length, 1);
    });

    it("checks a commit once, however many events name it at once", async () => {
      await opened();
      const nodes = [rig.node, rig.makeNode(), rig.makeNode()];
      const events = nodes.flatMap(node => [
        rig.send("status", rig.statusEvent(repository, pull.head.sha, PREVIEW), { node }),
        rig.send("status", rig.statusEvent(repository, pull.head.sha, PREVIEW), { node }),
      ]);
      const answers = await Promise.all(events);
      assert.equal(answers.filter(({ body }) => Object(body).triggered === true).length, 1);
      assert.equal(rig.cloud.submitted.length, 1);
      theCheck();
    });

    it("handles a delivery once in 24 hours, and again after it had failed", async () => {
      await opened();
      rig.cloud.refusal = new ApiError(401, "unauthorized", "This API key is unknown or was revoked.", null);
      const event = rig.statusEvent(repository, pull.head.sha, PREVIEW);
      const failed = await rig.send("status", event, { id: "delivery-1" });
      assert.deepEqual(failed, {
        status: 502,
        body: { triggered: false, error: "This API key is unknown or was revoked." },
      });
      rig.cloud.refusal = null;
      assert.equal(Object(await rig.send("status", event, { id: "delivery-1" })).body.triggered, true);
      const duplicate = { triggered: false, reason: "Duplicate delivery (already processed)" };
      assert.deepEqual((await rig.send("status", event, { id: "delivery-1" })).body, duplicate);
      assert.equal(rig.cloud.submitted.length, 1);
      theCheck();
    });

    it("goes on by itself where the Cloud API was away, and ends where it says no for good", async () => {
      await opened();
      rig.cloud.refusal = new TypeError("fetch failed");
      assert.equal((await deployed()).status, 502);
      assert.equal(theCheck().status, "in_progress");
      rig.cloud.refusal = null;
      await rig.age("10 minutes");
      await advanceDueChecks(rig.node);
      assert.equal(rig.cloud.submitted.length, 1);
      assert.equal(theCheck().details_url, "https://vrs.example/r/run_0?token=t");

      repository.checks.length = 0;
      pull = repository.open("other", { files: { a: "b" } });
      rig.cloud.refusal = new ApiError(
        402,
        "plan_limit_exceeded",
        "The team has used 50 of the 50 runs.",
        null,
      );
      await opened();
      assert.equal((await deployed()).status, 502);
      const { status, conclusion, output } = theCheck();
      assert.deepEqual([status, conclusion], ["completed", "failure"]);
      assert.match(output.summary, /The team has used 50 of the 50 runs/);
      await rig.age("10 minutes");
      await advanceDueChecks(rig.node);
      assert.equal(theCheck().conclusion, "failure");
    });

    it("makes one check run where the code host's answer got lost", async () => {
      await opened();
      const match = /^POST .*check-runs$/;
      rig.host.faults.push({ match, times: 1, status: 0, afterwards: true });
      assert.match(JSON.stringify((await deployed()).body), /the check follows/);
      await rig.age("10 minutes");
      await advanceDueChecks(rig.node);
      assert.equal(theCheck().status, "in_progress");
      assert.equal(rig.cloud.submitted.length, 1);
    });

    it("says how far the run is, and asks the code host for nothing where there is no news", async () => {
      const check = await begin();
      assert.equal(check.output.title, "1 of 3 screenshots done");
      const asked = rig.host.asked.length;
      await rig.age("30 seconds");
      await advanceDueChecks(rig.node);
      assert.equal(rig.host.asked.length, asked);
      const run = rig.cloud.runs.get("run_0");
      assert.ok(run);
      rig.cloud.runs.set("run_0", { ...run, progress: { total: 3, captured: 3, compared: 2 } });
      await advanceDueChecks(rig.node);
      assert.equal(rig.host.asked.length, asked, "it is not due yet");
      await rig.age("30 seconds");
      await Promise.all([advanceDueChecks(rig.node), advanceDueChecks(rig.makeNode())]);
      assert.equal(theCheck().output.title, "2 of 3 screenshots done");
      assert.equal(rig.host.asked.filter(name => name.startsWith("PATCH")).length, 2);
    });

    for (const [conclusion, expected] of [
      ["passed", "success"],
      ["changed", "action_required"],
      ["new", "action_required"],
      ["rejected", "failure"],
      ["approved", "success"],
      [null, "failure"],
    ] as const)
      it(`closes the check as ${expected} when the run is ${conclusion ?? "failed"}`, async () => {
        const check = await begin();
        await end(conclusion);
        assert.deepEqual([check.status, check.conclusion], ["completed", expected]);
        const isOpen = expected === "action_required";
        assert.deepEqual(
          check.actions.map(({ identifier }) => identifier),
          isOpen ? ["approve"] : [],
        );
        assert.deepEqual(rig.host.complaints, []);
      });

    it("closes the check at the callback, with its secret only; twice is harmless", async () => {
      const check = await begin();
      const before = structuredClone(check);
      for (const secret of ["", "wrong", `${rig.host.env.SERVICE_CALLBACK_SECRET}x`])
        assert.deepEqual(await complete(check.id, COMPLETION, secret), {
          status: 401,
          body: { message: "invalid callback secret" },
        });
      assert.equal((await complete(check.id, { ...COMPLETION, conclusion: "fine" })).status, 400);
      assert.equal(
        (await complete(check.id, { ...COMPLETION, reportUrl: "javascript:alert(1)" })).status,
        400,
      );
      assert.equal((await complete(12, COMPLETION)).status, 404);
      assert.equal((await complete("x", COMPLETION)).status, 404);
      const other = await complete(check.id, { ...COMPLETION, runId: "run_other" });
      assert.deepEqual(other.body, { closed: false, reason: "The check has another run" });
      assert.deepEqual(check, before);
      assert.deepEqual(await complete(check.id, COMPLETION), { status: 200, body: { closed: true } });
      assert.deepEqual(
        [check.status, check.conclusion, check.output.title],
        ["completed", "success", "3 unchanged"],
      );
      const after = structuredClone(check);
      const asked = rig.host.asked.length;
      assert.deepEqual(await complete(check.id, COMPLETION), { status: 200, body: { closed: true } });
      assert.deepEqual([check, rig.host.asked.length], [after, asked]);
    });

    it("closes the check at the callback where the Cloud API does not let its run be read", async () => {
      const check = await begin();
      rig.cloud.isDown = true;
      assert.equal(
        (await complete(check.id, { ...COMPLETION, conclusion: "changed", counts: { changed: 2 } })).status,
        200,
      );
      assert.deepEqual(
        [check.conclusion, check.output.title, check.details_url],
        ["action_required", "2 changed", "https://vrs.example/r"],
      );
    });

    it("takes no callback where its secret is not set", async () => {
      rig.node = rig.makeNode({ SERVICE_CALLBACK_SECRET: "" });
      assert.deepEqual(await complete(1, COMPLETION, ""), {
        status: 500,
        body: { message: "callback secret not configured" },
      });
    });

    it("ends a check whose run never ends, with the reason, and corrects itself should it end after all", async () => {
      const check = await begin();
      await rig.age("3 hours");
      await advanceDueChecks(rig.node);
      assert.deepEqual([check.status, check.conclusion], ["completed", "timed_out"]);
      assert.match(check.output.summary, /run the check again/);
      await end("passed");
      assert.equal(check.conclusion, "success");
    });

    it("ends a check whose run was deleted or could never be read", async () => {
      const check = await begin();
      rig.cloud.isDown = true;
      await rig.age("1 hour");
      await advanceDueChecks(rig.node);
      assert.equal(check.status, "in_progress");
      await rig.age("3 hours");
      await advanceDueChecks(rig.node);
      assert.equal(check.conclusion, "timed_out");

      repository.checks.length = 0;
      pull = repository.open("second", { files: { second: "1" } });
      rig.cloud.isDown = false;
      const second = await begin();
      rig.cloud.runs.clear();
      await rig.age("1 minute");
      await advanceDueChecks(rig.node);
      assert.equal(second.conclusion, "failure");
    });

    it("is approved by who may in the team, and says why to who may not", async () => {
      const check = await begin();
      await end("changed");
      const press = (id: number, identifier = "approve") =>
        rig.send("check_run", {
          action: "requested_action",
          check_run: { id: check.id },
          requested_action: { identifier },
          sender: { id, login: `person-${id}` },
          ...rig.host.event(repository),
        });
      rig.cloud.reviewers.add("7");
      assert.match(JSON.stringify((await press(8)).body), /person-8 may not approve/);
      assert.match(check.output.summary, /person&#45;8 may not approve|person-8 may not approve/);
      assert.equal(check.conclusion, "action_required");
      assert.equal(Object(await press(7, "else")).body.triggered, false);
      assert.deepEqual(rig.cloud.approvals, []);
      assert.equal(Object(await press(7)).body.approved, true);
      assert.equal(check.conclusion, "success");
      assert.doesNotMatch(check.output.summary, /may not approve/);
      assert.deepEqual(rig.cloud.approvals, [{ runId: "run_0", account: { id: "7", login: "person-7" } }]);
    });

    it("runs again when asked to, in the same check run, and takes no number of another repository's", async () => {
      const check = await begin();
      const again = (of: HostedRepository) =>
        rig.send("check_run", {
          action: "rerequested",
          check_run: { id: check.id },
          sender: { id: 7, login: "person" },
          ...rig.host.event(of),
        });
      assert.match(JSON.stringify((await again(repository)).body), /running already/);
      await end("changed");
      const other = new HostedRepository("mallory", "site");
      rig.host.install(other);
      assert.match(JSON.stringify((await again(other)).body), /not one of this app/);
      assert.equal(Object(await again(repository)).body.runId, "run_1");
      assert.deepEqual([check.status, check.conclusion], ["in_progress", null]);
      assert.deepEqual(rig.cloud.submitted[1]?.run.rerun, true);
      assert.equal(theCheck(), check);
      const suite = { action: "rerequested", check_suite: { head_sha: pull.head.sha } };
      rig.cloud.end("run_1", "passed");
      await rig.age("1 minute");
      await advanceDueChecks(rig.node);
      assert.equal(check.conclusion, "success");
      const answer = await rig.send("check_suite", { ...suite, ...rig.host.event(repository) });
      assert.equal(Object(answer.body).runId, "run_2");
      // What is told of the run before is old news.
      assert.equal(Object((await complete(check.id, COMPLETION)).body).closed, false);
    });

    it("keeps one comment on a pull request up to date, for the commit that it is at", async () => {
      repository.comments.push({
        id: 1,
        pull: 1,
        body: "<!-- vrs: the result of Service / Preview -->",
        app: null,
      });
      const check = await begin();
      await end("changed", [makeShot({ fingerprint: "f" }), makeShot({ fingerprint: "f" }), makeShot()]);
      const ours = () => repository.comments.filter(({ app }) => app !== null);
      assert.equal(ours().length, 1);
      assert.equal(ours()[0]?.body.match(/<img/g)?.length, 2, "the same change is shown once");
      await end("approved");
      assert.equal(check.conclusion, "success");
      assert.equal(ours().length, 1);
      assert.match(ours()[0]?.body ?? "", /Approved/);

      // Pushed to: what comes of the older commit is not what the pull request is now.
      const before = ours()[0]?.body;
      pull.head.sha = repository.addCommit(repository.addTree({}), [pull.head.sha], "More");
      await opened("synchronize");
      await end("rejected");
      assert.equal(check.conclusion, "failure");
      assert.equal(ours()[0]?.body, before);

      // Its number was lost, or never came: it is found again, and not taken for a person's.
      await rig.em().execute("update scm.pull_request set comment_id = null");
      await deployed("https://second.previews.example");
      rig.cloud.end("run_1", "passed", []);
      await nudgeRun(rig.em(), "run_1");
      await advanceDueChecks(rig.node);
      assert.equal(ours().length, 1);
      assert.match(ours()[0]?.body ?? "", /Nothing changed/);

      // Somebody has deleted it.
      repository.comments.splice(1);
      rig.cloud.end("run_1", "approved", []);
      await nudgeRun(rig.em(), "run_1");
      await advanceDueChecks(rig.node);
      assert.equal(ours().length, 1);
      assert.deepEqual(rig.host.complaints, []);
    });

    it("takes previews only from the platform, once deployed, at public addresses that are not the code host's", async () => {
      await opened();
      const ignored = [
        deployed(PREVIEW, { context: "ci/tests" }),
        deployed(PREVIEW, { state: "pending" }),
        deployed(null),
      ];
      for (const answer of await Promise.all(ignored))
        assert.deepEqual([answer.status, Object(answer.body).triggered], [200, false]);
      const own = `${rig.host.url}/octo/site/pull/1`;
      for (const url of [
        "http://previews.example",
        "https://127.0.0.1/",
        "https://169.254.169.254/x",
        "https://metadata/",
        own,
        own.replace("http:", "https:"),
        "no url",
      ])
        assert.deepEqual(
          await deployed(url),
          { status: 400, body: { triggered: false, error: "Preview URL not allowed" } },
          url,
        );
      assert.equal(rig.cloud.submitted.length, 0);
    });

    it("takes previews from deployments too, older and newer ones, and never production", async () => {
      await opened();
      const deploy = (status: object, environment = "Preview") =>
        rig.send("deployment_status", {
          deployment: { sha: pull.head.sha, environment },
          deployment_status: { state: "success", ...status },
          ...rig.host.event(repository),
        });
      assert.match(
        JSON.stringify((await deploy({ environment_url: PREVIEW }, "production")).body),
        /production/,
      );
      assert.match(
        JSON.stringify((await deploy({ environment_url: PREVIEW, environment: "Production" })).body),
        /production/,
      );
      assert.equal(
        Object(await deploy({ environment_url: PREVIEW, state: "in_progress" })).body.triggered,
        false,
      );
      assert.equal(Object(await deploy({ environment_url: "" })).body.triggered, false);
      const body = Object(await deploy({ target_url: "https://older.example", environment_url: "" })).body;
      assert.deepEqual(
        [body.triggered, body.previewUrl, body.provider],
        [true, "https://older.example", "other"],
      );
    });

    it("renders the template where no provider told, and lets no branch name a host of its own", async () => {
      const template =
        "https://{prNumber}.previews.example/{owner}/{repo}/{branch}?sha={commitShortSha}&{unknown}";
      rig.node = rig.makeNode({ SERVICE_PREVIEW_URL_TEMPLATE: template });
      const previewUrl = Object(await opened()).body.previewUrl;
      assert.equal(
        previewUrl,
        `https://1.previews.example/octo/site/feature/login?sha=${pull.head.sha.slice(0, 7)}&{unknown}`,
      );
      rig.node = rig.makeNode({ SERVICE_PREVIEW_URL_TEMPLATE: "https://{branch}.previews.example" });
      pull = repository.open("evil.example/x", { files: { x: "y" } });
      assert.deepEqual(await opened(), {
        status: 400,
        body: { triggered: false, error: "Preview URL not allowed" },
      });
    });

    it("leaves the code host alone for as long as it asks to be", async () => {
      await opened();
      const match = /^POST .*check-runs$/;
      rig.host.faults.push({ match, times: 1, status: 429, headers: { "retry-after": "1" } });
      assert.equal(Object(await deployed()).body.triggered, true, "a second is waited for");
      const reset = String(Math.ceil(Date.now() / 1_000) + 600);
      const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset };
      pull = repository.open("third", { files: { third: "3" } });
      rig.host.faults.push({ match, times: 1, status: 403, headers });
      const asked = rig.host.asked.length;
      const [first, second] = [await deployed(), await deployed()];
      for (const { status, body } of [first, second])
        assert.deepEqual([status, /the check follows/.test(Object(body).reason)], [200, true]);
      assert.equal(rig.host.asked.length, asked + 2, "nothing is asked meanwhile");
    });

    it("carries what was approved on a merged pull request to the branch and the commit that it was merged as", async () => {
      await opened();
      await opened("closed");
      assert.equal(rig.cloud.carried.length, 0);
      rig.cloud.isDown = true;
      const sha = repository.merge(pull, "squash");
      await opened("closed");
      assert.equal(rig.cloud.carried.length, 0);
      rig.cloud.isDown = false;
      await carryMerged(rig.node);
      await carryMerged(rig.node);
      const into = { branch: "main", defaultBranch: "main", sha };
      assert.deepEqual(rig.cloud.carried, [{ of: "octo/site#1", into }]);
      assert.match(JSON.stringify((await deployed()).body), /remembered/, "it is not open any more");
      assert.equal(repository.checks.length, 0);

      repository.branches.set("release/2", sha);
      pull = repository.open("fix", { base: "release/2" });
      const onRelease = repository.merge(pull, "rebase");
      await opened("closed");
      const last = rig.cloud.carried.at(-1)?.into;
      assert.deepEqual(last, { ...into, branch: "release/2", sha: onRelease });
    });

    it("reports a run that somebody else submitted, on the pull request that is at its commit and no other", async () => {
      // Of a name of its own: that is what it is looked for by.
      repository = new HostedRepository("octo", `adopted-${rig.host.installations.size}`);
      rig.host.install(repository);
      pull = repository.open("feature");
      const scm = { owner: "octo", repo: repository.name, sha: pull.head.sha, pr: pull.number };
      const adopt = async (more: object) => {
        const id = await rig.cloud.submit({ url: PREVIEW, scm: { ...scm, ...more } }, JSON.stringify(more));
        rig.cloud.end(id, "changed", [makeShot()]);
        await adoptRun(rig.node, id);
      };
      await adopt({ repo: "not-installed" });
      await adopt({ pr: 77 });
      await adopt({ sha: "0".repeat(40) });
      assert.deepEqual([repository.checks.length, repository.comments.length], [0, 0]);
      await adopt({});
      await adopt({ branch: "again" });
      const { conclusion, details_url } = theCheck();
      assert.deepEqual([conclusion, details_url], ["action_required", "https://vrs.example/r/run_3?token=t"]);
      assert.equal(repository.comments.length, 1);
    });

    it("lets a merge queue pass, whose pull requests were checked", async () => {
      const merge_group = { head_sha: pull.head.sha };
      await rig.send("merge_group", {
        action: "checks_requested",
        merge_group,
        ...rig.host.event(repository),
      });
      const { name, status, conclusion } = theCheck();
      assert.deepEqual([name, status, conclusion], ["Service / Preview", "completed", "neutral"]);
    });

    it("is told by a Cloud API elsewhere how a run ended, which tries again, and says when it is refused", async () => {
      const check = await begin();
      const { signal } = new AbortController();
      let busy = 1;
      const server = createServer(async (req, res) => {
        const [, checkRunId = ""] = /^\/runs\/(\d+)\/complete$/.exec(req.url ?? "") ?? [];
        const body = await text(req);
        busy -= 1;
        if (busy === 0) return void res.writeHead(503).end();
        const { authorization = "" } = req.headers;
        const answer = await completeCheck(rig.node, deliver({ authorization }, body, { checkRunId }));
        res.writeHead(answer.status).end();
      }).listen(0, "127.0.0.1");
      await once(server, "listening");
      const address = server.address();
      assert.ok(typeof address === "object" && address);
      const app = {
        baseUrl: `http://127.0.0.1:${address.port}`,
        secret: rig.host.env.SERVICE_CALLBACK_SECRET ?? "",
      };
      const run = rig.cloud.runs.get("run_0");
      assert.ok(run);
      const ended = { ...run, status: "completed" as const, conclusion: "changed" as const };
      try {
        rig.cloud.isDown = true;
        await tellApp({ ...app, secret: "wrong" }, { ...ended, scm: null }, signal);
        await assert.rejects(tellApp({ ...app, secret: "wrong" }, ended, signal), /answers 401/);
        assert.equal(check.status, "in_progress");
        await tellApp(app, ended, signal);
        assert.deepEqual([check.status, check.conclusion], ["completed", "action_required"]);
      } finally {
        server.closeAllConnections();
        server.close();
      }
    });

    it("asks for a token where many requests need one at once, and leaves the app that was removed alone", async () => {
      const ask = async (id: number) => {
        const request = await rig.makeNode().app.installation(String(id), "checks");
        return Promise.allSettled(
          Array.from({ length: 20 }, () => request("GET /installation/repositories")),
        );
      };
      const given = rig.host.tokensGiven;
      const [id = 0] = rig.host.installations.keys();
      assert.ok((await ask(id)).every(({ status }) => status === "fulfilled"));
      assert.ok(rig.host.tokensGiven - given <= 6);
      const refused = await ask(1);
      assert.ok(refused.every(each => each.status === "rejected" && each.reason.status === 404));
    });

    it("tries again what may be repeated, and keeps one token for an installation", async () => {
      const given = rig.host.tokensGiven;
      rig.host.faults.push(
        { match: /^GET .*pulls$/, times: 2, status: 502 },
        { match: /^PATCH /, times: 1, status: 500 },
      );
      assert.equal(Object(await deployed()).body.triggered, true);
      assert.equal(theCheck().details_url, "https://vrs.example/r/run_0?token=t");
      assert.equal(rig.host.tokensGiven, given + 1);
    });
  };

for (const database of DATABASES) describe(`Checks of pull requests on ${database.name}`, checksOn(database));
