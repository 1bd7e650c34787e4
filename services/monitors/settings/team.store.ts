import type { EntityManager } from "../../../mixins/database.ts";
import type { Plan } from "../../../shared/contracts/billing/usage.ts";

/** What this service keeps of a team: its plan as it was told last. Queries of it, and of what follows from it. */
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
 * Writes down a team's plan and holds the team's row until the transaction ends: who creates, changes or schedules
 * its monitors takes turns, so that of a hundred who create one at once no more succeed than there is room for.
 */
export async function lockTeam(tx: EntityManager, teamId: string, plan: Plan): Promise<void> {
  await tx.execute(
    `insert into monitors.team (id, plan, monitor_limit, scheduled, retention_days, asked_at, pruned_at)
     values (?, ?, ?, ?, ?, now(), now())
     on conflict (id) do update set plan = excluded.plan, monitor_limit = excluded.monitor_limit,
       scheduled = excluded.scheduled, retention_days = excluded.retention_days, asked_at = now()`,
    [teamId, plan.name, plan.monitors, plan.scheduled, plan.retentionDays],
  );
}

/**
 * The first moment after now at which a monitor `m` has its turn: moments are counted from 1970 on the database's
 * clock, so that neither daylight-saving nor a check that took long moves them.
 */
export const NEXT_TURN = `to_timestamp(
  (floor(extract(epoch from now())::float8 / (m.interval_minutes * 60) - m.phase) + 1 + m.phase)
  * m.interval_minutes * 60)`;

/**
 * Has each of a team's monitors scheduled, or not, as the team's plan says: of more than it holds the oldest stay.
 * One that had its next turn keeps it.
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
       next_at = case when h.hold is null and not m.paused then coalesce(m.next_at, ${NEXT_TURN}) end
     from held h where m.id = h.id and (m.hold is distinct from h.hold
       or (m.next_at is null) <> (h.hold is not null or m.paused))`,
    [teamId, teamId],
  );
}

/** Of a team `t`, whether it has monitors, deleted ones that are not removed yet among them. */
const HAS_MONITORS = "exists (select from monitors.monitor where team_id = t.id)";

/** Teams with monitors whose plan was asked for so long ago, to be asked for again by this node. */
export async function claimTeamsToAsk(em: EntityManager, ms: number, limit: number): Promise<string[]> {
  return claimTeams(em, "asked_at", ms, limit);
}

/** Teams with monitors whose history was pruned so long ago, to be pruned by this node. */
export async function claimTeamsToPrune(em: EntityManager, ms: number, limit: number): Promise<string[]> {
  return claimTeams(em, "pruned_at", ms, limit);
}

async function claimTeams(
  em: EntityManager,
  column: "asked_at" | "pruned_at",
  ms: number,
  limit: number,
): Promise<string[]> {
  const rows: { id: string }[] = await em.execute(
    `update monitors.team set ${column} = now() where id in (
       select id from monitors.team t where ${column} < now() - make_interval(secs => ?) and ${HAS_MONITORS}
       order by ${column} limit ? for update skip locked)
     returning id`,
    [ms / 1_000, limit],
  );
  return rows.map(row => row.id);
}

/** Forgets teams that have no monitors any more. */
export async function forgetIdleTeams(em: EntityManager): Promise<void> {
  await em.execute(
    `delete from monitors.team t where asked_at < now() - interval '1 hour'
       and not ${HAS_MONITORS}`,
  );
}
