import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { startDue } from "../../../services/monitors/checks/start-due.ts";
import { advanceWindows } from "../../../services/monitors/maintenance/manage-maintenance.ts";
import { cleanUpTeams, pruneChecks } from "../../../services/monitors/recovery-sweep.ts";
import { deleteTeamData } from "../../../services/monitors/settings/delete-monitor.ts";
import {
  type CreateMaintenanceInput,
  createMaintenanceBody,
  MAINTENANCE_BOUNDS,
} from "../../../shared/contracts/monitors/maintenance.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { newId } from "../../../shared/ids.ts";
import type { MonitorTestContext } from "../../support/contexts/monitor-context.ts";
import { MAIN_DATABASES } from "../../support/databases/databases.ts";
import { type MonitorDriver, useMonitors } from "../../support/drivers/monitor-driver.ts";
import { until } from "../../support/drivers/until.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

for (const database of MAIN_DATABASES)
  describe(`Maintenance windows on ${database.name}`, () => {
    let context: MonitorTestContext;
    let driver: MonitorDriver;
    useMonitors(database, (started, itsDriver) => {
      [context, driver] = [started, itsDriver];
    });

    /** Plans a window from an hour ago until in an hour. */
    const plan = (caller: Caller, own: Partial<CreateMaintenanceInput> = {}) =>
      context.ask(
        "monitors.createMaintenance",
        {
          id: newId("mtn"),
          body: createMaintenanceBody.parse({
            title: "Upgrade",
            schedule: {
              kind: "once",
              from: new Date(Date.now() - HOUR_MS).toISOString(),
              until: new Date(Date.now() + HOUR_MS).toISOString(),
            },
            ...own,
          }),
        },
        caller,
      );
    const list = async (caller: Caller) =>
      (await context.ask("monitors.listMaintenance", { query: { limit: 20 } }, caller)).data;
    const makeDue = (id: string) =>
      context.sql("update monitors.monitor set next_at = now() where id = ?", [id]);
    const hasCheck = async (caller: Caller, id: string) =>
      (await context.get(caller, id)).currentCheck !== null ||
      (await context.get(caller, id)).lastCheck !== null;

    it("pause scheduled checks of their monitors until they end", async () => {
      const admin = context.team();
      const [paused, other] = [await context.create(admin), await context.create(admin)];
      const { id } = await plan(admin, { monitors: [paused.id] });
      for (const monitor of [paused, other]) await makeDue(monitor.id);
      await startDue(context.monitors);
      assert.deepEqual([await hasCheck(admin, paused.id), await hasCheck(admin, other.id)], [false, true]);
      const { maintenance } = await context.get(admin, paused.id);
      assert.deepEqual([maintenance?.title, maintenance?.mode], ["Upgrade", "pause"]);
      await context.ask("monitors.endMaintenance", { id }, admin);
      assert.deepEqual(await list(admin), []);
      await startDue(context.monitors);
      assert.equal(await hasCheck(admin, paused.id), true);
    });

    it("keep checks silent, and out of the uptime", async () => {
      const admin = context.team();
      const { id } = await context.create(admin);
      const url = "https://example.com/@1280";
      context.shows.set(url, ["as ever", "other"]);
      await context.check(admin, id);
      await plan(admin, { mode: "quiet" });
      const counts = async () => {
        const sql = "select checks_up as up, checks_down as down from monitors.monitor where id = ?";
        return (await context.sql<{ up: number; down: number }>(sql, [id]))[0];
      };
      await makeDue(id);
      await startDue(context.monitors);
      const { currentCheck, lastCheck } = await context.get(admin, id);
      const check = await context.ended(admin, id, currentCheck?.id ?? lastCheck?.id ?? "");
      assert.deepEqual([check.outcome, check.maintenance], ["changed", true]);
      assert.deepEqual(context.alerts.of(id), ["ok"]);
      assert.equal((await context.get(admin, id)).availability.day.checks, 1);
      assert.deepEqual(await counts(), { up: 1, down: 0 });
      await driver.ageChecks(id, "91 days");
      await driver.agePruning(admin.teamId, "2 hours");
      await pruneChecks(context.monitors);
      assert.deepEqual([await counts(), await driver.hasChecks(id)], [{ up: 0, down: 0 }, false]);
      const { maintenance } = await context.ask("monitors.drift", { id, query: { days: 1 } }, admin);
      assert.deepEqual(
        maintenance.map(({ title }) => title),
        ["Upgrade"],
      );
      // It started before the window was planned, so that much is not shown.
      assert.ok(Date.parse(maintenance[0]?.from ?? "") > Date.now() - HOUR_MS);
    });

    it("delay the recovery of an approved change until the first check after them", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: ["/approved"] });
      await context.check(admin, id);
      driver.show("https://example.com/approved@1280", "new look");
      const { runId } = await context.check(admin, id);
      await until(() => context.alerts.of(id).length === 2);
      const window = await plan(admin, { mode: "quiet" });
      await context.ask("runs.approve", { runId }, admin);
      await until(async () => (await context.get(admin, id)).status === "ok");
      assert.deepEqual(context.alerts.of(id), ["ok", "changed /approved@1280"]);
      await context.ask("monitors.endMaintenance", { id: window.id }, admin);
      await context.check(admin, id);
      await until(() => context.alerts.of(id).length === 3);
      assert.equal(context.alerts.of(id).at(-1), "ok");
    });

    it("stay if they were planned before the team has monitors, until the team is deleted", async () => {
      const admin = context.team();
      await plan(admin);
      const cleanUp = async () => {
        await driver.agePlan(admin.teamId, "2 hours");
        await cleanUpTeams(context.monitors);
        await pruneChecks(context.monitors);
      };
      await cleanUp();
      await cleanUp();
      assert.equal((await list(admin)).length, 1);
      context.gone.add(admin.teamId);
      await cleanUp();
      assert.equal((await list(admin)).length, 0);
      await cleanUp();
      assert.equal(await driver.readPlanState(admin.teamId), "missing");
    });

    it("are deleted with their team", async () => {
      const admin = context.team();
      await plan(admin);
      context.gone.add(admin.teamId);
      await deleteTeamData(context.monitors, admin.teamId);
      assert.equal((await list(admin)).length, 0);
    });

    it("repeat, and end after their last occurrence", async () => {
      const admin = context.team();
      const once = await plan(admin);
      const weekly = await plan(admin, {
        schedule: {
          ...{ kind: "weekly", weekdays: [0, 1, 2, 3, 4, 5, 6], start: "03:00" },
          ...{ durationMinutes: 30, timeZone: "Europe/Vienna" },
        },
      });
      await context.sql(
        `update monitors.maintenance set next_from = now() - interval '3 hours', next_until = now() - interval '2 hours',
           schedule = case when id = ? then jsonb_set(schedule, '{until}', '"2026-01-01T00:00:00Z"') else schedule end
         where id in (?, ?)`,
        [once.id, once.id, weekly.id],
      );
      await Promise.all([advanceWindows(context.monitors), advanceWindows(context.monitors)]);
      const [left, ...more] = await list(admin);
      assert.deepEqual([left?.id, more.length], [weekly.id, 0]);
      assert.deepEqual(left?.next, weekly.next);
    });

    it("leave no time for checks between two days in a row", async () => {
      const admin = context.team();
      const end = new Date(Math.ceil((Date.now() + MINUTE_MS / 2) / MINUTE_MS) * MINUTE_MS);
      const days = {
        ...{
          kind: "weekly" as const,
          weekdays: [0, 1, 2, 3, 4, 5, 6],
          start: end.toISOString().slice(11, 16),
        },
        ...{ durationMinutes: 1_440, timeZone: "UTC" },
      };
      const { id, next } = await plan(admin, { schedule: days });
      const apart = await plan(admin, { schedule: { ...days, durationMinutes: 1_380 } });
      assert.equal(next?.until, end.toISOString());
      await Promise.all([advanceWindows(context.monitors), advanceWindows(context.monitors)]);
      const windows = new Map((await list(admin)).map(window => [window.id, window.next]));
      const until = new Date(end.getTime() + 24 * HOUR_MS).toISOString();
      assert.deepEqual(windows.get(id), { from: next?.from, until });
      assert.deepEqual(windows.get(apart.id), apart.next, "an hour is between its days");
    });

    it("are created once for a repeated message or idempotency key, also at the limit", async () => {
      const admin = context.team();
      const body = createMaintenanceBody.parse({
        title: "Upgrade",
        schedule: {
          ...{ kind: "weekly", weekdays: [1], start: "03:00" },
          ...{ durationMinutes: 30, timeZone: "Europe/Vienna" },
        },
      });
      const create = (own: { id?: string; idempotencyKey?: string; title?: string }, caller = admin) => {
        const { title = body.title, id = newId("mtn"), idempotencyKey } = own;
        const request = { id, body: { ...body, title }, idempotencyKey };
        return context.ask("monitors.createMaintenance", request, caller);
      };
      const idempotencyKey = "deploy-1";
      const [one, two] = await Promise.all([create({ idempotencyKey }), create({ idempotencyKey })]);
      assert.equal(one.id, two.id);
      await context.sql(
        `insert into monitors.maintenance (id, team_id, title, mode, schedule, next_from, next_until, created_by)
         select id || '_' || n, team_id, title, mode, schedule, next_from, next_until, created_by
         from monitors.maintenance, generate_series(2, ${MAINTENANCE_BOUNDS.windows}) n where id = ?`,
        [one.id],
      );
      await assert.rejects(create({}), { code: 409 });
      assert.equal((await create({ idempotencyKey })).id, one.id);
      assert.equal((await create({ id: one.id })).id, one.id);
      await assert.rejects(create({ idempotencyKey, title: "Other" }), { code: 422 });
      assert.notEqual((await create({ idempotencyKey }, context.team())).id, one.id);
    });

    it("refuse what is over, and monitors of other teams, and end only for their team", async () => {
      const [admin, other] = [context.team(), context.team()];
      const { id: theirs } = await context.create(other);
      const over = { from: "2026-01-01T00:00:00Z", until: "2026-01-01T01:00:00Z" };
      const refused = (own: Partial<CreateMaintenanceInput>, path: string) =>
        assert.rejects(plan(admin, own), (error: { data?: { errors?: { path: string }[] } }) => {
          assert.equal(error.data?.errors?.[0]?.path, path);
          return true;
        });
      await refused({ schedule: { kind: "once", ...over } }, "schedule.until");
      await refused({ monitors: [theirs] }, "monitors.0");
      const { id } = await plan(other);
      await assert.rejects(context.ask("monitors.endMaintenance", { id }, admin), { code: 404 });
      assert.equal((await list(other)).length, 1);
      assert.equal((await list(admin)).length, 0);
    });
  });
