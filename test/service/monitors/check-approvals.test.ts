import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { noteApproval } from "../../../services/monitors/checks/report-check.ts";
import { startDue } from "../../../services/monitors/checks/start-due.ts";
import type { MonitorTestContext } from "../../support/contexts/monitor-context.ts";
import { MAIN_DATABASES } from "../../support/databases/databases.ts";
import { type MonitorDriver, useMonitors } from "../../support/drivers/monitor-driver.ts";
import { until } from "../../support/drivers/until.ts";

for (const database of MAIN_DATABASES) {
  describe(`Approvals of monitors' changes on ${database.name}`, () => {
    let context: MonitorTestContext;
    let driver: MonitorDriver;
    useMonitors(database, (started, itsDriver) => {
      [context, driver] = [started, itsDriver];
    });

    it("recover the monitor only when all changes are approved in the run itself", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: ["/one", "/two"] });
      await context.check(admin, id);
      driver.show("https://example.com/one@1280", "new look");
      driver.show("https://example.com/two@1280", { blame: "page", reason: "It answered 500." }, "new look");
      const check = await context.check(admin, id);
      assert.equal(check.outcome, "changed");
      await until(() => context.alerts.of(id).length === 2);
      const first = check.id.replace("chk_", "run_");
      assert.notEqual(check.runId, first);
      await noteApproval(context.monitors, check.runId);
      const stands = async () => [(await context.get(admin, id)).status, context.alerts.of(id).length];
      assert.deepEqual(await stands(), ["changed", 2], "nobody has approved anything");
      await context.ask("runs.approve", { runId: first }, admin);
      await until(() => driver.isDue(id));
      assert.deepEqual(await stands(), ["changed", 2], "there /two failed");
      await context.ask("runs.approve", { runId: check.runId }, admin);
      await until(async () => (await context.get(admin, id)).status === "ok");
    });

    it("keep a rejection of a first screenshot until it is dismissed", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: ["/ugly", "/fine"] });
      const { runId } = await context.check(admin, id);
      const { data } = await context.ask("runs.screenshots", { runId, query: { limit: 100 } }, admin);
      const ugly = data.filter(({ route }) => route === "/ugly").map(shot => shot.id);
      await context.ask("runs.reject", { runId, screenshots: ugly, reason: "No." }, admin);
      for (let times = 0; times < 2; times += 1) {
        const check = await context.check(admin, id);
        assert.equal(check.outcome, "failed");
        assert.match(check.error ?? "", /rejected the first screenshot of \/ugly at 1280 px/);
      }
      await driver.waitUntilReported(id);
      assert.deepEqual(context.alerts.of(id), ["ok"]);
      await context.ask("runs.dismiss", { runId, reason: "Well.", own: false }, admin);
      assert.equal((await context.check(admin, id)).outcome, "established");
    });

    it("schedule a check at once when an earlier check's change is approved", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: ["/alerted"] });
      await context.check(admin, id);
      driver.show("https://example.com/alerted@1280", "new look");
      const { runId } = await context.check(admin, id);
      assert.equal((await context.check(admin, id)).outcome, "changed");
      await context.ask("runs.approve", { runId }, admin);
      await until(() => driver.isDue(id));
      await startDue(context.monitors);
      await until(async () => (await context.get(admin, id)).status === "ok");
    });

    for (const [which, route] of [
      ["the last check", "/approved"],
      ["an earlier one", "/approved-late"],
    ] as const)
      it(`restart a running check when the change of ${which} is approved`, async () => {
        const admin = context.team();
        const { id } = await context.create(admin, { routes: [route] });
        const page = `https://example.com${route}@1280`;
        await context.check(admin, id);
        driver.show(page, "new look");
        const found = await context.check(admin, id);
        if (which !== "the last check") assert.equal((await context.check(admin, id)).outcome, "changed");
        const told = (await driver.checksOf(admin, id)).length;
        await until(() => context.alerts.of(id).length === told);
        const approve = async () => {
          await context.ask("runs.approve", { runId: found.runId }, admin);
          return "new look, a moment later";
        };
        driver.show(page, "new look, a moment later", approve, "new look");
        const check = await context.check(admin, id);
        assert.deepEqual([check.outcome, check.attempts], ["ok", 3]);
        assert.equal((await context.ask("runs.get", { id: check.runId }, admin)).conclusion, "passed");
        await until(() => context.alerts.of(id).length > told && context.alerts.of(id).at(-1) === "ok");
        assert.ok(
          !context.alerts
            .of(id)
            .slice(told)
            .some(report => report !== "ok"),
        );
        assert.equal((await context.get(admin, id)).status, "ok");
      });

    it("restart a running check when its own first run is approved during the confirmation", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: ["/quick"] });
      await context.check(admin, id);
      const approve = async () => {
        const [under] = await driver.checksOf(admin, id);
        await context.ask("runs.approve", { runId: under?.id.replace("chk_", "run_") ?? "" }, admin);
        return "new look, a moment later";
      };
      driver.show("https://example.com/quick@1280", "new look", approve, "new look");
      const check = await context.check(admin, id);
      assert.deepEqual([check.outcome, check.attempts], ["ok", 3]);
      await until(() => context.alerts.of(id).length === 2);
      assert.deepEqual(context.alerts.of(id), ["ok", "ok"]);
    });

    /** Creates a changed monitor whose check took three attempts. Returns its runs. */
    const lookedThrice = async (name: string) => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: [`/${name}-stays`, `/${name}-wavers`] });
      await context.check(admin, id);
      driver.show(`https://example.com/${name}-stays@1280`, "new look");
      driver.show(
        `https://example.com/${name}-wavers@1280`,
        { blame: "page", reason: "It answered 500." },
        "new look",
      );
      const check = await context.check(admin, id);
      assert.deepEqual([check.outcome, check.attempts], ["changed", 3]);
      await until(() => context.alerts.of(id).length === 2);
      const first = check.id.replace("chk_", "run_");
      const runs = (await driver.runsOf(admin)).map(run => run.id).slice(0, 3);
      const middle = runs.find(run => run !== first && run !== check.runId) ?? "";
      // A new monitor is due within a minute.
      await driver.makeDue(id, "-50 minutes");
      return { admin, id, check, middle };
    };

    it("schedule a check at once when the second of three runs is approved", async () => {
      const { admin, id, middle } = await lookedThrice("middle");
      await context.ask("runs.approve", { runId: middle }, admin);
      await until(() => driver.isDue(id));
    });

    it("schedule a check at once if the recovery can't be reported", async () => {
      const { admin, id, check } = await lookedThrice("untold");
      context.alerts.isAway = true;
      const { refused } = context.alerts;
      try {
        await context.ask("runs.approve", { runId: check.runId }, admin);
        await until(() => driver.isDue(id));
        assert.ok(context.alerts.refused > refused);
        assert.equal((await context.get(admin, id)).status, "changed");
      } finally {
        context.alerts.isAway = false;
      }
      await startDue(context.monitors);
      await until(async () => (await context.get(admin, id)).status === "ok");
      await until(() => context.alerts.of(id).length === 3);
      assert.equal(context.alerts.of(id).at(-1), "ok");
    });
  });
}
