import type { EntityManager } from "../../../mixins/database.ts";
import { inMaintenance } from "../maintenance/maintenance.store.ts";

/** Missed intervals after which a monitor counts as unchecked. */
const MISSED_INTERVALS = 3;
/** A check may wait for other runs of the team, and is confirmed. */
const GRACE_MINUTES = 10;
/** Maintenance that ended this recently still explains missing checks. */
const MAINTENANCE_GRACE_MINUTES = 2;

/** SQL for the time since which a monitor `m` should have had a result. */
const EXPECTED_SINCE = `now() - make_interval(mins => m.interval_minutes * ${MISSED_INTERVALS} + ${GRACE_MINUTES})`;

/**
 * SQL for whether a monitor `m` should have had a result, but has none: it is scheduled, and neither its last result
 * nor its scheduling is recent. Failed checks say nothing about the site, so they are no result.
 */
const IS_UNCHECKED = `m.next_at is not null and m.deleted_at is null
  and greatest(m.last_result_at, m.scheduled_since, m.created_at)
    < ${EXPECTED_SINCE}
  and not exists (select from monitors.maintenance w where w.team_id = m.team_id and w.mode = 'pause'
    and w.next_from <= now() and w.next_until > now() - interval '${MAINTENANCE_GRACE_MINUTES} minutes'
    and (w.monitor_ids is null or jsonb_exists(w.monitor_ids, m.id)))`;

const NOTHING_UNCHECKED = "unchecked_since = null, unchecked_ids = '[]', unchecked_reported = false";

/** A team with unchecked monitors, or with ones that were unchecked. */
export interface UncheckedTeam {
  teamId: string;
  since: Date;
  /** The monitors that were unchecked at first. */
  ids: string[];
  /** Those of them that have had a result since. */
  checkedIds: string[];
  /** Null if the answer to the report isn't known. */
  isReported: boolean | null;
  /** Whether all monitors are checked again. */
  isOver: boolean;
}

/**
 * Records which teams have unchecked monitors, once per team until all are checked again. @returns all teams with
 * something to report. While all of the monitors are in silent maintenance, the report waits for its end
 */
export async function findUncheckedTeams(em: EntityManager): Promise<UncheckedTeam[]> {
  // With the last of the reported monitors, their incident is deleted. Others that are unchecked need one of their own.
  await em.execute(
    `update monitors.team t set ${NOTHING_UNCHECKED}
     where t.unchecked_since is not null and not exists (select from monitors.monitor m
       where m.team_id = t.id and m.deleted_at is null and jsonb_exists(t.unchecked_ids, m.id))`,
  );
  await em.execute(
    `with unchecked as (
       select m.team_id, jsonb_agg(m.id order by m.id) as ids from monitors.monitor m
       where ${IS_UNCHECKED} and not ${inMaintenance("m", "quiet")}
       group by m.team_id
     )
     update monitors.team t set unchecked_since = date_trunc('milliseconds', now()), unchecked_ids = u.ids
     from unchecked u where t.id = u.team_id and t.unchecked_since is null`,
  );
  const rows: (Omit<UncheckedTeam, "since"> & { since: string | Date })[] = await em.execute(
    `select t.id as "teamId", t.unchecked_since as since, t.unchecked_ids as ids, t.unchecked_reported as "isReported",
       coalesce((select jsonb_agg(m.id) from monitors.monitor m where m.team_id = t.id
         and jsonb_exists(t.unchecked_ids, m.id) and m.last_result_at > t.unchecked_since), '[]') as "checkedIds",
       not exists (select from monitors.monitor m where m.team_id = t.id and ${IS_UNCHECKED}) as "isOver"
     from monitors.team t where t.unchecked_since is not null and exists (
       select from monitors.monitor m where m.team_id = t.id and m.deleted_at is null
         and jsonb_exists(t.unchecked_ids, m.id) and not ${inMaintenance("m", "quiet")})`,
  );
  return rows
    .map(row => ({ ...row, since: new Date(row.since) }))
    .filter(({ isReported, isOver }) => isOver || !isReported);
}

/** Records that unchecked monitors are being reported. The answer can get lost. */
export async function startUncheckedReport(em: EntityManager, teamId: string): Promise<void> {
  await em.execute(
    "update monitors.team set unchecked_reported = null where id = ? and not unchecked_reported",
    [teamId],
  );
}

/** Records the answer to the report, unless another node has reported them meanwhile. */
export async function endUncheckedReport(
  em: EntityManager,
  teamId: string,
  isReported: boolean,
): Promise<void> {
  await em.execute(
    "update monitors.team set unchecked_reported = ? where id = ? and (? or unchecked_reported is null)",
    [isReported, teamId, isReported],
  );
}

export async function clearUnchecked(em: EntityManager, teamId: string): Promise<void> {
  await em.execute(`update monitors.team set ${NOTHING_UNCHECKED} where id = ?`, [teamId]);
}

/**
 * Returns which monitors had their last result too long ago to tell how their sites are, scheduled or not. A monitor that
 * was resumed, or whose maintenance ended, has time for its next check.
 */
export async function findOutdated(em: EntityManager, monitorIds: string[]): Promise<Set<string>> {
  const rows: { id: string }[] = await em.execute(
    `select m.id from monitors.monitor m
     where m.id in (select jsonb_array_elements_text(?::jsonb))
       and greatest(m.last_result_at, case when m.next_at is not null then m.scheduled_since end) < ${EXPECTED_SINCE}`,
    [JSON.stringify(monitorIds)],
  );
  return new Set(rows.map(({ id }) => id));
}
