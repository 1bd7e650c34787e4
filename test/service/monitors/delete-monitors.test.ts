import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { PLANS } from "../../../services/billing/plans.ts";
import { cleanUpTeams } from "../../../services/monitors/recovery-sweep.ts";
import { deleteTeamData, purgeMonitors } from "../../../services/monitors/settings/delete-monitor.ts";
import { broadcast } from "../../../shared/contracts/bus.ts";
import type { AlertChannels } from "../../../shared/contracts/monitors/alert-actions.ts";
import { newId } from "../../../shared/ids.ts";
import type { MonitorTestContext } from "../../support/contexts/monitor-context.ts";
import { MAIN_DATABASES } from "../../support/databases/databases.ts";
import { type MonitorDriver, useMonitors } from "../../support/drivers/monitor-driver.ts";
import { until } from "../../support/drivers/until.ts";

const SLACK = "https://hooks.example.com/services/T000/B000/wxyz";
const KEY = "0123456789abcdef0123456789abcdef";

for (const database of MAIN_DATABASES) {
  describe(`Deleted monitors on ${database.name}`, () => {
    let context: MonitorTestContext;
    let driver: MonitorDriver;
    useMonitors(database, (started, itsDriver) => {
      [context, driver] = [started, itsDriver];
    });

    it("lose their history and baselines", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { alerts: { slack: SLACK } });
      await context.check(admin, id);
      await driver.change(admin, id, { url: "https://other.example" });
      await context.check(admin, id);
      assert.equal(await driver.countBaselines(admin.teamId), 2);
      const exists = (teamId = admin.teamId) => context.ask("monitors.exists", { id, teamId }, admin);
      assert.deepEqual([await exists(), await exists(context.team().teamId)], [true, false]);
      await context.ask("monitors.delete", { id }, admin);
      assert.equal(await exists(), false);
      await assert.rejects(context.get(admin, id), { type: "not_found" });
      await until(async () => !(await driver.isStored(id)) && !(await driver.hasChecks(id)));
      assert.ok(context.alerts.deletedMonitors.includes(id));
      assert.equal(await driver.countBaselines(admin.teamId), 0);
    });

    it("are deleted completely or not at all, and free their place for another monitor", async () => {
      const admin = context.team();
      const { id } = await context.create(admin);
      const { id: next } = await context.create(admin);
      context.plans.set(admin.teamId, PLANS.free);
      assert.equal((await context.get(admin, next)).hold, "over");
      context.isBillingAway = true;
      try {
        await assert.rejects(context.ask("monitors.delete", { id }, admin), /No plans today/);
      } finally {
        context.isBillingAway = false;
      }
      assert.equal((await context.get(admin, next)).hold, "over");
      await context.ask("monitors.delete", { id }, admin);
      assert.equal((await context.get(admin, next)).hold, "plan");
      const noted = () =>
        context.noted.filter(({ type, target }) => type === "monitor.deleted" && target === id);
      await until(() => noted().length === 1);
    });

    it("end their running check, also if the node stopped in between", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: ["/removed"] });
      const release = context.hold();
      try {
        const { runId } = await context.ask("monitors.run", { id, checkId: newId("chk") }, admin);
        await driver.markDeleted(id);
        await purgeMonitors(context.monitors);
        assert.equal((await context.ask("runs.get", { id: runId }, admin)).status, "canceled");
        assert.equal(await driver.isStored(id), false);
      } finally {
        release();
      }
    });

    it("leave no stored plan of a team without monitors", async () => {
      const admin = context.team();
      const { id } = await context.create(admin);
      await context.ask("monitors.delete", { id }, admin);
      await until(async () => !(await driver.isStored(id)));
      await driver.agePlan(admin.teamId, "11 minutes");
      await cleanUpTeams(context.monitors);
      assert.equal(await driver.readPlanState(admin.teamId), "old", "the plan is not read again");
      await driver.agePlan(admin.teamId, "61 minutes");
      await cleanUpTeams(context.monitors);
      assert.equal(await driver.readPlanState(admin.teamId), "missing");
    });

    it("close their incident with the key that opened it, also after a key change", async () => {
      const admin = context.team();
      const other = KEY.replace("0", "9");
      const incidents = {
        tool: "alertmanager",
        url: "https://alerts.example",
        key: "key-of-alerts",
      } as const;
      const { id } = await context.create(admin, { alerts: { pagerduty: KEY, slack: SLACK, incidents } });
      context.alerts.closed.length = 0;
      await driver.change(admin, id, { alerts: { email: ["a@example.com"] } });
      await driver.change(admin, id, { alerts: { pagerduty: other } });
      await context.ask("monitors.delete", { id }, admin);
      await until(() => context.alerts.deletedMonitors.includes(id));
      assert.deepEqual(context.alerts.closed, [{ pagerduty: KEY }, { pagerduty: other, incidents }]);
    });

    it("close their incident at the incident service that opened it", async () => {
      const admin = context.team();
      const incidents = {
        tool: "alertmanager",
        url: "https://alerts.example",
        key: "key-of-alerts",
      } as const;
      const moved = { ...incidents, url: "https://other.example" };
      const { id } = await context.create(admin, { alerts: { incidents } });
      context.alerts.closed.length = 0;
      await driver.change(admin, id, { alerts: { incidents } });
      await driver.change(admin, id, { alerts: { incidents: moved, pagerduty: KEY } });
      await driver.change(admin, id, { alerts: { incidents: null } });
      assert.deepEqual(context.alerts.closed, [{ incidents }, { incidents: moved }]);
    });

    it("are deleted although another one can't be", async () => {
      const ids: string[] = [];
      for (let made = 0; made < 2; made += 1) ids.push((await context.create(context.team())).id);
      const [failing = "", other = ""] = ids.toSorted();
      context.alerts.failingMonitor = failing;
      for (const id of ids) await driver.markDeleted(id);
      await purgeMonitors(context.monitors);
      context.alerts.failingMonitor = null;
      assert.deepEqual([await driver.isStored(failing), await driver.isStored(other)], [true, false]);
      await purgeMonitors(context.monitors);
      assert.equal(await driver.isStored(failing), false);
    });

    it("are deleted quickly, however many URLs they had", async () => {
      const admin = context.team();
      const { id } = await context.create(admin);
      await context.sql("update monitors.monitor set generation = 2147483647 where id = ?", [id]);
      await context.check(admin, id);
      assert.equal(await driver.countBaselines(admin.teamId), 1);
      await driver.markDeleted(id);
      await purgeMonitors(context.monitors);
      assert.deepEqual([await driver.isStored(id), await driver.countBaselines(admin.teamId)], [false, 0]);
    });

    it("are deleted with their team", async () => {
      const admin = context.team();
      const { id } = await context.create(admin);
      await context.check(admin, id);
      await deleteTeamData(context.monitors, admin.teamId);
      assert.equal((await context.get(admin, id)).id, id, "it is there, whoever says that it is gone");
      context.gone.add(admin.teamId);
      await broadcast(context.broker, "team.gone", { teamId: admin.teamId });
      await until(async () => !(await driver.isStored(id)));
    });

    it("close their incidents if their team is deleted", async () => {
      const admin = context.team();
      const incidents = { tool: "opsgenie", url: "https://api.example", key: "key-of-alerts" } as const;
      const receivers: AlertChannels[] = [{ pagerduty: KEY }, { incidents }, {}];
      for (const alerts of receivers) await context.create(admin, { alerts: { ...alerts, slack: SLACK } });
      context.alerts.closed.length = 0;
      context.gone.add(admin.teamId);
      await deleteTeamData(context.monitors, admin.teamId);
      assert.deepEqual(new Set(context.alerts.closed), new Set(receivers));
    });

    it("are deleted with a team whose event was lost", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { alerts: { slack: SLACK } });
      context.gone.add(admin.teamId);
      await driver.agePlan(admin.teamId, "11 minutes");
      await cleanUpTeams(context.monitors);
      await purgeMonitors(context.monitors);
      assert.equal(await driver.isStored(id), false);
      assert.ok(context.alerts.deletedMonitors.includes(id));
    });
  });
}
