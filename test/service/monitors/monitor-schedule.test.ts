import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { PLANS } from "../../../services/billing/plans.ts";
import { startDue } from "../../../services/monitors/checks/start-due.ts";
import { cleanUpTeams, pruneChecks } from "../../../services/monitors/recovery-sweep.ts";
import { broadcast, emit } from "../../../shared/contracts/bus.ts";
import { newId } from "../../../shared/ids.ts";
import type { MonitorTestContext } from "../../support/contexts/monitor-context.ts";
import { MAIN_DATABASES } from "../../support/databases/databases.ts";
import { type MonitorDriver, useMonitors } from "../../support/drivers/monitor-driver.ts";
import { until } from "../../support/drivers/until.ts";

const LIMIT = { type: "plan_limit_exceeded", code: 402 };
const SLACK = "https://hooks.example.com/services/T000/B000/wxyz";

for (const database of MAIN_DATABASES) {
  describe(`Schedules of monitors on ${database.name}`, () => {
    let context: MonitorTestContext;
    let driver: MonitorDriver;
    useMonitors(database, (started, itsDriver) => {
      [context, driver] = [started, itsDriver];
    });

    it("start one check after any number of missed ones, and stay at their times", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { intervalMinutes: 7 });
      await driver.makeDue(id, "3 days");
      await Promise.all([startDue(context.monitors), startDue(context.monitors), startDue(context.monitors)]);
      await until(async () => (await context.get(admin, id)).lastCheck !== null);
      await startDue(context.monitors);
      assert.equal((await driver.checksOf(admin, id)).length, 1);
      const row = await driver.readSchedule(id);
      assert.ok(row && row.ahead > 0 && row.ahead <= 420, `${row?.ahead}`);
      assert.ok(Math.abs((row.interval % 1) - row.phase) < 0.001, `${row.interval} ${row.phase}`);
    });

    it("recover from a clock that was set back, and stop while paused", async () => {
      const admin = context.team();
      const { id } = await context.create(admin);
      await driver.makeDue(id, "-5 hours");
      await cleanUpTeams(context.monitors);
      const { nextRunAt } = await context.get(admin, id);
      assert.ok(Date.parse(nextRunAt ?? "") < Date.now() + 3_610_000);
      const paused = await driver.change(admin, id, { paused: true });
      assert.deepEqual([paused.scheduled, paused.nextRunAt], [false, null]);
      assert.match(paused.notScheduledBecause ?? "", /paused/);
      await startDue(context.monitors);
      assert.deepEqual(await driver.checksOf(admin, id), []);
      assert.ok((await driver.change(admin, id, { paused: false })).nextRunAt);
    });

    it("allow only checks by hand without alerts on a plan without schedules", async () => {
      const admin = context.team("free");
      const { id, scheduled, nextRunAt, notScheduledBecause } = await context.create(admin);
      assert.deepEqual([scheduled, nextRunAt], [false, null]);
      assert.match(notScheduledBecause ?? "", /free plan has no scheduled checks/);
      assert.equal((await context.check(admin, id)).outcome, "established");
      await driver.waitUntilReported(id);
      assert.deepEqual(context.alerts.of(id), []);
    });

    it("stop with a reason on a smaller plan, and continue on a larger one", async () => {
      const admin = context.team();
      const ids: string[] = [];
      for (let index = 0; index < 12; index += 1)
        ids.push((await context.create(admin, { alerts: { slack: SLACK } })).id);
      context.plans.set(admin.teamId, PLANS.pro);
      await emit(context.broker, "plan.changed", { teamId: admin.teamId, plan: "pro", was: "business" });
      const countScheduled = () => driver.countScheduled(admin.teamId);
      await until(async () => (await countScheduled()) === 0);
      const because = async (id = "") => (await context.get(admin, id)).notScheduledBecause ?? "";
      assert.match(await because(ids[9]), /pro plan has no scheduled checks/);
      assert.match(await because(ids[10]), /allows 10 monitors/);
      const over = ids[11] ?? "";
      await assert.rejects(driver.change(admin, over, { name: "No" }), LIMIT);
      const refused = { ...LIMIT, data: { limit: 10, used: 12 } };
      await assert.rejects(context.ask("monitors.run", { id: over, checkId: newId("chk") }, admin), refused);
      // Monitors over the limit can still be snoozed and tested.
      await context.ask("monitors.snooze", { id: over, hours: 1 }, admin);
      await context.ask("monitors.unsnooze", { id: over }, admin);
      assert.ok(await context.ask("monitors.testAlert", { id: over }, admin));
      await context.ask("monitors.delete", { id: ids[0] ?? "" }, admin);
      assert.match(await because(ids[10]), /has no scheduled checks/, "there is room now");
      // The event is lost, but the next read notices the change.
      context.plans.set(admin.teamId, PLANS.business);
      assert.equal((await context.get(admin, over)).scheduled, true);
      assert.equal(await countScheduled(), 11);
    });

    it("stop while their team is deleted", async () => {
      const admin = context.team();
      const { id } = await context.create(admin);
      const isScheduled = () => driver.isScheduled(id);
      context.closed.add(admin.teamId);
      await broadcast(context.broker, "access.changed", { ids: [admin.teamId] });
      await until(async () => !(await isScheduled()));
      context.closed.delete(admin.teamId);
      await broadcast(context.broker, "access.changed", { ids: [admin.teamId] });
      await until(isScheduled);
    });

    it("stop on a smaller plan also if the event was lost", async () => {
      const admin = context.team();
      const { id } = await context.create(admin);
      context.plans.set(admin.teamId, PLANS.free);
      await driver.agePlan(admin.teamId, "11 minutes");
      await cleanUpTeams(context.monitors);
      assert.equal(await driver.isScheduled(id), false);
    });

    it("delete checks after the plan's retention, and remove them from the uptime", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: ["/old"] });
      driver.show("https://example.com/old@1280", { blame: "page", reason: "It answered 500." });
      assert.equal((await context.check(admin, id)).outcome, "down");
      await driver.ageChecks(id, "91 days");
      driver.show("https://example.com/old@1280", "as ever");
      const kept = await context.check(admin, id);
      assert.equal((await context.get(admin, id)).uptime, 0.5);
      await driver.agePruning(admin.teamId, "2 hours");
      await pruneChecks(context.monitors);
      assert.deepEqual(
        (await driver.checksOf(admin, id)).map(check => check.id),
        [kept.id],
      );
      assert.equal((await context.get(admin, id)).uptime, 1);
    });
  });
}
