import { defineEntity, p, UniqueConstraintViolationException } from "@mikro-orm/core";
import { findTeamsIn } from "../../../mixins/database/find-teams.ts";
import type { EntityManager } from "../../../mixins/database.ts";
import type { Plan } from "../../../shared/contracts/billing/usage.ts";
import type { TeamPage } from "../../../shared/delete-gone-teams.ts";
import type { Amount, Notice } from "./allowance.rule.ts";

/** Queries about usage. `em` is one unit of work. */

/** A team's usage of its plan's allowances in a period. */
export const UsageEntity = defineEntity({
  name: "Usage",
  tableName: "usage",
  properties: {
    teamId: p.string().primary(),
    periodStart: p.datetime().primary(),
    runs: p.integer(),
    screenshots: p.integer(),
  },
});

/** A counted run, or one to count. */
export interface CountedRun {
  runId: string;
  teamId: string;
  periodStart: Date;
  screenshots: number;
}

/**
 * Counts a run if enough of the allowances is left. Concurrent callers wait for each other in this one statement, so
 * that no limit is exceeded and no run is counted twice.
 * @returns the team's usage with this run; `counted` if it was counted before; null if too little is left
 */
export async function countRun(
  em: EntityManager,
  { runId, teamId, periodStart, screenshots }: CountedRun,
  plan: Plan,
): Promise<Amount | "counted" | null> {
  try {
    const rows: Amount[] = await em.execute(
      `with requested as (
         select ?::text as run_id, ?::text as team_id, ?::timestamptz as period_start, ?::int as screenshots,
           ?::int as run_limit, ?::int as screenshot_limit
       ), counted as (
         insert into billing.usage as u (team_id, period_start, runs, screenshots)
         select team_id, period_start, 1, screenshots from requested
         where not exists (select from billing.counted_run t where t.run_id = requested.run_id)
           and 1 <= coalesce(run_limit, 1) and screenshots <= coalesce(screenshot_limit, screenshots)
         on conflict (team_id, period_start) do update
           set runs = u.runs + excluded.runs, screenshots = u.screenshots + excluded.screenshots
           where u.runs + excluded.runs <= coalesce((select run_limit from requested), u.runs + excluded.runs)
             and u.screenshots + excluded.screenshots
               <= coalesce((select screenshot_limit from requested), u.screenshots + excluded.screenshots)
         returning runs, screenshots
       ), added as (
         insert into billing.counted_run (run_id, team_id, period_start, screenshots, counted_at)
         select run_id, team_id, period_start, screenshots, now() from requested where exists (select from counted)
       )
       select runs, screenshots from counted`,
      [runId, teamId, periodStart, screenshots, plan.runs, plan.screenshots],
    );
    return rows[0] ?? ((await isCounted(em, runId)) ? "counted" : null);
  } catch (error) {
    // A concurrent call counted the same run, and this statement was rolled back.
    if (error instanceof UniqueConstraintViolationException) return "counted";
    throw error;
  }
}

async function isCounted(em: EntityManager, runId: string): Promise<boolean> {
  const rows: object[] = await em.execute("select from billing.counted_run where run_id = ?", [runId]);
  return rows.length > 0;
}

/** Returns a team's usage in a period. */
export async function findUsage(em: EntityManager, teamId: string, periodStart: Date): Promise<Amount> {
  const found = await em.findOne(UsageEntity, { teamId, periodStart });
  return { runs: found?.runs ?? 0, screenshots: found?.screenshots ?? 0 };
}

/** Finds a team's usage in the periods from one on. Periods without usage are missing. */
export function findUsageSince(
  em: EntityManager,
  teamId: string,
  from: Date,
): Promise<(Amount & { periodStart: Date })[]> {
  return em.find(UsageEntity, { teamId, periodStart: { $gte: from } });
}

