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
import { PullTestContext } from "../../support/contexts/pull-context.ts";
import type { ScmTestContext } from "../../support/contexts/scm-context.ts";
import { until } from "../../support/drivers/until.ts";
import { DATABASES, type DatabaseKind } from "../../support/servers/databases.ts";

const claimsOn = (database: DatabaseKind) =>
  function (this: Mocha.Suite) {
    let on: PullTestContext;
    let context: ScmTestContext;
    PullTestContext.of(this, database, started => {
      on = started;
      context = on.context;
    });

    const row = async () => {
      const [only] = await context.em().execute("select * from scm.check_run");
      assert.ok(only);
      return only;
    };
    /** Has the code host take a second over the next change of the check. @returns once it was asked for that */
    const slowChange = async (begin: () => Promise<unknown>) => {
      const changes = () => context.host.asked.filter(name => name.startsWith("PATCH")).length;
      const before = changes();
      context.host.slow.push({ match: /^PATCH .*check-runs/, ms: 1_000 });
      const done = begin();
      await until(() => changes() > before);
      context.host.slow.length = 0;
      return done;
    };

    /** A check whose holder takes so long to tell how far it is that it is another's by then. */
    const beginLate = async () => {
      const check = await on.begin();
      const run = context.cloud.runs.get("run_0");
      assert.ok(run);
      context.cloud.runs.set("run_0", { ...run, progress: { total: 3, captured: 3, compared: 2 } });
      await context.age("1 minute");
      const late = slowChange(() => advanceDueChecks(context.node));
      await until(() => context.host.slow.length === 0);
      await context.age("2 minutes");
      return { check, late };
    };

    it("leaves a check as it ended, whatever keeps a later look from its run", async () => {
      const check = await on.begin();
      await on.end("passed");
      const before = structuredClone(check);
      await context.age("3 hours");
      context.cloud.isDown = true;
      await advanceDueChecks(context.node);
      assert.notDeepEqual(context.warnings, [], "the look failed");
      assert.deepEqual(check, before);
      const { conclusion, next_check_at } = await row();
      assert.equal(conclusion, "success");
      assert.ok(Date.parse(next_check_at) > Date.now() + 50 * 60_000, "in an hour, and not again and again");
    });

    it("gives up a check that nobody lets the app end", async () => {
      await on.begin();
      on.repository.hidden = true;
      await context.age("1 minute");
      await advanceDueChecks(context.node);
      assert.notEqual((await row()).next_check_at, null, "it may be given back");
      await context.age("3 hours");
      await advanceDueChecks(context.node);
      assert.equal((await row()).next_check_at, null);
    });

    it("makes no second check run where the node that made the first went away before it wrote that down", async () => {
      const check = await on.begin();
      await context.em().execute("update scm.check_run set host_id = null, next_check_at = now()");
      await advanceDueChecks(context.node);
      assert.equal((await row()).host_id, String(check.id));
      on.theCheck();
    });

    it("does not lose another run that is asked for while the check is looked at", async () => {
      const check = await on.begin();
      await on.end("changed");
      context.cloud.end("run_0", "approved");
      await context.age("1 hour");
      const look = slowChange(() => advanceDueChecks(context.node));
      await until(() => context.host.slow.length === 0);
      await on.press(check, { action: "rerequested" });
      await look;
      await advanceDueChecks(context.node);
      assert.equal(context.cloud.submitted.length, 2);
      assert.deepEqual([check.status, (await row()).run_id], ["in_progress", "run_1"]);
    });

    it("keeps a check for who looks at it, however long the code host takes", async () => {
      await on.begin();
      context.cloud.end("run_0", "changed");
      await context.age("1 minute");
      mock.timers.enable({ apis: ["setInterval"] });
      try {
        const look = slowChange(() => advanceDueChecks(context.node));
        await until(() => context.host.slow.length === 0);
        await context.age("2 minutes");
        mock.timers.tick(30_000);
        await until(async () => Date.parse((await row()).claimed_until) > Date.now());
        const asked = context.host.asked.length;
        await advanceDueChecks(context.makeNode());
        assert.equal(context.host.asked.length, asked, "another node leaves it alone");
        await look;
      } finally {
        mock.timers.reset();
      }
      assert.deepEqual([on.theCheck().conclusion, on.repository.comments.length], ["action_required", 1]);
    });

    it("goes by who looked at a check last, and has the code host know", async () => {
      const { check, late } = await beginLate();
      context.cloud.end("run_0", "passed");
      await advanceDueChecks(context.makeNode());
      assert.equal(check.conclusion, "success");
      await late;
      assert.equal(check.conclusion, null, "the late word came last");
      assert.equal((await row()).conclusion, "success");
      await advanceDueChecks(context.node);
      assert.equal(check.conclusion, "success");
    });

    it("has the code host know it also where a late word comes while its holder still tells it", async () => {
      const { check, late } = await beginLate();
      context.cloud.end("run_0", "changed");
      context.host.slow.push({ match: /^POST .*comments/, ms: 2_000 });
      const holder = advanceDueChecks(context.makeNode());
      await until(() => check.conclusion === "action_required");
      await late;
      assert.equal(check.conclusion, null, "the late word came last");
      assert.equal(on.repository.comments.length, 0, "the holder is not done yet");
      await holder;
      context.host.slow.length = 0;
      await advanceDueChecks(context.node);
      assert.deepEqual([check.conclusion, on.repository.comments.length], ["action_required", 1]);
    });

    it("lets nobody but its holder write to a check, or let it go", async () => {
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

    it("lets nobody but who has the turn say which comment is the pull request's", async () => {
      await on.opened();
      const of = { repoId: String(on.repository.id), number: on.pull.number, sha: on.pull.head.sha };
      const take = async (): Promise<CommentLease> => {
        const turn = await leaseComment(context.em(), of);
        assert.ok(turn !== null && turn !== "outdated");
        return turn;
      };
      const late = await take();
      await context
        .em()
        .execute("update scm.pull_request set comment_leased_until = now() - interval '1 second'");
      await renewCommentLease(context.em(), late);
      assert.equal(await leaseComment(context.em(), of), null, "who writes keeps it");
      await context
        .em()
        .execute("update scm.pull_request set comment_leased_until = now() - interval '1 second'");
      const writer = await take();
      await releaseCommentLease(context.em(), { ...late, commentId: "1" });
      assert.equal(await leaseComment(context.em(), of), null);
      await releaseCommentLease(context.em(), { ...writer, commentId: "2" });
      await renewCommentLease(context.em(), writer);
      assert.equal((await take()).commentId, "2");
    });
  };

for (const database of DATABASES)
  describe(`Checks that are looked at by several, or in vain, on ${database.name}`, claimsOn(database));
