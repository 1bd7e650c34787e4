import { UniqueConstraintViolationException } from "@mikro-orm/core";
import type { EntityManager } from "../../../mixins/database.ts";
import type { Plan } from "../../../shared/contracts/billing/usage.ts";
import type { Amount, Notice } from "./allowance.rule.ts";
import { UsageEntity } from "./usage.entity.ts";

/** The queries of the billing service; `em` is one unit of work. */

/** A run that is to be counted, or was. */
export interface Taking {
  runId: string;
  teamId: string;
  periodStart: Date;
  screenshots: number;
}

/**
 * Counts a run if the plan has that much left: one statement, in which those who ask at once wait for each other, so
 * that no more is counted than there is, and a run once or not at all.
 * @returns what the team has used with it, `taken` when this run was counted before, null when too little is left
 */
export async function takeAllowance(
  em: EntityManager,
  { runId, teamId, periodStart, screenshots }: Taking,
  plan: Plan,
): Promise<Amount | "taken" | null> {
  try {
    const rows: Amount[] = await em.execute(
      `with asked as (
         select ?::text as run_id, ?::text as team_id, ?::timestamptz as period_start, ?::int as screenshots,
           ?::int as run_limit, ?::int as screenshot_limit
       ), counted as (
         insert into billing.usage as u (team_id, period_start, runs, screenshots)
         select team_id, period_start, 1, screenshots from asked
         where not exists (select from billing.taken t where t.run_id = asked.run_id)
           and 1 <= coalesce(run_limit, 1) and screenshots <= coalesce(screenshot_limit, screenshots)
         on conflict (team_id, period_start) do update
           set runs = u.runs + excluded.runs, screenshots = u.screenshots + excluded.screenshots
           where u.runs + excluded.runs <= coalesce((select run_limit from asked), u.runs + excluded.runs)
             and u.screenshots + excluded.screenshots
               <= coalesce((select screenshot_limit from asked), u.screenshots + excluded.screenshots)
         returning runs, screenshots
       ), taken as (
         insert into billing.taken (run_id, team_id, period_start, screenshots, taken_at)
         select run_id, team_id, period_start, screenshots, now() from asked where exists (select from counted)
       )
       select runs, screenshots from counted`,
      [runId, teamId, periodStart, screenshots, plan.runs, plan.screenshots],
    );
    return rows[0] ?? ((await isTaken(em, runId)) ? "taken" : null);
  } catch (error) {
    // The same message twice at the same moment: the other one was counted, and this statement undone.
    if (error instanceof UniqueConstraintViolationException) return "taken";
    throw error;
  }
}

async function isTaken(em: EntityManager, runId: string): Promise<boolean> {
  const rows: object[] = await em.execute("select from billing.taken where run_id = ?", [runId]);
  return rows.length > 0;
}

/** What a team has used in a period. */
export async function findUsage(em: EntityManager, teamId: string, periodStart: Date): Promise<Amount> {
  const found = await em.findOne(UsageEntity, { teamId, periodStart });
  return { runs: found?.runs ?? 0, screenshots: found?.screenshots ?? 0 };
}

/** Gives back what a run took, to the period that it was taken from; the second time it changes nothing. */
export async function giveBackAllowance(em: EntityManager, runIds: string[]): Promise<void> {
  if (runIds.length === 0) return;
  await em.execute(
    `with gone as (
       delete from billing.taken where run_id in (?) returning team_id, period_start, screenshots
     ), sums as (
       select team_id, period_start, count(*)::int as runs, sum(screenshots)::int as screenshots
       from gone group by team_id, period_start
     )
     update billing.usage u set runs = u.runs - s.runs, screenshots = u.screenshots - s.screenshots
     from sums s where u.team_id = s.team_id and u.period_start = s.period_start`,
    [runIds],
  );
}

/** Runs that were counted between so long and so long ago and of which it is not known that they rendered, by their ids. */
export async function findUnsettled(
  em: EntityManager,
  { minMs, maxMs }: { minMs: number; maxMs: number },
  page: { after: string; limit: number },
): Promise<string[]> {
  const rows: { id: string }[] = await em.execute(
    `select run_id as id from billing.taken
     where settled_at is null and run_id > ?
       and taken_at between now() - make_interval(secs => ?) and now() - make_interval(secs => ?)
     order by run_id limit ?`,
    [page.after, maxMs / 1_000, minMs / 1_000, page.limit],
  );
  return rows.map(row => row.id);
}

/** Notes that these runs have rendered. */
export async function settle(em: EntityManager, runIds: string[]): Promise<void> {
  if (runIds.length === 0) return;
  await em.execute("update billing.taken set settled_at = now() where run_id in (?)", [runIds]);
}

/** Forgets which runs were counted in periods before this one; what they sum up to stays. */
export async function deleteTaken(em: EntityManager, periodStart: Date): Promise<void> {
  await em.execute("delete from billing.taken where period_start < ?", [periodStart]);
}

/** A notice that was written down, and not told yet. */
export interface UntoldNotice extends Notice {
  teamId: string;
  periodStart: Date;
}

const NOTICE = `team_id as "teamId", period_start as "periodStart", allowance, percent, usage_limit as "limit", used`;

/** Writes notices down, each once in its period for each limit. @returns those that were not there */
export async function addNotices(
  em: EntityManager,
  { teamId, periodStart }: Pick<Taking, "teamId" | "periodStart">,
  notices: Notice[],
): Promise<UntoldNotice[]> {
  if (notices.length === 0) return [];
  return em.execute(
    `insert into billing.notice (team_id, period_start, allowance, percent, usage_limit, used, noticed_at)
     select ?, ?, allowance, percent, "limit", used, now()
     from jsonb_to_recordset(?::jsonb) as v (allowance text, percent int, "limit" int, used int)
     on conflict do nothing returning ${NOTICE}`,
    [teamId, periodStart, JSON.stringify(notices)],
  );
}

/** Notices that were written down so long ago, and not told: their node went away in between. */
export function findUntold(em: EntityManager, minMs: number): Promise<UntoldNotice[]> {
  return em.execute(
    `select ${NOTICE} from billing.notice
     where told_at is null and noticed_at < now() - make_interval(secs => ?) order by noticed_at limit 1000`,
    [minMs / 1_000],
  );
}

export async function markTold(em: EntityManager, notice: UntoldNotice): Promise<void> {
  const { teamId, periodStart, allowance, percent, limit } = notice;
  await em.execute(
    `update billing.notice set told_at = now()
     where team_id = ? and period_start = ? and allowance = ? and percent = ? and usage_limit = ?`,
    [teamId, periodStart, allowance, percent, limit],
  );
}

/** Teams of which something is kept, but for accounts that are being closed. */
export async function findTeams(em: EntityManager): Promise<string[]> {
  const rows: { id: string }[] = await em.execute(
    `select team_id as id from billing.usage
     union select team_id from billing.account where gone_at is null order by 1`,
  );
  return rows.map(row => row.id);
}

/** Forgets all that a team has used. */
export async function deleteTeamData(em: EntityManager, teamId: string): Promise<void> {
  for (const table of ["taken", "notice", "usage"])
    await em.execute(`delete from billing.${table} where team_id = ?`, [teamId]);
}
