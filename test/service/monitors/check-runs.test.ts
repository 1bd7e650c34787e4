import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { startDue } from "../../../services/monitors/checks/start-due.ts";
import { recoverChecks } from "../../../services/monitors/recovery-sweep.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { newId } from "../../../shared/ids.ts";
import type { MonitorTestContext } from "../../support/contexts/monitor-context.ts";
import { MAIN_DATABASES } from "../../support/databases/databases.ts";
import { type MonitorDriver, useMonitors } from "../../support/drivers/monitor-driver.ts";
import { until } from "../../support/drivers/until.ts";

const LIMIT = { type: "plan_limit_exceeded", code: 402 };

for (const database of MAIN_DATABASES) {
  describe(`Runs of checks on ${database.name}`, () => {
    let context: MonitorTestContext;
    let driver: MonitorDriver;
    useMonitors(database, (started, itsDriver) => {
      [context, driver] = [started, itsDriver];
    });

    it("don't overlap, and show when the first one is running", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: ["/busy"] });
      const release = context.hold();
      try {
        const first = await context.ask("monitors.run", { id, checkId: newId("chk") }, admin);
        const view = await context.get(admin, id);
        assert.deepEqual([view.status, view.currentCheck?.id], ["establishing", first.id]);
        await assert.rejects(context.ask("monitors.run", { id, checkId: newId("chk") }, admin), {
          type: "conflict",
          message: new RegExp(first.id),
        });
        await driver.makeDue(id);
        await startDue(context.monitors);
        assert.equal((await driver.checksOf(admin, id)).length, 1);
        release();
        await context.ended(admin, id, first.id);
        const { nextRunAt } = await context.get(admin, id);
        assert.ok(Date.parse(nextRunAt ?? "") > Date.now(), "the turn that it missed is skipped");
      } finally {
        release();
      }
    });

    it("report that the plan's limit is reached: at once if started by hand, otherwise in the history", async () => {
      const admin = context.team();
      const { id } = await context.create(admin);
      context.overLimit.add(admin.teamId);
      await assert.rejects(context.ask("monitors.run", { id, checkId: newId("chk") }, admin), LIMIT);
      const { currentCheck, lastCheck } = await context.get(admin, id);
      assert.deepEqual([await driver.checksOf(admin, id), currentCheck, lastCheck], [[], null, null]);
      await driver.makeDue(id);
      await startDue(context.monitors);
      await until(async () => (await driver.checksOf(admin, id)).some(check => check.endedAt));
      assert.deepEqual(
        (await driver.checksOf(admin, id)).map(check => [check.kind, check.outcome, check.error]),
        [["scheduled", "failed", "No runs are left."]],
      );
      await driver.waitUntilReported(id);
      assert.deepEqual(context.alerts.of(id), []);
    });

    /** Cancels the run that a check waits for, and runs the recovery sweep. */
    const cancelRunOf = async (admin: Caller, id: string) => {
      await context.ask("runs.cancel", { id: await driver.openRunOf(id) }, admin);
      await driver.ageChecks(id, "1 minute");
      await recoverChecks(context.monitors);
    };

    it("are submitted again once after a cancellation, and end the check after a second one", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: ["/stop"] });
      const release = context.hold();
      try {
        const { id: checkId } = await context.ask("monitors.run", { id, checkId: newId("chk") }, admin);
        await cancelRunOf(admin, id);
        assert.equal((await driver.checksOf(admin, id))[0]?.endedAt, null, "it waits for the retry");
        await cancelRunOf(admin, id);
        assert.match(
          (await context.ended(admin, id, checkId)).error ?? "",
          /was canceled\. It was already a retry/,
        );
      } finally {
        release();
      }
    });

    it("have no effect on the outcome if they are canceled once", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: ["/once"] });
      const release = context.hold();
      try {
        const { id: checkId } = await context.ask("monitors.run", { id, checkId: newId("chk") }, admin);
        await cancelRunOf(admin, id);
        release();
        const ended = await context.ended(admin, id, checkId);
        assert.deepEqual([ended.outcome, ended.error, ended.attempts], ["established", null, 2]);
      } finally {
        release();
      }
    });

    it("are confirmed again for the same pages after a cancellation", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: ["/same", "/moved"] });
      await context.check(admin, id);
      driver.show("https://example.com/moved@1280", "moved");
      context.monitors.confirmAfterMs = 60_000;
      const { id: checkId } = await context.ask("monitors.run", { id, checkId: newId("chk") }, admin);
      await until(async () => (await driver.checksOf(admin, id))[0]?.attempts === 2);
      const release = context.hold();
      try {
        context.monitors.confirmAfterMs = 0;
        await until(async () => (await driver.runsOf(admin)).length === 3);
        const before = context.rendered.length;
        await cancelRunOf(admin, id);
        release();
        assert.equal((await context.ended(admin, id, checkId)).outcome, "changed");
        assert.ok(context.rendered.slice(before).every(page => page === "/moved@1280"));
      } finally {
        context.monitors.confirmAfterMs = 0;
        release();
      }
    });

    it("are not submitted again for a deleted monitor", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: ["/over"] });
      const release = context.hold();
      try {
        await context.ask("monitors.run", { id, checkId: newId("chk") }, admin);
        await driver.markDeleted(id);
        await cancelRunOf(admin, id);
        assert.deepEqual(await driver.outcomesOf(id), [{ outcome: "failed" }]);
        assert.equal((await driver.runsOf(admin)).length, 1);
      } finally {
        release();
      }
    });

    it("are confirmed after a delay in fresh contexts, and count as one run", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: ["/moves"] });
      await context.check(admin, id);
      driver.show("https://example.com/moves@1280", "moved");
      const [rendered, counted] = [context.freshContexts.length, context.counted.length];
      context.monitors.confirmAfterMs = 1_500;
      try {
        const begun = performance.now();
        const check = await context.check(admin, id);
        const tookMs = performance.now() - begun;
        assert.deepEqual([check.outcome, check.attempts], ["changed", 2]);
        assert.ok(tookMs > 1_500, `it was confirmed within ${tookMs} ms`);
        assert.deepEqual(context.freshContexts.slice(rendered), [false, true]);
        const first = (await driver.runsOf(admin)).map(run => run.id)[1];
        assert.deepEqual(context.counted.slice(counted), [first]);
      } finally {
        context.monitors.confirmAfterMs = 0;
      }
    });
  });
}
