import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { startDueChecks } from "../../../services/monitors/checks/check.store.ts";
import { recoverChecks, recoverReports } from "../../../services/monitors/recovery-sweep.ts";
import { newId } from "../../../shared/ids.ts";
import type { MonitorTestContext } from "../../support/contexts/monitor-context.ts";
import { MAIN_DATABASES } from "../../support/databases/databases.ts";
import { type MonitorDriver, useMonitors } from "../../support/drivers/monitor-driver.ts";
import { until } from "../../support/drivers/until.ts";

for (const database of MAIN_DATABASES) {
  describe(`Recovery of checks on ${database.name}`, () => {
    let context: MonitorTestContext;
    let driver: MonitorDriver;
    useMonitors(database, (started, itsDriver) => {
      [context, driver] = [started, itsDriver];
    });

    it("submits a check that was started and not submitted, once", async () => {
      const admin = context.team();
      const { id } = await context.create(admin);
      await driver.makeDue(id, "10 years");
      // Like a node that stops before it submits the run.
      const [check] = await startDueChecks(context.monitors.em(), [newId("chk")]);
      assert.equal(check?.monitorId, id);
      await recoverChecks(context.monitors);
      assert.deepEqual(await driver.runsOf(admin), [], "it may be about to be submitted");
      await driver.ageChecks(id, "1 minute");
      await Promise.all([recoverChecks(context.monitors), recoverChecks(context.monitors)]);
      assert.equal((await context.ended(admin, id, check?.id ?? "")).outcome, "established");
      assert.deepEqual(
        (await driver.runsOf(admin)).map(run => run.id),
        [check?.runId],
      );
    });

    it("reports the other monitors if one report fails", async () => {
      const admin = context.team();
      const ids = [(await context.create(admin)).id, (await context.create(admin)).id];
      const [failingMonitor = "", fine = ""] = ids;
      context.alerts.isAway = true;
      for (const id of ids) await context.check(admin, id);
      await until(() => context.alerts.refused >= ids.length);
      for (const id of ids) await driver.ageChecks(id, "1 minute");
      Object.assign(context.alerts, { isAway: false, failingMonitor });
      await recoverReports(context.monitors);
      assert.deepEqual([context.alerts.of(failingMonitor), context.alerts.of(fine)], [[], ["ok"]]);
      Object.assign(context.alerts, { failingMonitor: null, refused: 0 });
    });

    it("advances running checks if reports fail", async () => {
      const admin = context.team();
      context.alerts.isAway = true;
      const { refused } = context.alerts;
      for (let told = 0; told < 2; told += 1) {
        const { id } = await context.create(admin);
        await context.check(admin, id);
        await until(() => context.alerts.refused > refused + told);
        await driver.ageChecks(id, "1 minute");
      }
      const { id } = await context.create(admin);
      await driver.makeDue(id, "10 years");
      const [check] = await startDueChecks(context.monitors.em(), [newId("chk")]);
      assert.equal(check?.monitorId, id);
      await driver.ageChecks(id, "1 minute");
      await recoverChecks(context.monitors);
      await assert.rejects(recoverReports(context.monitors), /No alerts today/);
      assert.equal((await context.ended(admin, id, check?.id ?? "")).outcome, "established");
      Object.assign(context.alerts, { isAway: false });
    });

    it("reports a check whose report failed, once", async () => {
      const admin = context.team();
      const { id } = await context.create(admin);
      context.alerts.isAway = true;
      const { outcome, id: checkId } = await context.check(admin, id);
      assert.equal(outcome, "established");
      await until(() => context.alerts.refused > 0);
      await driver.ageChecks(id, "1 minute");
      context.alerts.isAway = false;
      await recoverReports(context.monitors);
      await recoverReports(context.monitors);
      assert.deepEqual(
        context.alerts.reports.filter(report => report.monitor.id === id).map(report => report.checkId),
        [checkId],
      );
    });

    /** Runs three checks: unchanged, changed while reports fail, and unchanged. Returns the reports. */
    const missed = async (route: string, meanwhile: (id: string) => Promise<unknown>) => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: [route] });
      await context.check(admin, id);
      await until(() => context.alerts.of(id).length === 1);
      context.alerts.isAway = true;
      driver.show(`https://example.com${route}@1280`, "different");
      const { refused } = context.alerts;
      await context.check(admin, id);
      await until(() => context.alerts.refused > refused);
      context.alerts.isAway = false;
      driver.show(`https://example.com${route}@1280`, "as ever");
      await meanwhile(id);
      await context.check(admin, id);
      await until(() => context.alerts.of(id).at(-1) === "ok" && context.alerts.of(id).length > 1);
      await driver.waitUntilReported(id);
      await driver.ageChecks(id, "1 minute");
      await recoverReports(context.monitors);
      return context.alerts.of(id);
    };

    it("reports earlier checks before later ones", async () => {
      assert.deepEqual(await missed("/late", async () => {}), ["ok", "changed /late@1280", "ok"]);
    });

    it("drops reports that are an hour late after a later check", async () => {
      assert.deepEqual(await missed("/later", id => driver.ageChecks(id, "61 minutes")), ["ok", "ok"]);
    });

    it("reports the last result, however late, if later checks failed", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: ["/last"] });
      await context.check(admin, id);
      await until(() => context.alerts.of(id).length === 1);
      context.alerts.isAway = true;
      driver.show("https://example.com/last@1280", "different");
      const { refused } = context.alerts;
      await context.check(admin, id);
      await until(() => context.alerts.refused > refused);
      await driver.ageChecks(id, "61 minutes");
      driver.show("https://example.com/last@1280", { blame: "service", reason: "No browser." });
      const refusedBefore = context.alerts.refused;
      assert.equal((await context.check(admin, id)).outcome, "failed");
      // Its end also reports the earlier check. Otherwise that report would overlap with the recovery sweep.
      await until(() => context.alerts.refused > refusedBefore);
      context.alerts.isAway = false;
      await driver.ageChecks(id, "1 minute");
      await recoverReports(context.monitors);
      assert.deepEqual(context.alerts.of(id), ["ok", "changed /last@1280"]);
    });

    it("advances a check whose event was lost, retries a lost run once, and ends overdue checks", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: ["/quiet"] });
      const { id: checkId, runId } = await context.check(admin, id);
      const reopen = () => driver.reopenCheck(checkId);
      const approvals = () =>
        context.noted.filter(({ type, target }) => type === "run.approved" && target === runId);
      await until(() => approvals().length === 1);
      await reopen();
      await driver.ageChecks(id, "1 minute");
      await recoverChecks(context.monitors);
      assert.equal((await context.ended(admin, id, checkId)).outcome, "established");
      assert.equal(approvals().length, 1, "nothing was said that had not been said");
      const lose = async () => {
        await reopen();
        await driver.loseRun(checkId);
        await driver.ageChecks(id, "1 minute");
        await recoverChecks(context.monitors);
        return context.ended(admin, id, checkId);
      };
      assert.equal((await lose()).outcome, "ok");
      assert.match((await lose()).error ?? "", /deleted/);
      await reopen();
      await driver.ageChecks(id, "2 hours");
      await recoverChecks(context.monitors);
      assert.match((await context.ended(admin, id, checkId)).error ?? "", /60 minutes/);
      assert.ok(runId);
    });
  });
}
