import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { checkCertificates } from "../../../services/monitors/certificates/check-certificates.ts";
import { reportUnchecked } from "../../../services/monitors/heartbeat/report-unchecked.ts";
import type { MaintenanceMode } from "../../../shared/contracts/monitors/maintenance.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { newId } from "../../../shared/ids.ts";
import type { MonitorTestContext } from "../../support/contexts/monitor-context.ts";
import { MAIN_DATABASES } from "../../support/databases/databases.ts";
import { useMonitors } from "../../support/drivers/monitor-driver.ts";
import { TlsSite } from "../../support/servers/http/tls-site.ts";

for (const database of MAIN_DATABASES)
  describe(`What monitors report besides their pages, on ${database.name}`, () => {
    let context: MonitorTestContext;
    useMonitors(database, started => {
      context = started;
    });

    /** Makes a monitor look as if it had no result for hours. */
    const age = (id: string, hours: number) =>
      context.sql(
        `update monitors.monitor set last_result_at = now() - make_interval(hours => ?), created_at = now() - interval '9 days',
           scheduled_since = now() - interval '9 days' where id = ?`,
        [hours, id],
      );
    /** Returns a window for all monitors that begins in some hours, and lasts two. */
    const windowOf = (mode: MaintenanceMode, inHours: number) => {
      const [from = "", until = ""] = [inHours, inHours + 2].map(hours =>
        new Date(Date.now() + hours * 3_600_000).toISOString(),
      );
      const schedule = { kind: "once" as const, from, until };
      return { id: newId("mtn"), body: { title: "Upgrade", monitors: null, mode, schedule } };
    };
    const reportsOf = ({ teamId }: Caller) =>
      context.alerts.conditions
        .filter(({ monitors }) => monitors[0]?.teamId === teamId)
        .map(({ kind, monitors }) => `${kind} ${monitors.length}`);

    it("is one message for all unchecked monitors, and one when all are checked again", async () => {
      const admin = context.team();
      const ids: string[] = [];
      for (let made = 0; made < 3; made += 1) ids.push((await context.create(admin)).id);
      for (const id of ids) await age(id, 3);
      await reportUnchecked(context.monitors);
      assert.deepEqual(reportsOf(admin), [], "three intervals and the grace have not passed");
      for (const id of ids) await age(id, 4);
      context.alerts.isAway = true;
      await reportUnchecked(context.monitors).catch(() => {});
      context.alerts.isAway = false;
      await reportUnchecked(context.monitors);
      await reportUnchecked(context.monitors);
      assert.deepEqual(reportsOf(admin), ["unchecked 3"]);
      for (const id of ids.slice(1)) await context.check(admin, id);
      await reportUnchecked(context.monitors);
      assert.deepEqual(reportsOf(admin), ["unchecked 3"]);
      await context.check(admin, ids[0] ?? "");
      await reportUnchecked(context.monitors);
      await reportUnchecked(context.monitors);
      assert.deepEqual(reportsOf(admin), ["unchecked 3", "checked 3"]);
    });

    it("waits for the end of a snooze, and isn't sent if they are checked by then", async () => {
      const admin = context.team();
      const { id } = await context.create(admin);
      const snoozed = async (hours: number) => {
        await age(id, hours);
        context.alerts.isSnoozed = true;
        await reportUnchecked(context.monitors);
        context.alerts.isSnoozed = false;
      };
      await snoozed(4);
      await context.check(admin, id);
      await reportUnchecked(context.monitors);
      assert.deepEqual(reportsOf(admin), [], "nobody heard that it was unchecked");
      await snoozed(4);
      await reportUnchecked(context.monitors);
      assert.deepEqual(reportsOf(admin), ["unchecked 1"]);
      await context.check(admin, id);
      context.alerts.isSnoozed = true;
      await reportUnchecked(context.monitors);
      context.alerts.isSnoozed = false;
      await reportUnchecked(context.monitors);
      await reportUnchecked(context.monitors);
      assert.deepEqual(reportsOf(admin), ["unchecked 1", "checked 1"], "its incident would stay open");
    });

    it("ends although the answer to its report was lost", async () => {
      const admin = context.team();
      const { id } = await context.create(admin);
      await age(id, 4);
      context.alerts.losesAnswers = true;
      await reportUnchecked(context.monitors);
      context.alerts.losesAnswers = false;
      await context.check(admin, id);
      await reportUnchecked(context.monitors);
      await reportUnchecked(context.monitors);
      assert.deepEqual(reportsOf(admin), ["unchecked 1", "checked 1"]);
    });

    it("is sent about the others once all monitors that it names are deleted", async () => {
      const admin = context.team();
      const [named, deleted, other] = [
        await context.create(admin),
        await context.create(admin),
        await context.create(admin),
      ];
      for (const { id } of [named, deleted]) await age(id, 4);
      await reportUnchecked(context.monitors);
      await age(other.id, 4);
      await context.ask("monitors.delete", { id: deleted.id }, admin);
      await reportUnchecked(context.monitors);
      assert.deepEqual(reportsOf(admin), ["unchecked 2"], "its incident stays with the named one");
      await context.ask("monitors.delete", { id: named.id }, admin);
      await reportUnchecked(context.monitors);
      assert.deepEqual(reportsOf(admin), ["unchecked 2", "unchecked 1"]);
      await context.check(admin, other.id);
      await reportUnchecked(context.monitors);
      assert.deepEqual(reportsOf(admin), ["unchecked 2", "unchecked 1", "checked 1"]);
    });

    it("says that no checks are due, not that they have results, after a pause", async () => {
      const admin = context.team();
      const [paused, checked] = [
        await context.create(admin, { name: "Blog" }),
        await context.create(admin, { name: "Shop" }),
      ];
      for (const { id } of [paused, checked]) await age(id, 4);
      await reportUnchecked(context.monitors);
      await context.ask("monitors.change", { id: paused.id, body: { paused: true } }, admin);
      await context.check(admin, checked.id);
      await reportUnchecked(context.monitors);
      assert.equal(context.alerts.conditions.at(-1)?.title, "Shop is checked again");
      await age(checked.id, 4);
      await reportUnchecked(context.monitors);
      await context.ask("monitors.change", { id: checked.id, body: { paused: true } }, admin);
      await reportUnchecked(context.monitors);
      assert.equal(context.alerts.conditions.at(-1)?.title, "No check of Shop is due");
    });

    it("doesn't end with maintenance that never stopped checks", async () => {
      const admin = context.team();
      const { id } = await context.create(admin);
      await age(id, 9);
      await reportUnchecked(context.monitors);
      for (const window of [windowOf("quiet", -1), windowOf("pause", 1)]) {
        await context.ask("monitors.createMaintenance", window, admin);
        await context.ask("monitors.endMaintenance", { id: window.id }, admin);
        await reportUnchecked(context.monitors);
      }
      assert.deepEqual(reportsOf(admin), ["unchecked 1"]);
    });

    it("waits for the end of silent maintenance", async () => {
      const admin = context.team();
      const { id } = await context.create(admin);
      const plan = async () => {
        const window = windowOf("quiet", -1);
        await context.ask("monitors.createMaintenance", window, admin);
        return () => context.ask("monitors.endMaintenance", { id: window.id }, admin);
      };
      const endFirst = await plan();
      await age(id, 9);
      await reportUnchecked(context.monitors);
      assert.deepEqual(reportsOf(admin), []);
      await endFirst();
      await reportUnchecked(context.monitors);
      assert.deepEqual(reportsOf(admin), ["unchecked 1"]);
      const endSecond = await plan();
      await reportUnchecked(context.monitors);
      await context.check(admin, id);
      await reportUnchecked(context.monitors);
      assert.deepEqual(reportsOf(admin), ["unchecked 1"]);
      await endSecond();
      await reportUnchecked(context.monitors);
      assert.deepEqual(reportsOf(admin), ["unchecked 1", "checked 1"]);
    });

    it("isn't about paused monitors, or those in maintenance", async () => {
      const admin = context.team();
      const [paused, maintained] = [await context.create(admin), await context.create(admin)];
      for (const { id } of [paused, maintained]) await age(id, 9);
      await context.ask("monitors.change", { id: paused.id, body: { paused: true } }, admin);
      const { id } = await context.ask("monitors.createMaintenance", windowOf("pause", -1), admin);
      await reportUnchecked(context.monitors);
      assert.deepEqual(reportsOf(admin), []);
      // The wait for results starts again.
      await context.ask("monitors.endMaintenance", { id }, admin);
      await context.ask("monitors.change", { id: paused.id, body: { paused: false } }, admin);
      await reportUnchecked(context.monitors);
      assert.deepEqual(reportsOf(admin), []);
    });

    it("is a certificate that expires soon, once for each threshold, and its renewal", async () => {
      const admin = context.team();
      await using site = await TlsSite.start(10);
      const { id } = await context.create(admin, { name: "Shop", url: site.url });
      const again = async (days?: number) => {
        if (days !== undefined) site.present(days);
        await context.sql(
          "update monitors.certificate set checked_at = now() - interval '1 day' where monitor_id = ?",
          [id],
        );
        await checkCertificates(context.monitors);
      };
      await checkCertificates(context.monitors);
      await again();
      assert.deepEqual(reportsOf(admin), ["certificate 1"]);
      const { certificate } = await context.get(admin, id);
      assert.deepEqual([certificate?.daysLeft, certificate?.error], [9, "DEPTH_ZERO_SELF_SIGNED_CERT"]);
      assert.match(context.alerts.conditions.at(-1)?.title ?? "", /^Shop: certificate expires in 9 days$/);
      await again(200);
      await again();
      assert.deepEqual(reportsOf(admin), ["certificate 1", "renewed 1"]);
      await site.stop();
      await again();
      const gone = (await context.get(admin, id)).certificate;
      assert.match(gone?.error ?? "", /could not be read/);
      assert.equal(gone?.daysLeft, 199);
    });

    it("is the renewal of a certificate, although the answer to its alert was lost", async () => {
      const admin = context.team();
      await using site = await TlsSite.start(10);
      const { id } = await context.create(admin, { name: "Shop", url: site.url });
      const again = async () => {
        await context.sql(
          "update monitors.certificate set checked_at = now() - interval '1 day' where monitor_id = ?",
          [id],
        );
        await checkCertificates(context.monitors);
      };
      context.alerts.losesAnswers = true;
      await checkCertificates(context.monitors);
      context.alerts.losesAnswers = false;
      context.alerts.isSnoozed = true;
      await again();
      context.alerts.isSnoozed = false;
      site.present(200);
      await again();
      await again();
      assert.deepEqual(reportsOf(admin), ["certificate 1", "renewed 1"]);
    });

    it("is the end of a certificate's alert when the monitor moves to another site, also during a snooze", async () => {
      const admin = context.team();
      await using site = await TlsSite.start(10);
      await using other = await TlsSite.start(200);
      const { id } = await context.create(admin, { name: "Shop", url: site.url });
      await checkCertificates(context.monitors);
      context.alerts.isSnoozed = true;
      context.alerts.isAway = true;
      const change = (body: object) => context.ask("monitors.change", { id, body }, admin);
      await change({ url: `${site.url}/shop` });
      await change({ url: other.url });
      await checkCertificates(context.monitors);
      assert.deepEqual(reportsOf(admin), ["certificate 1"], "the alerts service is away");
      context.alerts.isAway = false;
      await checkCertificates(context.monitors);
      await checkCertificates(context.monitors);
      context.alerts.isSnoozed = false;
      assert.deepEqual(reportsOf(admin), ["certificate 1", "renewed 1"]);
      assert.match(context.alerts.conditions.at(-1)?.title ?? "", /certificate no longer checked/);
      assert.equal((await context.get(admin, id)).certificate?.daysLeft, 199);
    });
  });
