import { leaseRows } from "../../../mixins/database/lease-rows.ts";
import type { EntityManager } from "../../../mixins/database.ts";
import type { Plan } from "../../../shared/contracts/billing/usage.ts";

/** A team's plan, as this service last read it. */
export interface KnownTeam {
  id: string;
  plan: string;
  monitorLimit: number | null;
  scheduled: boolean;
  retentionDays: number;
}

const COLUMNS =
  'id, plan, monitor_limit as "monitorLimit", scheduled, retention_days as "retentionDays"' as const;

export async function findTeam(em: EntityManager, id: string): Promise<KnownTeam | null> {
  const rows: KnownTeam[] = await em.execute(`select ${COLUMNS} from monitors.team where id = ?`, [id]);
  return rows[0] ?? null;
}

/**
 * Stores a team's plan and locks the team's row until the transaction ends. Creating, changing and scheduling its
 * monitors is serialized, so that concurrent requests can't exceed the plan's limit.
 */
export async function lockTeam(tx: EntityManager, teamId: string, plan: Plan): Promise<void> {
  await tx.execute(
    `insert into monitors.team (id, plan, monitor_limit, scheduled, retention_days, plan_read_at, pruned_at)
     values (?, ?, ?, ?, ?, now(), now())
     on conflict (id) do update set plan = excluded.plan, monitor_limit = excluded.monitor_limit,
       scheduled = excluded.scheduled, retention_days = excluded.retention_days, plan_read_at = now()`,
    [teamId, plan.name, plan.monitors, plan.scheduled, plan.retentionDays],
  );
}

/**
 * SQL for the next time at which a monitor `m` is due. Times are counted from 1970 on the database's clock, so
 * that neither daylight saving time nor a slow check moves them.
 */
export const NEXT_SCHEDULED_AT = `to_timestamp(
  (floor(extract(epoch from now())::float8 / (m.interval_minutes * 60) - m.phase) + 1 + m.phase)
  * m.interval_minutes * 60)`;

/**
 * Schedules a team's monitors as its plan allows. The oldest monitors stay scheduled. A monitor that has a next
 * time keeps it.
 */
export async function scheduleTeam(tx: EntityManager, teamId: string): Promise<void> {
  await tx.execute(
    `with ranked as (
       select id, row_number() over (order by created_at, id) as place
       from monitors.monitor where team_id = ? and deleted_at is null
     ), held as (
       select r.id, case when r.place > t.monitor_limit then 'over' when not t.scheduled then 'plan' end as hold
       from ranked r join monitors.team t on t.id = ?
     )
     update monitors.monitor m set hold = h.hold,
       scheduled_since = case when m.next_at is null then now() else m.scheduled_since end,
       next_at = case when h.hold is null and not m.paused then coalesce(m.next_at, ${NEXT_SCHEDULED_AT}) end
     from held h where m.id = h.id and (m.hold is distinct from h.hold
       or (m.next_at is null) <> (h.hold is not null or m.paused))`,
    [teamId, teamId],
  );
}

/** SQL for whether a team `t` has monitors, including deleted ones that are still stored. */
const HAS_MONITORS = "exists (select from monitors.monitor where team_id = t.id)";

/** SQL for whether a team `t` has monitors, or maintenance that later monitors need. */
const IS_USED = `(${HAS_MONITORS}
  or exists (select from monitors.maintenance where team_id = t.id and next_until is not null))`;

/** Leases teams in use whose plan was read longer ago than this. */
export async function leaseTeamsToRefresh(em: EntityManager, ms: number, limit: number): Promise<string[]> {
  return leaseTeams(em, { column: "plan_read_at", where: IS_USED }, ms, limit);
}

/** Leases teams with monitors whose history was pruned longer ago than this. */
export async function leaseTeamsToPrune(em: EntityManager, ms: number, limit: number): Promise<string[]> {
  return leaseTeams(em, { column: "pruned_at", where: HAS_MONITORS }, ms, limit);
}

async function leaseTeams(
  em: EntityManager,
  { column, where }: { column: "plan_read_at" | "pruned_at"; where: string },
  ms: number,
  limit: number,
): Promise<string[]> {
  const rows: { id: string }[] = await em.execute(
    leaseRows({
      table: "monitors.team t",
      set: `${column} = now()`,
      where: `${column} < now() - make_interval(secs => ?) and ${where}`,
      orderBy: column,
    }),
    [ms / 1_000, limit],
  );
  return rows.map(row => row.id);
}

/** Deletes teams without monitors and maintenance. */
export async function deleteIdleTeams(em: EntityManager): Promise<void> {
  await em.execute(
    `delete from monitors.team t where plan_read_at < now() - interval '1 hour'
       and not ${IS_USED}`,
  );
}
