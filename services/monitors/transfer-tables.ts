import { z } from "zod";
import { type TableRow, type TeamTable, tableOf, writeTeamRows } from "../../mixins/database/team-rows.ts";
import { type EntityManager, openJson, sealJson, secretsOf } from "../../mixins/database.ts";
import type { Plan } from "../../shared/contracts/billing/usage.ts";
import { type MonitorOptions, monitorOptionsSchema } from "../../shared/contracts/capture/capture-options.ts";
import { literalCredentials } from "../../shared/contracts/capture/literal-credentials.ts";
import type { AlertChannels } from "../../shared/contracts/monitors/alert-actions.ts";
import { CHECK_KINDS, CHECK_OUTCOMES } from "../../shared/contracts/monitors/checks.ts";
import { createMaintenanceBody } from "../../shared/contracts/monitors/maintenance.ts";
import { createMonitorBody } from "../../shared/contracts/monitors/monitors.ts";
import { STATUS_PAGE_BOUNDS, statusPageBody } from "../../shared/contracts/monitors/status-pages.ts";
import type { ImportedRows, ImportRows } from "../../shared/contracts/transfers/transfers.ts";
import type { LeftOut } from "../../shared/transfers/export-manifest.ts";
import { phaseOf } from "./settings/create-monitor.ts";
import { countMonitors } from "./settings/monitor.store.ts";
import { lockTeam } from "./settings/team.store.ts";

const words = (text: string) => text.trim().split(/\s+/);
const OF_MONITOR =
  "t.monitor_id in (select m.id from monitors.monitor m where m.team_id = ? and m.deleted_at is null)";

/** The number of a monitor's URLs. Not even a new one every minute of a year makes more. */
const GENERATION = z.int().min(1).max(1_000_000);

/** A monitor without secrets. An imported one is paused, so that two installations don't watch the same site. */
const MONITOR: TeamTable = {
  table: "monitors.monitor",
  key: ["id"],
  columns:
    words(`id team_id name url routes viewports interval_minutes alert_threshold channels phase generation status
    changed_digest last_change_at checks_up checks_down last_check_id created_by created_at options tags last_result_at
    http regions agree`),
  ofTeam: "t.team_id = ?",
  where: "t.deleted_at is null",
  writes: { paused: "true" },
  values: { status: ["never", "ok", "changed", "down"] },
  open: (em, row) => ({
    ...row,
    channels: emailsOf(openJson<AlertChannels>(secretsOf(em), asObject(row.channels), "alert channels")),
    options: withoutCredentials(optionsOf(em, row)),
  }),
  close(em, row) {
    const { name, url, routes, viewports, interval_minutes, alert_threshold, channels, options, tags } = row;
    const { id, http = null, regions = [], agree = 1 } = row;
    const body = {
      ...{ name, url, routes, viewports, options, tags, http, regions, agree, alerts: channels },
      ...{ intervalMinutes: interval_minutes, alertThreshold: alert_threshold },
    };
    const { success, data } = createMonitorBody.safeParse(body);
    if (!success || !GENERATION.safeParse(row.generation).success) return null;
    return {
      ...row,
      ...{ name: data.name, url: data.url, routes: data.routes, viewports: data.viewports, tags: data.tags },
      ...{ http: data.http, regions: data.regions, agree: data.agree, phase: phaseOf(String(id)) },
      channels: sealJson(secretsOf(em), data.alerts, "alert channels"),
      options: sealJson(secretsOf(em), data.options, "capture options"),
    };
  },
};

function asObject(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}

function optionsOf(em: EntityManager, { options }: TableRow): MonitorOptions {
  const { data = {} } = monitorOptionsSchema.safeParse(
    openJson(secretsOf(em), asObject(options), "capture options"),
  );
  return data;
}

function emailsOf({ email }: AlertChannels): AlertChannels {
  return email === undefined ? {} : { email };
}

/** Leaves out the options that have credentials. References to secrets stay. */
function withoutCredentials(options: MonitorOptions): MonitorOptions {
  const found = literalCredentials(options).map(({ path: [first, route, own] }) => ({ first, route, own }));
  const dropped = new Set(
    found.filter(({ first }) => first !== "perRoute").map(({ first }) => String(first)),
  );
  if (dropped.has("sessions")) dropped.add("session");
  const ofRoutes = new Set(
    found.filter(({ first }) => first === "perRoute").map(({ route, own }) => `${route}\n${own}`),
  );
  const kept = Object.fromEntries(Object.entries(options).filter(([name]) => !dropped.has(name)));
  const perRoute = Object.entries(options.perRoute ?? {}).map(([route, own]) => [
    route,
    Object.fromEntries(
      Object.entries(own).filter(
        ([name]) => !ofRoutes.has(`${route}\n${name}`) && !(name === "session" && dropped.has("sessions")),
      ),
    ),
  ]);
  return options.perRoute === undefined ? kept : { ...kept, perRoute: Object.fromEntries(perRoute) };
}

