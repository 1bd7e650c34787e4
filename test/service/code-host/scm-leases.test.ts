import assert from "node:assert/strict";
import { mock } from "node:test";
import { describe, it } from "mocha";
import { advanceDueChecks } from "../../../services/scm/checks/advance-check.ts";
import {
  findCheckByHostId,
  leaseCheck,
  releaseCheck,
  updateCheck,
} from "../../../services/scm/checks/check.store.ts";
import {
  type CommentLease,
  leaseComment,
  releaseCommentLease,
  renewCommentLease,
} from "../../../services/scm/pull-requests/pull.store.ts";
import { PullTestContext } from "../../support/contexts/code-host/pull-context.ts";
import type { ScmTestContext } from "../../support/contexts/code-host/scm-context.ts";
import { type DatabaseKind, MAIN_DATABASES } from "../../support/databases/databases.ts";
import { until } from "../../support/drivers/until.ts";
import { expireCommentLease, loseCheckRunNumber, readCheck } from "../../support/rows/scm-rows.ts";

const leasesOn = (database: DatabaseKind) =>
  function (this: Mocha.Suite) {
    let on: PullTestContext;
    let context: ScmTestContext;
    PullTestContext.of(this, database, started => {
      on = started;
      context = on.context;
    });

    const row = () => readCheck(context.em());
    /**
     * Advances checks on a node that stops, and slows down its update of the check run to one second.
     * @returns after the code host got the request
     */
    const slowUpdate = async () => {
      const changes = () => context.host.requests.filter(name => name.startsWith("PATCH")).length;
      const before = changes();
      context.host.slow.push({ match: /^PATCH .*check-runs/, ms: 1_000 });
      const stopping = new AbortController();
      const done = advanceDueChecks(context.node, stopping.signal);
      await until(() => changes() > before);
      // The node leases nothing more.
      stopping.abort();
      context.host.slow.length = 0;
      return done;
    };

    /** Returns a check whose holder reports so slowly that its lease expires. */
    const startSlowReport = async () => {
      const check = await on.begin();
      const run = context.cloud.runs.get("run_0");
      assert.ok(run);
      context.cloud.runs.set("run_0", { ...run, progress: { total: 3, captured: 3, compared: 2 } });
      await context.age("1 minute");
      const late = slowUpdate();
      await until(() => context.host.slow.length === 0);
      await context.age("2 minutes");
      return { check, late };
    };

    it("keeps a closed check as it is while its run cannot be read", async () => {
      const check = await on.begin();
      await on.end("passed");
      const before = structuredClone(check);
      await context.age("3 hours");
      context.cloud.isDown = true;
      await advanceDueChecks(context.node);
      assert.notDeepEqual(context.warnings, [], "the advance failed");
      assert.deepEqual(check, before);
      const { conclusion, nextCheckAt } = await row();
      assert.equal(conclusion, "success");
      assert.ok((nextCheckAt?.getTime() ?? 0) > Date.now() + 50 * 60_000, "the next check is in an hour");
    });

    it("stops at a check that the app may not close", async () => {
      await on.begin();
      on.repository.hidden = true;
      await context.age("1 minute");
      await advanceDueChecks(context.node);
      assert.notEqual((await row()).nextCheckAt, null, "access may be granted again");
      await context.age("3 hours");
      await advanceDueChecks(context.node);
      assert.equal((await row()).nextCheckAt, null);
    });

    it("creates no second check run if the first node stopped before it saved the first", async () => {
      const check = await on.begin();
      await loseCheckRunNumber(context.em());
      await advanceDueChecks(context.node);
      assert.equal((await row()).hostId, String(check.id));
      on.theCheck();
    });

    it("keeps a rerun that is requested during an advance", async () => {
      const check = await on.begin();
      await on.end("changed");
      context.cloud.end("run_0", "approved");
      await context.age("1 hour");
      const advance = slowUpdate();
      await until(() => context.host.slow.length === 0);
      await on.press(check, { action: "rerequested" });
      await advance;
      await advanceDueChecks(context.node);
      assert.equal(context.cloud.submitted.length, 2);
      assert.deepEqual([check.status, (await row()).runId], ["in_progress", "run_1"]);
    });

    /** Starts a check, and does this before the response to its submission arrives. */
    const beginDuring = async (work: () => Promise<unknown>) => {
      const { cloud } = context;
      const submit = cloud.submit.bind(cloud);
      cloud.submit = async (run, key) => {
        cloud.submit = submit;
        const id = await submit(run, key);
        await work();
        return id;
      };
      await on.begin();
      assert.equal(cloud.submit, submit);
    };

    const changeBase = () => {
      on.repository.branches.set("next", on.repository.branches.get("main") ?? "");
      on.pull.base.ref = "next";
      const edited = context.pullEvent(on.repository, on.pull, "edited");
      return context.send("pull_request", { ...edited, changes: { base: { ref: { from: "main" } } } });
    };

    it("cancels the run for the old base if the base changes during its submission", async () => {
      await beginDuring(changeBase);
      await advanceDueChecks(context.node);
      const bases = context.cloud.submitted.map(({ run }) => run.scm?.baseBranch);
      assert.deepEqual([bases, (await row()).runId], [["main", "next"], "run_1"]);
      assert.deepEqual(context.cloud.canceled, ["run_0"]);
    });

    it("leaves an external run alone if the base changes during a submission that returns it", async () => {
      await beginDuring(() => {
        const { scm, ...run } = context.cloud.runs.get("run_0") ?? assert.fail();
        context.cloud.runs.set("run_0", { ...run, scm: scm && { ...scm, checkRunId: 1 } });
        return changeBase();
      });
      await advanceDueChecks(context.node);
      assert.deepEqual([context.cloud.canceled, (await row()).runId], [[], "run_1"]);
    });

    it("keeps the run if another node gets the check during its submission", async () => {
      await beginDuring(async () => {
        await context.age("2 minutes");
        await advanceDueChecks(context.makeNode());
      });
      await advanceDueChecks(context.node);
      assert.deepEqual([context.cloud.canceled, (await row()).runId], [[], "run_0"]);
    });

    it("keeps the lease for its holder while the code host is slow", async () => {
      await on.begin();
      context.cloud.end("run_0", "changed");
      await context.age("1 minute");
      mock.timers.enable({ apis: ["setInterval"] });
      try {
        const advance = slowUpdate();
        await until(() => context.host.slow.length === 0);
        await context.age("2 minutes");
        mock.timers.tick(30_000);
        await until(async () => ((await row()).leasedUntil?.getTime() ?? 0) > Date.now());
        const asked = context.host.requests.length;
        await advanceDueChecks(context.makeNode());
        assert.equal(context.host.requests.length, asked, "another node does not advance it");
        await advance;
      } finally {
        mock.timers.reset();
      }
      assert.deepEqual([on.theCheck().conclusion, on.repository.comments.length], ["action_required", 1]);
    });

    it("shows the state of the latest holder at the code host", async () => {
      const { check, late } = await startSlowReport();
      context.cloud.end("run_0", "passed");
      await advanceDueChecks(context.makeNode());
      assert.equal(check.conclusion, "success");
      await late;
      assert.equal(check.conclusion, null, "the late report came last");
      assert.equal((await row()).conclusion, "success");
      await advanceDueChecks(context.node);
      assert.equal(check.conclusion, "success");
    });

    it("shows it also if a late report arrives while the holder still reports", async () => {
      const { check, late } = await startSlowReport();
      context.cloud.end("run_0", "changed");
      context.host.slow.push({ match: /^POST .*comments/, ms: 2_000 });
      const holder = advanceDueChecks(context.makeNode());
      await until(() => check.conclusion === "action_required");
      await late;
      assert.equal(check.conclusion, null, "the late report came last");
      assert.equal(on.repository.comments.length, 0, "the holder has not finished");
      await holder;
      context.host.slow.length = 0;
      await advanceDueChecks(context.node);
      assert.deepEqual([check.conclusion, on.repository.comments.length], ["action_required", 1]);
    });

    it("lets only the holder comment, also if the check run could not be updated", async () => {
      const { id } = await on.begin();
      context.cloud.end("run_0", "changed");
      await context.age("1 minute");
      context.host.failures.push({ match: /^PATCH .*check-runs/, times: 100, status: 502 });
      const late = slowUpdate();
      await until(() => context.host.slow.length === 0);
      await context.age("2 minutes");
      const check = await findCheckByHostId(context.em(), String(id));
      assert.ok(check && (await leaseCheck(context.em(), check.id)));
      await late;
      assert.deepEqual(on.repository.comments, []);
    });

    it("lets only the holder change or release a check", async () => {
      const { id } = await on.begin();
      const check = await findCheckByHostId(context.em(), String(id));
      assert.ok(check);
      const late = await leaseCheck(context.em(), check.id);
      assert.ok(late);
      assert.equal(await leaseCheck(context.em(), check.id), null);
      await context.age("2 minutes");
      const holder = await leaseCheck(context.em(), check.id);
      assert.ok(holder);
      assert.equal(await updateCheck(context.em(), late, { note: "late" }), false);
      await releaseCheck(context.em(), late, null);
      assert.equal(await leaseCheck(context.em(), check.id), null);
      assert.equal(await updateCheck(context.em(), holder, { note: "in time" }), true);
      assert.equal((await row()).note, "in time");
    });

    it("lets only the holder of a comment's lease save its number", async () => {
      await on.opened();
      const { repository, pull } = on;
      const of = { repoId: String(repository.id), number: pull.number, sha: pull.head.sha, name: "" };
      const leaseOrFail = async (): Promise<CommentLease> => {
        const lease = await leaseComment(context.em(), of);
        assert.ok(lease !== null && lease !== "outdated");
        return lease;
      };
      const late = await leaseOrFail();
      await expireCommentLease(context.em());
      await renewCommentLease(context.em(), late);
      assert.equal(await leaseComment(context.em(), of), null, "the writer keeps its lease");
      await expireCommentLease(context.em());
      const writer = await leaseOrFail();
      await releaseCommentLease(context.em(), { ...late, commentId: "1" });
      assert.equal(await leaseComment(context.em(), of), null);
      await releaseCommentLease(context.em(), { ...writer, commentId: "2" });
      await renewCommentLease(context.em(), writer);
      assert.equal((await leaseOrFail()).commentId, "2");
    });
  };

for (const database of MAIN_DATABASES) describe(`Check leases on ${database.name}`, leasesOn(database));
