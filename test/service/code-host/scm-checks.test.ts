import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { advanceDueChecks } from "../../../services/scm/checks/advance-check.ts";
import { wakeCheckOfRun } from "../../../services/scm/checks/check.store.ts";
import { handleDueDeliveries } from "../../../services/scm/webhooks/handle-delivery.ts";
import { ApiError } from "../../../shared/api/api-exchanges.ts";
import { COMPLETION, PullTestContext } from "../../support/contexts/code-host/pull-context.ts";
import type { ScmTestContext } from "../../support/contexts/code-host/scm-context.ts";
import { DATABASES, type DatabaseKind } from "../../support/databases/databases.ts";
import { HostedRepository } from "../../support/fakes/code-host/hosted-repository.ts";
import { makeScreenshot } from "../../support/fixtures/run-views.ts";
import { loseCommentNumber } from "../../support/rows/scm-rows.ts";

const checksOn = (database: DatabaseKind) =>
  function (this: Mocha.Suite) {
    let on: PullTestContext;
    let context: ScmTestContext;
    PullTestContext.of(this, database, started => {
      on = started;
      context = on.context;
    });

    it("retries while the Cloud API does not respond, and closes the check at a final refusal", async () => {
      await on.opened();
      context.cloud.refusal = new TypeError("connect ECONNREFUSED 10.0.0.5:3000");
      const refused = await on.deployed();
      assert.equal(refused.status, 502);
      assert.equal(on.theCheck().status, "in_progress");
      await context.age("1 minute");
      await advanceDueChecks(context.node);
      const shown = JSON.stringify([refused.body, on.theCheck().output]);
      assert.match(shown, /is not responding/);
      assert.doesNotMatch(shown, /10\.0\.0\.5/, "the code host may show it to anyone");
      assert.ok(context.warnings.includes(context.cloud.refusal), "operators see it");
      context.cloud.refusal = null;
      await context.age("10 minutes");
      await advanceDueChecks(context.node);
      assert.equal(context.cloud.submitted.length, 1);
      assert.equal(on.theCheck().details_url, "https://vrs.example/r/run_0?token=t");

      on.repository.checks.length = 0;
      on.pull = on.repository.open("other", { files: { a: "b" } });
      context.cloud.refusal = new ApiError(
        402,
        "plan_limit_exceeded",
        "The team has used 50 of the 50 runs.",
        null,
      );
      await on.opened();
      assert.equal((await on.deployed()).status, 502);
      const { status, conclusion, output } = on.theCheck();
      assert.deepEqual([status, conclusion], ["completed", "failure"]);
      assert.match(output.summary, /The team has used 50 of the 50 runs/);
      await context.age("10 minutes");
      await advanceDueChecks(context.node);
      assert.equal(on.theCheck().conclusion, "failure");
    });

    it("creates one check run although the code host's response was lost", async () => {
      await on.opened();
      const match = /^POST .*check-runs$/;
      context.host.failures.push({ match, times: 1, status: 0, afterwards: true });
      assert.match(JSON.stringify((await on.deployed()).body), /The check follows/);
      await context.age("10 minutes");
      await advanceDueChecks(context.node);
      assert.equal(on.theCheck().status, "in_progress");
      assert.equal(context.cloud.submitted.length, 1);
    });

    it("reports progress, and sends the code host nothing without a change", async () => {
      const check = await on.begin();
      assert.equal(check.output.title, "1 of 3 screenshots done");
      const asked = context.host.requests.length;
      await context.age("30 seconds");
      await advanceDueChecks(context.node);
      assert.equal(context.host.requests.length, asked);
      const run = context.cloud.runs.get("run_0");
      assert.ok(run);
      context.cloud.runs.set("run_0", { ...run, progress: { total: 3, captured: 3, compared: 2 } });
      await advanceDueChecks(context.node);
      assert.equal(context.host.requests.length, asked, "it is not due yet");
      await context.age("30 seconds");
      await Promise.all([advanceDueChecks(context.node), advanceDueChecks(context.makeNode())]);
      assert.equal(on.theCheck().output.title, "2 of 3 screenshots done");
      assert.equal(context.host.requests.filter(name => name.startsWith("PATCH")).length, 2);
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
        const check = await on.begin();
        await on.end(conclusion);
        assert.deepEqual([check.status, check.conclusion], ["completed", expected]);
        const isOpen = expected === "action_required";
        assert.deepEqual(
          check.actions.map(({ identifier }) => identifier),
          isOpen ? ["approve"] : [],
        );
        assert.deepEqual(context.host.complaints, []);
      });

    describe("with a code host that refuses long texts", () => {
      const change = /^PATCH .*check-runs/;
      const comments = () => on.repository.comments.map(({ body }) => body);
      const patches = () => context.host.requests.filter(name => change.test(name)).length;

      it("shows 150 pages with Japanese routes, counted in bytes", async () => {
        const check = await on.begin();
        const routes = Array.from(
          { length: 50 },
          (_, n) => `/${"日本語の商品一覧".repeat(3)}${n}/${"詳細な情報".repeat(4)}`,
        );
        const shots = routes.flatMap(route =>
          [375, 768, 1280].map(viewport => makeScreenshot({ route, viewport, fingerprint: null })),
        );
        await on.end("changed", shots);
        assert.equal(check.conclusion, "action_required");
        assert.ok(Buffer.byteLength(check.output.summary) > 30_000, "as much as there is room for");
        assert.match(check.output.summary, /\d+ more screenshots in the <a /);
        assert.match(comments()[0] ?? "", /日本語/);
        assert.deepEqual(context.warnings, []);
      });

      it("reports only the conclusion at once, and does not retry the full text", async () => {
        const check = await on.begin();
        context.host.failures.push({ match: change, times: 1, status: 422, message: "summary is too long" });
        await on.end("changed");
        assert.equal(check.conclusion, "action_required");
        assert.equal(check.output.title, "Needs review");
        assert.match(check.output.summary, /rejected the details.*<a href="https:\/\/vrs\.example\/r\/run_0/);
        assert.equal(check.actions.length, 1);
        assert.match(comments()[0] ?? "", /1 changed screenshot/);
        const before = patches();
        await context.age("1 hour");
        await advanceDueChecks(context.node);
        assert.equal(patches(), before);
      });

      it("writes the comment although the check run cannot be updated, and closes the check later", async () => {
        const check = await on.begin();
        // All attempts of one update. A short update at once would succeed and hide the details.
        context.host.failures.push({ match: change, times: 3, status: 502 });
        await on.end("changed");
        assert.equal(check.status, "in_progress");
        assert.match(comments()[0] ?? "", /1 changed screenshot/);
        await context.age("10 minutes");
        await advanceDueChecks(context.node);
        assert.equal(check.conclusion, "action_required");
        assert.doesNotMatch(check.output.summary, /rejected the details/);
        assert.equal(comments().length, 1);
      });

      it("closes the check and stops if it can't comment on a locked pull request", async () => {
        const check = await on.begin();
        const match = /^POST .*comments$/;
        context.host.failures.push({ match, times: 100, status: 403, message: "The issue is locked" });
        await on.end("changed");
        assert.equal(check.conclusion, "action_required");
        const asked = () => context.host.requests.filter(name => match.test(name)).length;
        assert.equal(asked(), 1);
        await context.age("1 hour");
        await advanceDueChecks(context.node);
        assert.deepEqual([asked(), comments()], [1, []]);
      });

      it("comments with the conclusion if the full comment is refused", async () => {
        await on.begin();
        const match = /^POST .*comments$/;
        context.host.failures.push({ match, times: 1, status: 422, message: "body is too long" });
        await on.end("changed");
        assert.match(comments()[0] ?? "", /### Service \/ Preview: 1 changed screenshot.*\n\n<a [^>]*>Open/);
        assert.doesNotMatch(comments()[0] ?? "", /<img/);
      });
    });

    it("closes a check whose run never ends, and corrects it if the run ends later", async () => {
      const check = await on.begin();
      await context.age("3 hours");
      await advanceDueChecks(context.node);
      assert.deepEqual([check.status, check.conclusion], ["completed", "timed_out"]);
      assert.match(check.output.summary, /Rerun this check/);
      await on.end("passed");
      assert.equal(check.conclusion, "success");
    });

    it("closes a check whose run was deleted or could never be read", async () => {
      const check = await on.begin();
      context.cloud.isDown = true;
      await context.age("1 hour");
      await advanceDueChecks(context.node);
      assert.equal(check.status, "in_progress");
      await context.age("3 hours");
      await advanceDueChecks(context.node);
      assert.equal(check.conclusion, "timed_out");

      on.repository.checks.length = 0;
      on.pull = on.repository.open("second", { files: { second: "1" } });
      context.cloud.isDown = false;
      const second = await on.begin();
      context.cloud.runs.clear();
      await context.age("1 minute");
      await advanceDueChecks(context.node);
      assert.equal(second.conclusion, "failure");
    });

    it("accepts approvals of reviewers, and gives others the reason", async () => {
      const check = await on.begin();
      await on.end("changed");
      const press = (id: number, identifier = "approve") =>
        on.press(check, { action: "requested_action", requested_action: { identifier } }, id);
      context.cloud.reviewers.add("7");
      assert.match(JSON.stringify((await press(8)).body), /person-8 may not approve/);
      assert.match(check.output.summary, /person&#45;8 may not approve|person-8 may not approve/);
      assert.equal(check.conclusion, "action_required");
      assert.equal(Object(await press(7, "else")).body.triggered, false);
      assert.deepEqual(context.cloud.approvals, []);
      assert.equal(Object(await press(7)).body.approved, true);
      assert.equal(check.conclusion, "success");
      assert.doesNotMatch(check.output.summary, /may not approve/);
      assert.deepEqual(context.cloud.approvals, [
        { runId: "run_0", account: { id: "7", login: "person-7" } },
      ]);
    });

    it("reruns in the same check run, and refuses numbers of other repositories", async () => {
      const check = await on.begin();
      const again = (of: HostedRepository) => on.press(check, { action: "rerequested" }, 7, of);
      assert.match(JSON.stringify((await again(on.repository)).body), /already running/);
      await on.end("changed");
      const other = new HostedRepository("mallory", "site");
      context.host.install(other);
      assert.match(JSON.stringify((await again(other)).body), /belongs to another app/);
      assert.equal(Object(await again(on.repository)).body.runId, "run_1");
      assert.deepEqual([check.status, check.conclusion], ["in_progress", null]);
      assert.deepEqual(context.cloud.submitted[1]?.run.rerun, true);
      assert.equal(on.theCheck(), check);
      const suite = { action: "rerequested", check_suite: { head_sha: on.pull.head.sha } };
      context.cloud.end("run_1", "passed");
      await context.age("1 minute");
      await advanceDueChecks(context.node);
      assert.equal(check.conclusion, "success");
      const answer = await context.send("check_suite", { ...suite, ...context.host.event(on.repository) });
      assert.equal(Object(answer.body).runId, "run_2");
      // A callback of the previous run is outdated.
      assert.equal(Object((await on.complete(check.id, COMPLETION)).body).closed, false);
    });

    it("reruns later if the Cloud API fails at the click", async () => {
      const check = await on.begin();
      await on.end("changed");
      context.cloud.isDown = true;
      const answer = await on.press(check, { action: "rerequested" });
      assert.deepEqual([answer.status, context.cloud.submitted.length], [200, 1]);
      assert.match(JSON.stringify(answer.body), /is not responding/);
      context.cloud.isDown = false;
      await context.age("1 minute");
      await handleDueDeliveries(context.node);
      assert.equal(context.cloud.submitted.length, 2);
    });

    it("keeps one comment of a pull request up to date, for its current commit", async () => {
      on.repository.comments.push({
        id: 1,
        pull: 1,
        body: "<!-- vrs: the result of Service / Preview -->",
        app: null,
      });
      const check = await on.begin();
      await on.end("changed", [
        makeScreenshot({ fingerprint: "f" }),
        makeScreenshot({ fingerprint: "f" }),
        makeScreenshot(),
      ]);
      const ours = () => on.repository.comments.filter(({ app }) => app !== null);
      assert.equal(ours().length, 1);
      assert.equal(ours()[0]?.body.match(/<img/g)?.length, 2, "the same change is shown once");
      const approval = { state: "approved", approvals: 1, required: 1 } as const;
      await on.end("approved", [makeScreenshot({ review: approval })]);
      assert.equal(check.conclusion, "success");
      assert.equal(ours().length, 1);
      assert.match(ours()[0]?.body ?? "", /Approved/);

      // After a push, the result of the older commit no longer counts.
      const before = ours()[0]?.body;
      on.pull.head.sha = on.repository.addCommit(on.repository.addTree({}), [on.pull.head.sha], "More");
      await on.opened("synchronize");
      await on.end("rejected");
      assert.equal(check.conclusion, "failure");
      assert.equal(ours()[0]?.body, before);

      // Without its number, the app finds its own comment and ignores people's comments.
      await loseCommentNumber(context.em());
      await on.deployed("https://second.previews.example");
      context.cloud.end("run_1", "passed", []);
      await wakeCheckOfRun(context.em(), "run_1");
      await advanceDueChecks(context.node);
      assert.equal(ours().length, 1);
      assert.match(ours()[0]?.body ?? "", /Nothing changed/);

      // The comment was deleted.
      on.repository.comments.splice(1);
      context.cloud.end("run_1", "approved", [makeScreenshot({ review: approval })]);
      await wakeCheckOfRun(context.em(), "run_1");
      await advanceDueChecks(context.node);
      assert.equal(ours().length, 1);
      assert.deepEqual(context.host.complaints, []);
    });

    it("adds each annotation once, because the code host keeps those of earlier updates", async () => {
      const check = await on.begin();
      const warn = (...messages: string[]) => {
        const run = context.cloud.runs.get("run_0");
        assert.ok(run);
        const place = { path: "service.config.ts", line: 2, column: 3, endLine: 2, endColumn: 9 };
        const warnings = messages.map(message => ({ message, place }));
        context.cloud.runs.set("run_0", { ...run, warnings });
      };
      warn("One");
      await on.end("changed");
      await on.end("approved");
      warn("One", "Two");
      await on.end("rejected");
      assert.equal(check.conclusion, "failure");
      assert.deepEqual(
        check.output.annotations?.map(each => Object(each).message),
        ["One", "Two"],
      );
    });

    describe("of a merge queue", () => {
      const queued = async (action = "checks_requested") => {
        const merge_group = { head_sha: on.pull.head.sha };
        const event = { action, merge_group, ...context.host.event(on.repository) };
        return (await context.send("merge_group", event)).body;
      };
      const assertPassed = () => {
        const { name, status, conclusion, output } = on.theCheck();
        assert.deepEqual([name, status, conclusion], ["Service / Preview", "completed", "neutral"]);
        assert.match(output.summary, /was checked separately/);
        assert.deepEqual(context.cloud.submitted, []);
      };

      it("pass, because their pull requests were checked", async () => {
        const reason = "The pull requests of a merge queue are checked separately";
        assert.deepEqual(await queued(), { triggered: false, reason });
        assertPassed();
        await on.press(on.theCheck(), { action: "rerequested" });
        assertPassed();
      });

      it("are not checked when they leave the queue", async () => {
        const reason = "Ignored action: merge_group destroyed";
        assert.deepEqual(await queued("destroyed"), { triggered: false, reason });
        assert.equal(on.repository.checks.length, 0);
      });

      it("pass also where the code host fails for hours", async () => {
        context.host.failures.push({ match: /^PATCH .*check-runs/, times: 8, status: 502 });
        await queued();
        await context.age("3 hours");
        await advanceDueChecks(context.node);
        assertPassed();
      });

      for (const [what, match] of [
        ["make", /^POST .*check-runs$/],
        ["close", /^PATCH .*check-runs/],
      ] as const)
        it(`pass later if the code host fails to ${what} the check run`, async () => {
          context.host.failures.push({ match, times: 4, status: 502 });
          assert.equal(Object(await queued()).triggered, false);
          await context.age("2 minutes");
          context.host.failures.length = 0;
          await advanceDueChecks(context.node);
          assertPassed();
        });
    });
  };

for (const database of DATABASES) describe(`Checks of pull requests on ${database.name}`, checksOn(database));
