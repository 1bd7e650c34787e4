/** What checks of a monitor are to have found. */
export interface Seed {
  monitorId: string;
  teamId: string;
  count: number;
  everyMinutes: number;
  pages: { route: string; viewport: number }[];
  /** SQL of how far a `page` was from its baseline at check `n`, where 0 is the latest. */
  ratioOf: string;
  /** SQL of what check `n` came to. */
  outcomeOf?: string;
  /** SQL of the run of check `n`. */
  runOf?: string;
}

type Sql = (statement: string, params?: unknown[]) => Promise<object[]>;

/** Writes down checks that ended, the last of them a minute ago: years of a schedule that no test can wait for. */
export async function seedChecks(sql: Sql, seed: Seed): Promise<void> {
  const { monitorId, teamId, count, everyMinutes, pages, ratioOf, outcomeOf = "'ok'", runOf } = seed;
  const run = runOf ?? "'run_' || lpad((999999 - n)::text, 26, '0')";
  await sql(
    `with times as (
       select n, now() - interval '1 minute' - make_interval(mins => n * ${everyMinutes}) as at
       from generate_series(0, ${count - 1}) as n
     )
     insert into monitors.check (id, monitor_id, team_id, kind, target, attempt, run_id, latest_run_id, looks, started_at,
       submitted_at, touched_at, outcome, drift, worst, regressions, ended_at, reported_at)
     select 'chk_' || lpad((999999 - n)::text, 10, '0') || substr(md5(?), 1, 16), ?, ?, 'scheduled',
       jsonb_build_object('project', 'monitor/' || ?::text), 1, ${run}, ${run}, '[]', at, at, at, ${outcomeOf}, d.drift,
       d.worst, '[]', at + interval '20 seconds', at
     from times cross join lateral (
       select jsonb_agg(to_jsonb(page)) as drift, max(page.ratio) as worst
       from (
         select page.route, page.viewport, 'ok' as state, ${ratioOf} as ratio
         from jsonb_to_recordset(?::jsonb) as page (route text, viewport int)
       ) page
     ) d`,
    [monitorId, monitorId, teamId, monitorId, JSON.stringify(pages)],
  );
}
