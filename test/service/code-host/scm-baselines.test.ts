import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { advanceDueChecks } from "../../../services/scm/checks/advance-check.ts";
import { reportExternalRun } from "../../../services/scm/external-runs/report-external-run.ts";
import { carryMerged } from "../../../services/scm/pull-requests/carry-merged.ts";
import { COMPLETION, PullTestContext } from "../../support/contexts/code-host/pull-context.ts";
import type { ScmTestContext } from "../../support/contexts/code-host/scm-context.ts";
import { type DatabaseKind, MAIN_DATABASES } from "../../support/databases/databases.ts";
import { HostedRepository } from "../../support/fakes/code-host/hosted-repository.ts";
import { makeRun } from "../../support/fixtures/run-views.ts";

const baselinesOn = (database: DatabaseKind) =>
  function (this: Mocha.Suite) {
    let on: PullTestContext;
    let context: ScmTestContext;
    PullTestContext.of(this, database, started => {
      on = started;
      context = on.context;
    });

    /** Returns the commit that the last run was submitted with. */
    const submittedScm = () => {
      const { scm, baselineBranch } = context.cloud.submitted.at(-1)?.run ?? {};
      const { baseBranch, defaultBranch, baseSha, missingShas } = scm ?? {};
      return { baseBranch, defaultBranch, baseSha, missingShas, baselineBranch };
    };
    const whole = { baseBranch: "main", defaultBranch: "main", baselineBranch: undefined };
    const unknown = { ...whole, baseSha: null, missingShas: undefined };
    const head = (branch = "main") => on.repository.branches.get(branch);

    it("submits the merge base and the missing commits with the run", async () => {
      const baseSha = head();
      const other = on.repository.open("other");
      const missing = [on.repository.push("main", { a: "1" }), on.repository.merge(other, "merge")];
      await on.begin();
      assert.deepEqual(
        { ...submittedScm(), missingShas: submittedScm().missingShas?.toSorted() },
        { ...whole, baseSha, missingShas: [...missing, other.head.sha].toSorted() },
      );
    });

    it("submits the files that the pull request changed, not those of its base", async () => {
      on.repository.push("main", { "src/other.css": "later" });
      on.repository.push(on.pull.head.ref, { "src/button.css": ".a{}" });
      on.pull.head.sha = head(on.pull.head.ref) ?? "";
      await on.begin();
      const { changedFiles = [] } = context.cloud.submitted.at(-1)?.run.scm ?? {};
      assert.ok(changedFiles.includes("src/button.css"), changedFiles.join());
      assert.ok(!changedFiles.includes("src/other.css"), changedFiles.join());
      const files = Object.fromEntries(Array.from({ length: 310 }, (_, n) => [`src/${n}.css`, String(n)]));
      on.repository.push(on.pull.head.ref, files);
      on.pull.head.sha = head(on.pull.head.ref) ?? "";
      await on.opened();
      await on.deployed();
      assert.equal(context.cloud.submitted.at(-1)?.run.scm?.changedFiles?.length, 300);
    });

    it("lists at most 300 missing commits, in pages", async () => {
      const baseSha = head();
      const missingShas = Array.from({ length: 300 }, (_, n) => on.repository.push("main", { n: String(n) }));
      const check = await on.begin();
      assert.deepEqual(submittedScm(), { ...whole, baseSha, missingShas });
      // Three pages of missing commits, and the changed files.
      assert.equal(context.host.requests.filter(name => name.includes("/compare/")).length, 4);
      on.repository.push("main", { n: "one more" });
      await on.end("changed");
      await on.press(check, { action: "rerequested" });
      assert.deepEqual(submittedScm(), { ...whole, baseSha, missingShas: undefined });
    });

    it("submits no merge base if the code host returns none, and waits while it limits requests", async () => {
      for (const status of [404, 422, 403]) {
        await on.reset();
        context.host.failures.push({ match: /compare/, times: 1, status });
        await on.begin();
        assert.deepEqual(submittedScm(), unknown);
      }
      await on.reset();
      context.host.failures.push({ match: /compare/, times: 3, status: 502 });
      await on.begin();
      assert.deepEqual(submittedScm(), unknown);

      await on.reset();
      const headers = { "retry-after": "600" };
      context.host.failures.push({ match: /compare/, times: 1, status: 403, headers });
      await on.opened();
      assert.match(JSON.stringify((await on.deployed()).body), /The check follows/);
      assert.deepEqual([on.theCheck().status, context.cloud.submitted.length], ["in_progress", 0]);
      await context.age("20 minutes");
      context.node = context.makeNode();
      await advanceDueChecks(context.node);
      assert.deepEqual(submittedScm(), { ...whole, baseSha: head(), missingShas: [] });
    });

    it("does not wait for a slow comparison at the code host", async () => {
      context.host.slow.push({ match: /compare/, ms: 12_000 });
      const began = Date.now();
      await on.begin();
      assert.ok(Date.now() - began < 12_000);
      assert.deepEqual(submittedScm(), unknown);
    });

    it("submits the pull request's author, unless the name cannot be shown", async () => {
      const author = () => context.cloud.submitted.at(-1)?.run.scm?.author;
      await on.begin();
      assert.equal(author(), "octocat");
      await on.reset();
      on.pull.author = "a\u0007b";
      await on.begin();
      assert.deepEqual([context.cloud.submitted.length, author()], [1, undefined]);
    });

    it("submits the start of a long commit message, cut between characters", async () => {
      const { tree = "" } = on.repository.commits.get(on.pull.head.sha) ?? {};
      on.pull.head.sha = on.repository.addCommit(tree, [head() ?? ""], `${"x".repeat(199)}😀 and more`);
      await on.begin();
      assert.equal(context.cloud.submitted.at(-1)?.run.scm?.message, `${"x".repeat(199)}…`);
    });

    it("compares with the base of the pull request, or with the branch in its configuration", async () => {
      on.repository.branches.set("release/2", on.repository.push("main", { release: "2" }));
      on.repository.defaultBranch = "trunk";
      on.repository.branches.set("trunk", head() ?? "");
      const files = { ".github/service.yml": "baselines: { branch: next }\n" };
      on.pull = on.repository.open("fix", { base: "release/2", files: { a: "b" } });
      const baseSha = head("release/2");
      await on.begin();
      const onRelease = { ...whole, baseBranch: "release/2", defaultBranch: "trunk", baseSha };
      assert.deepEqual(submittedScm(), { ...onRelease, missingShas: [] });

      on.repository.checks.length = 0;
      on.repository.branches.set("next", baseSha ?? "");
      const newer = on.repository.push("next", { next: "1" });
      on.pull = on.repository.open("named", { base: "release/2", files });
      await on.begin();
      assert.deepEqual(submittedScm(), { ...onRelease, missingShas: [newer], baselineBranch: "next" });

      // A fork's author must not choose its baseline branch.
      on.repository.checks.length = 0;
      on.pull = on.repository.open("forked", { base: "release/2", files: { ...files, c: "d" }, fork: true });
      await on.begin();
      assert.deepEqual(submittedScm(), { ...onRelease, missingShas: [] });
    });

    it("compares with the new base after the pull request's base changed", async () => {
      on.repository.branches.set("release/2", head() ?? "");
      await on.begin();
      on.pull.base.ref = "release/2";
      const edited = (changes: object) =>
        context.send("pull_request", { ...context.pullEvent(on.repository, on.pull, "edited"), changes });
      assert.match(JSON.stringify((await edited({ title: { from: "a" } })).body), /Ignored action/);
      await on.end("changed");
      const newer = on.repository.push("release/2", { release: "2" });
      assert.equal(Object(await edited({ base: { ref: { from: "main" } } })).body.runId, "run_1");
      assert.deepEqual([submittedScm().baseBranch, submittedScm().missingShas], ["release/2", [newer]]);
      on.theCheck();
      assert.deepEqual(context.cloud.canceled, []);
    });

    it("compares with the new base while the run for the old base is in progress", async () => {
      on.repository.branches.set("release/2", head() ?? "");
      const check = await on.begin();
      on.pull.base.ref = "release/2";
      const changes = { base: { ref: { from: "main" } } };
      const edited = () =>
        context.send("pull_request", { ...context.pullEvent(on.repository, on.pull, "edited"), changes });
      assert.equal(Object(await edited()).body.runId, "run_1");
      assert.deepEqual([submittedScm().baseBranch, check.status], ["release/2", "in_progress"]);
      assert.deepEqual(context.cloud.canceled, ["run_0"]);
      // The end of the first run no longer matters.
      await on.end("passed");
      await on.complete(check.id, COMPLETION);
      assert.deepEqual([on.theCheck().status, context.cloud.submitted.length], ["in_progress", 2]);
      context.cloud.end("run_1", "passed");
      await on.complete(check.id, { ...COMPLETION, runId: "run_1" });
      assert.deepEqual([on.theCheck().conclusion, context.cloud.submitted.length], ["success", 2]);
    });

    it("submits another run for the new base if the response to the first one was lost", async () => {
      on.repository.branches.set("release/2", head() ?? "");
      context.cloud.losesResponses = true;
      await on.opened();
      await on.deployed();
      context.cloud.losesResponses = false;
      on.pull.base.ref = "release/2";
      const changes = { base: { ref: { from: "main" } } };
      await context.send("pull_request", { ...context.pullEvent(on.repository, on.pull, "edited"), changes });
      const submitted = context.cloud.submitted.map(({ run, key }) => [run.scm?.baseBranch, key.slice(-2)]);
      assert.deepEqual(submitted, [
        ["main", "_1"],
        ["release/2", "_2"],
      ]);
      context.cloud.end("run_1", "passed");
      await context.age("1 minute");
      await advanceDueChecks(context.node);
      assert.equal(on.theCheck().conclusion, "success");
    });

    it("leaves an external run for the old base alone", async () => {
      on.repository.branches.set("release/2", head() ?? "");
      await on.begin();
      const theirs = context.cloud.runs.get("run_0");
      assert.ok(theirs?.scm?.checkRunId !== undefined);
      context.cloud.runs.set("run_0", { ...theirs, scm: { ...theirs.scm, checkRunId: 1 } });
      on.pull.base.ref = "release/2";
      const changes = { base: { ref: { from: "main" } } };
      await context.send("pull_request", { ...context.pullEvent(on.repository, on.pull, "edited"), changes });
      assert.deepEqual([context.cloud.submitted.length, context.cloud.canceled], [2, []]);
    });

    it("submits the current default branch when a check is rerun", async () => {
      const check = await on.begin();
      await on.end("changed");
      on.repository.defaultBranch = "trunk";
      await on.press(check, { action: "rerequested" });
      assert.deepEqual([submittedScm().defaultBranch, submittedScm().baseBranch], ["trunk", "main"]);
    });

    it("keeps a commit's check with its pull request", async () => {
      await on.begin();
      await on.end("changed");
      const other = { ...on.pull, number: 99, base: { ...on.pull.base, ref: "release/2" } };
      const changes = { base: { ref: { from: "main" } } };
      await context.send("pull_request", { ...context.pullEvent(on.repository, other, "edited"), changes });
      assert.equal(context.cloud.submitted.length, 1);
      await on.press(on.theCheck(), { action: "rerequested" });
      assert.equal(submittedScm().baseBranch, "main");
    });

    it("carries approvals in the order of the merges, also if another repository's fail", async () => {
      context.cloud.uncarried = "octo/site";
      const second = on.repository.open("second");
      for (const pull of [on.pull, second]) {
        on.repository.merge(pull, "squash");
        await context.send("pull_request", context.pullEvent(on.repository, pull, "closed"));
      }
      const other = new HostedRepository("octo", "other");
      context.host.install(other);
      const pull = other.open("fix");
      other.merge(pull, "squash");
      await context.send("pull_request", context.pullEvent(other, pull, "closed"));
      const carried = () => context.cloud.carried.map(({ of }) => of);
      assert.deepEqual(carried(), ["octo/other#1"]);
      await assert.rejects(carryMerged(context.node), /fetch failed/);
      context.cloud.uncarried = "";
      await carryMerged(context.node);
      await carryMerged(context.node);
      assert.deepEqual(carried(), ["octo/other#1", "octo/site#1", "octo/site#2"]);
    });

    it("carries the approvals of a merged pull request to the branch and commit of the merge", async () => {
      await on.opened();
      await on.opened("closed");
      assert.equal(context.cloud.carried.length, 0);
      context.cloud.isDown = true;
      const sha = on.repository.merge(on.pull, "squash");
      await on.opened("closed");
      assert.equal(context.cloud.carried.length, 0);
      context.cloud.isDown = false;
      await carryMerged(context.node);
      await carryMerged(context.node);
      const into = { branch: "main", defaultBranch: "main", sha };
      const head = { branch: on.pull.head.ref, sha: on.pull.head.sha, runIds: [] };
      assert.deepEqual(context.cloud.carried, [{ of: "octo/site#1", ...head, into }]);
      assert.match(JSON.stringify((await on.deployed()).body), /is stored/, "it is not open any more");
      assert.equal(on.repository.checks.length, 0);

      on.repository.branches.set("release/2", sha);
      on.pull = on.repository.open("fix", { base: "release/2" });
      const onRelease = on.repository.merge(on.pull, "rebase");
      await on.opened("closed");
      const last = context.cloud.carried.at(-1)?.into;
      assert.deepEqual(last, { ...into, branch: "release/2", sha: onRelease });

      on.pull = on.repository.open("fix", { fork: true });
      on.repository.merge(on.pull, "merge");
      await on.opened("closed");
      const { branch, sha: merged } = context.cloud.carried.at(-1) ?? {};
      assert.deepEqual(
        [branch, merged],
        [null, on.pull.head.sha],
        "a fork's branch is not this repository's",
      );
    });

    it("carries the approvals of every run that checked a merged pull request", async () => {
      await on.begin();
      const { owner, name: repo } = on.repository;
      const { number: pr, head } = on.pull;
      const scm = { owner, repo, sha: head.sha, branch: head.ref, pr };
      for (const [id, name] of [
        ["run_b1", "storybook"],
        ["run_b2", "emails"],
      ] as const) {
        const project = `design system#${name}`;
        const build = makeRun({ id, source: "upload", url: "", project, branch: head.ref, scm });
        context.cloud.runs.set(id, build);
        context.cloud.end(id, "approved");
        await reportExternalRun(context.node, id);
      }
      on.repository.merge(on.pull, "squash");
      await on.opened("closed");
      assert.deepEqual(context.cloud.carried.at(-1)?.runIds, ["run_0", "run_b1", "run_b2"]);
    });
  };

for (const database of MAIN_DATABASES)
  describe(`Baselines of pull requests on ${database.name}`, baselinesOn(database));