/** The tables of this service in an export, by their name there. */
export const MONITOR_TABLES: Readonly<Record<string, TeamTable>> = {
  monitor: MONITOR,
  check: {
    table: 'monitors."check"',
    key: ["id"],
    columns: words(`id monitor_id team_id kind target attempt run_id latest_run_id attempt_results started_at
      submitted_at touched_at outcome error drift regressions ended_at worst down_routes retries in_maintenance`),
    ofTeam: `t.ended_at is not null and ${OF_MONITOR}`,
    reads: { target: "t.target - 'options'", regressions: "'[]'::jsonb" },
    // It was reported where it ran.
    writes: { reported_at: "t.ended_at" },
    arrays: ["attempt_results", "drift", "regressions", "down_routes"],
    values: { kind: CHECK_KINDS, outcome: CHECK_OUTCOMES },
  },
  availability: {
    table: "monitors.availability",
    key: words("monitor_id unit at route generation"),
    columns: words("monitor_id unit at route generation up down responses response_ms slowest_ms"),
    ofTeam: OF_MONITOR,
    values: { unit: ["hour", "day"] },
  },
  maintenance: {
    table: "monitors.maintenance",
    key: ["id"],
    columns: words(
      `id team_id title monitor_ids mode schedule next_from next_until ended_at created_by created_at`,
    ),
    ofTeam: "t.team_id = ?",
    // Old windows explain the history. Planned ones would pause monitors that are paused anyway.
    where: "t.ended_at is not null",
    // The scheduler reads the schedules of all teams.
    close: (_em, row) => {
      const { title, monitor_ids: monitors, mode, schedule, ended_at } = row;
      const { success } = createMaintenanceBody.safeParse({ title, monitors, mode, schedule });
      return success && typeof ended_at === "string" ? { ...row, next_from: null, next_until: null } : null;
    },
  },
  status_page: {
    table: "monitors.status_page",
    key: ["id"],
    columns: words("id team_id slug title components changed_by changed_at"),
    ofTeam: "t.team_id = ?",
    // Without its password, a page would be public.
    where: "t.password_hash is null",
    close: (_em, row) => {
      const { title, slug, components } = row;
      return statusPageBody.safeParse({ title, slug, components }).success ? row : null;
    },
  },
};

/** Writes rows of a team. Monitors and status pages beyond their limits are left out. @throws InvalidRowError */
export async function importRows(
  em: EntityManager,
  { teamId, table, rows }: ImportRows,
  plan: Plan,
): Promise<ImportedRows> {
  const spec = tableOf(MONITOR_TABLES, table);
  if (table !== "monitor" && table !== "status_page")
    return { written: await writeTeamRows(em, spec, teamId, rows) };
  return await em.transactional(async tx => {
    await lockTeam(tx, teamId, plan);
    const known = new Set(await findIds(tx, spec, teamId));
    const fresh = rows.filter(({ id }) => !known.has(String(id)));
    const free =
      table === "status_page"
        ? STATUS_PAGE_BOUNDS.pages - known.size
        : plan.monitors === null
          ? fresh.length
          : plan.monitors - (await countMonitors(tx, teamId));
    return { written: await writeTeamRows(tx, spec, teamId, fresh.slice(0, Math.max(0, free))) };
  });
}

async function findIds(em: EntityManager, { table }: TeamTable, teamId: string): Promise<string[]> {
  const rows: { id: string }[] = await em.execute(`select id from ${table} where team_id = ?`, [teamId]);
  return rows.map(({ id }) => id);
}

/** Returns the secrets of this service that an export leaves out. */
export async function listLeftOut(em: EntityManager, teamId: string): Promise<LeftOut[]> {
  const monitors: TableRow[] = await em.execute(
    "select name, channels, options from monitors.monitor where team_id = ? and deleted_at is null order by id",
    [teamId],
  );
  const pages: { slug: string }[] = await em.execute(
    "select slug from monitors.status_page where team_id = ? and password_hash is not null order by slug",
    [teamId],
  );
  const ofMonitors = monitors.flatMap(row => {
    const { email: _email, ...secret } = openJson<AlertChannels>(
      secretsOf(em),
      asObject(row.channels),
      "alert channels",
    );
    const name = String(row.name);
    return [
      ...(Object.keys(secret).length > 0 ? [{ kind: "channels" as const, name }] : []),
      ...(literalCredentials(optionsOf(em, row)).length > 0 ? [{ kind: "credentials" as const, name }] : []),
    ];
  });
  return [...ofMonitors, ...pages.map(({ slug }) => ({ kind: "page_password" as const, name: slug }))];
}
