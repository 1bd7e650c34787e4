import assert from "node:assert/strict";
import type { EntityManager } from "../../../mixins/database.ts";
import { CheckEntity } from "../../../services/monitors/checks/check.entity.ts";
import { Names } from "../../../services/monitors/migrations/2026-11-29-names.ts";
import { migrations } from "../../../services/monitors/migrations/index.ts";
import { MonitorEntity } from "../../../services/monitors/settings/monitor.entity.ts";
import { findTeam } from "../../../services/monitors/settings/team.store.ts";
import { describeMigration } from "../../support/databases/describe-migration.ts";
import { readCatalog, revertFrom, revertMigration } from "../../support/databases/revert-migration.ts";

const RESULT = { route: "/", viewport: 1280, state: "changed", ratio: 0.5 };

async function insertTeam(em: EntityManager, readAt: "asked_at" | "plan_read_at"): Promise<void> {
  await em.execute(
    `insert into monitors.team (id, plan, monitor_limit, scheduled, retention_days, ${readAt}, pruned_at)
     values ('team_1', 'business', null, true, 90, now(), now())`,
  );
}

/** Inserts a team, a monitor and a running check as the version before stored them. */
async function insertOldRows(em: EntityManager): Promise<void> {
  await insertTeam(em, "asked_at");
  await em.execute(
    `insert into monitors.monitor (id, team_id, name, url, routes, viewports, interval_minutes, alert_threshold,
       channels, paused, phase, generation, status, look, checks_up, checks_down, check_id, created_by, created_at)
     values ('mon_1', 'team_1', 'Shop', 'https://example.com', '["/"]', '[1280]', 60, 0.02, '{}', false, 0, 1, 'changed',
       'digest', 1, 0, 'chk_1', 'key_1', now())`,
  );
  await em.execute(
    `insert into monitors.check (id, monitor_id, team_id, kind, target, attempt, run_id, latest_run_id, looks, started_at,
       touched_at, drift, regressions)
     values ('chk_1', 'mon_1', 'team_1', 'manual', '{}', 2, 'run_1', 'run_2', ?::jsonb, now(), now(), '[]', '[]')`,
    [JSON.stringify([[RESULT]])],
  );
}

describeMigration(
  "Monitors of an earlier version",
  {
    schema: "monitors",
    entities: [MonitorEntity, CheckEntity],
    migrations,
    name: "-names",
    seed: insertOldRows,
  },
  schema => {
    it("keep their values under the new column names", async () => {
      await schema.migrate();
      const check = await schema.em().findOneOrFail(CheckEntity, { id: "chk_1" });
      assert.deepEqual(check.attemptResults, [[RESULT]]);
      const monitor = await schema.em().findOneOrFail(MonitorEntity, { id: "mon_1" });
      assert.equal(monitor.changedDigest, "digest");
      assert.equal((await findTeam(schema.em(), "team_1"))?.plan, "business");
    });

    it("lose only what they gained when the later migrations are undone", async () => {
      const before = await readCatalog(schema.em(), "monitors");
      await revertFrom(schema.em(), migrations, "-availability");
      const after = new Set(await readCatalog(schema.em(), "monitors"));
      const gained =
        /availability|maintenance|status_page|certificate|tags|badge|last_result|scheduled_since|unchecked|idempotency_key|body_digest|http|regions|agree/;
      const lost = before.filter(name => !after.has(name));
      assert.deepEqual(
        lost.filter(name => !gained.test(name)),
        [],
      );
      assert.deepEqual(
        [...after].filter(name => gained.test(name)),
        [],
      );
    });

    it("get the old names back when the migration is undone", async () => {
      await revertMigration(schema.em(), Names);
      const [row] = await schema.em().execute(
        `select c.looks, m.look, t.asked_at is not null as asked from monitors.check c
           join monitors.monitor m on m.id = c.monitor_id join monitors.team t on t.id = c.team_id`,
      );
      assert.deepEqual({ ...row }, { looks: [[RESULT]], look: "digest", asked: true });
    });
  },
);

/** A monitor whose URL was changed an hour ago, with a check of each URL. */
async function insertMovedMonitor(em: EntityManager): Promise<void> {
  await insertTeam(em, "plan_read_at");
  await em.execute(
    `insert into monitors.monitor (id, team_id, name, url, routes, viewports, interval_minutes, alert_threshold,
       channels, paused, phase, generation, status, checks_up, checks_down, created_by, created_at)
     values ('mon_1', 'team_1', 'Shop', 'https://example.com', '["/"]', '[1280]', 60, 0.02, '{}', false, 0, 2, 'ok',
       1, 1, 'key_1', now())`,
  );
  for (const [id, project, outcome, downRoutes] of [
    ["chk_1", "monitor/mon_1", "down", ["/"]],
    ["chk_2", "monitor/mon_1/2", "ok", []],
  ])
    await em.execute(
      `insert into monitors.check (id, monitor_id, team_id, kind, target, attempt, run_id, latest_run_id,
         attempt_results, started_at, touched_at, ended_at, outcome, drift, regressions, down_routes)
       values (?, 'mon_1', 'team_1', 'manual', ?::jsonb, 1, 'run_1', 'run_1', '[]', now(), now(), now(), ?, ?::jsonb,
         '[]', ?::jsonb)`,
      [
        ...[id, JSON.stringify({ project }), outcome, JSON.stringify([{ ...RESULT, state: "unchanged" }])],
        JSON.stringify(downRoutes),
      ],
    );
}

describeMigration(
  "The uptime of monitors of an earlier version",
  {
    schema: "monitors",
    entities: [MonitorEntity, CheckEntity],
    migrations,
    name: "-availability",
    seed: insertMovedMonitor,
  },
  schema => {
    it("has the checks of their current URL, as later checks are counted", async () => {
      await schema.migrate();
      const sums = await schema
        .em()
        .execute("select unit, route, up, down, generation from monitors.availability order by unit, route");
      const expected = ["day", "hour"].flatMap(unit =>
        ["", "/"].map(route => ({ unit, route, up: 1, down: 0, generation: 2 })),
      );
      assert.deepEqual(
        sums.map((row: object) => ({ ...row })),
        expected,
      );
    });
  },
);

describeMigration(
  "The number of checks of an earlier version",
  {
    schema: "monitors",
    entities: [MonitorEntity, CheckEntity],
    migrations,
    name: "-maintenance-uptime",
    async seed(em) {
      await insertMovedMonitor(em);
      await em.execute("update monitors.check set in_maintenance = true where outcome = 'down'");
    },
  },
  schema => {
    it("leaves out those in maintenance", async () => {
      await schema.migrate();
      const [row] = await schema
        .em()
        .execute("select checks_up as up, checks_down as down from monitors.monitor");
      assert.deepEqual({ ...row }, { up: 1, down: 0 });
    });
  },
);