/** Gives back a run's allowance in the period that counted it. A repeated call changes nothing. */
export async function giveBackAllowance(em: EntityManager, runIds: string[]): Promise<void> {
  if (runIds.length === 0) return;
  await em.execute(
    `with gone as (
       delete from billing.counted_run where run_id in (?) returning team_id, period_start, screenshots
     ), sums as (
       select team_id, period_start, count(*)::int as runs, sum(screenshots)::int as screenshots
       from gone group by team_id, period_start
     )
     update billing.usage u set runs = u.runs - s.runs, screenshots = u.screenshots - s.screenshots
     from sums s where u.team_id = s.team_id and u.period_start = s.period_start`,
    [runIds],
  );
}

/** Returns the ids of counted runs of some age without a confirmed capture. */
export async function findUnconfirmed(
  em: EntityManager,
  { minMs, maxMs }: { minMs: number; maxMs: number },
  page: { after: string; limit: number },
): Promise<string[]> {
  const rows: { id: string }[] = await em.execute(
    `select run_id as id from billing.counted_run
     where confirmed_at is null and run_id > ?
       and counted_at between now() - make_interval(secs => ?) and now() - make_interval(secs => ?)
     order by run_id limit ?`,
    [page.after, maxMs / 1_000, minMs / 1_000, page.limit],
  );
  return rows.map(row => row.id);
}

/** Saves that these runs were captured. */
export async function confirmRuns(em: EntityManager, runIds: string[]): Promise<void> {
  if (runIds.length === 0) return;
  await em.execute("update billing.counted_run set confirmed_at = now() where run_id in (?)", [runIds]);
}

/** Deletes the counted runs of earlier periods. Their sums stay. */
export async function deleteCountedRuns(em: EntityManager, periodStart: Date): Promise<void> {
  await em.execute("delete from billing.counted_run where period_start < ?", [periodStart]);
}

/** A notice that was not sent yet. */
export interface UnsentNotice extends Notice {
  teamId: string;
  periodStart: Date;
}

const NOTICE = `team_id as "teamId", period_start as "periodStart", allowance, percent, usage_limit as "limit", used`;

/** Inserts notices, each once per period and limit. @returns the new ones */
export async function addNotices(
  em: EntityManager,
  { teamId, periodStart }: Pick<CountedRun, "teamId" | "periodStart">,
  notices: Notice[],
): Promise<UnsentNotice[]> {
  if (notices.length === 0) return [];
  return em.execute(
    `insert into billing.notice (team_id, period_start, allowance, percent, usage_limit, used, noticed_at)
     select ?, ?, allowance, percent, "limit", used, now()
     from jsonb_to_recordset(?::jsonb) as v (allowance text, percent int, "limit" int, used int)
     on conflict do nothing returning ${NOTICE}`,
    [teamId, periodStart, JSON.stringify(notices)],
  );
}

/** Returns notices of some age that were not sent, because their node stopped in between. */
export function findUnsentNotices(em: EntityManager, minMs: number): Promise<UnsentNotice[]> {
  return em.execute(
    `select ${NOTICE} from billing.notice
     where sent_at is null and noticed_at < now() - make_interval(secs => ?) order by noticed_at limit 1000`,
    [minMs / 1_000],
  );
}

export async function markNoticeSent(em: EntityManager, notice: UnsentNotice): Promise<void> {
  const { teamId, periodStart, allowance, percent, limit } = notice;
  await em.execute(
    `update billing.notice set sent_at = now()
     where team_id = ? and period_start = ? and allowance = ? and percent = ? and usage_limit = ?`,
    [teamId, periodStart, allowance, percent, limit],
  );
}

const OPEN_ACCOUNTS = "(select team_id from billing.account where gone_at is null)";

/** Returns a page of the teams with data here, except those whose account is being closed. */
export function findTeams(em: EntityManager, page: TeamPage): Promise<string[]> {
  return findTeamsIn(em, ["billing.usage", OPEN_ACCOUNTS], page);
}

/** Deletes the usage of a team. */
export async function deleteTeamData(em: EntityManager, teamId: string): Promise<void> {
  for (const table of ["counted_run", "notice", "usage"])
    await em.execute(`delete from billing.${table} where team_id = ?`, [teamId]);
}
