import type { EntityManager } from "../../../mixins/database.ts";

/** Deletes the rows about usage. */
export async function deleteUsageRows(em: EntityManager): Promise<void> {
  await em.execute("truncate billing.usage, billing.counted_run, billing.notice");
}

/** Moves the time when runs were counted into the past. */
export async function ageCountedRuns(em: EntityManager, interval: string): Promise<void> {
  await em.execute("update billing.counted_run set counted_at = counted_at - ?::interval", [interval]);
}

/** Moves counted runs into an earlier period. */
export async function moveCountedRunsBack(em: EntityManager, interval: string): Promise<void> {
  await em.execute("update billing.counted_run set period_start = period_start - ?::interval", [interval]);
}

/** Inserts runs `run_0`, `run_1`, … that were counted an hour ago. */
export async function insertCountedRuns(em: EntityManager, count: number): Promise<void> {
  await em.execute(
    `insert into billing.counted_run (run_id, team_id, period_start, screenshots, counted_at)
     select 'run_' || number, 'team', now(), 1, now() - interval '1 hour' from generate_series(0, ?::int - 1) as number`,
    [count],
  );
}

/** Returns the sums over all counted runs. */
export async function sumCountedRuns(em: EntityManager): Promise<{ runs: number; screenshots: number }> {
  const [row]: { runs: number; screenshots: number }[] = await em.execute(
    "select count(*)::int as runs, coalesce(sum(screenshots), 0)::int as screenshots from billing.counted_run",
  );
  return { runs: row?.runs ?? 0, screenshots: row?.screenshots ?? 0 };
}

export async function countUnsentNotices(em: EntityManager): Promise<number> {
  const [row]: { count: number }[] = await em.execute(
    "select count(*)::int as count from billing.notice where sent_at is null",
  );
  return row?.count ?? 0;
}

/** Makes notices older than their sending may take. */
export async function ageNotices(em: EntityManager): Promise<void> {
  await em.execute("update billing.notice set noticed_at = noticed_at - interval '2 minutes'");
}

/** Makes changes older than their publication may take. */
export async function ageChanges(em: EntityManager): Promise<void> {
  await em.execute("update billing.change set at = at - interval '2 minutes'");
}

/** Moves all times of a team's account into the past. */
export async function ageAccount(em: EntityManager, teamId: string, interval: string): Promise<void> {
  await em.execute(
    `update billing.account set synced_at = synced_at - i, cancels_at = cancels_at - i, renews_at = renews_at - i,
       grace_until = grace_until - i, kept_until = kept_until - i, checkout_at = checkout_at - i,
       checked_at = checked_at - i
     from (select ?::interval as i) by where team_id = ?`,
    [interval, teamId],
  );
}

/** Returns whether a team's subscription was read within the last hour. */
export async function wasJustSynced(em: EntityManager, teamId: string): Promise<boolean> {
  const rows: object[] = await em.execute(
    "select from billing.account where team_id = ? and synced_at > now() - interval '1 hour'",
    [teamId],
  );
  return rows.length > 0;
}

/** Inserts a run and a screenshot for each team without usage. */
export async function insertUsage(em: EntityManager, teamIds: string[]): Promise<void> {
  await em.execute(
    `insert into billing.usage select id, now(), 1, 1 from jsonb_array_elements_text(?::jsonb) as v (id)
     on conflict do nothing`,
    [JSON.stringify(teamIds)],
  );
}

export async function readTeamsWithUsage(em: EntityManager): Promise<Set<string>> {
  const rows: { id: string }[] = await em.execute("select team_id as id from billing.usage");
  return new Set(rows.map(({ id }) => id));
}

/** Moves all usage, counted runs, and notices into the previous month, UTC. */
export async function moveUsageToLastMonth(em: EntityManager): Promise<void> {
  for (const table of ["usage", "counted_run", "notice"])
    await em.execute(
      `update billing.${table}
       set period_start = (period_start at time zone 'utc' - interval '1 month') at time zone 'utc'`,
    );
}
