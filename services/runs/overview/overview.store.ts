import type { EntityManager } from "../../../mixins/database.ts";
import type { ScreenshotKey } from "../../../shared/contracts/capture/screenshot-key.ts";
import { OVERVIEW_BOUNDS, type OverviewFigures } from "../../../shared/contracts/runs/overview.ts";

/** How many captures of a day were noise. */
export type NoiseFigures = Pick<OverviewFigures, "captures" | "noisyCaptures">;

/** The figures of one day, or of all days together. */
interface Row extends Omit<OverviewFigures, keyof NoiseFigures> {
  /** Null for all days together. */
  day: string | null;
}

/**
 * Counts a project's ended runs by day, and all of them together, since this day. Null reruns and trials don't count.
 * @param since the first day in UTC, such as 2026-11-24
 */
export function findFigures(em: EntityManager, projectId: string, since: string): Promise<Row[]> {
  const sum = (...fields: string[]) =>
    `coalesce(sum(${fields.map(field => `(tally ->> '${field}')::int`).join(" + ")}), 0)::int`;
  return em.execute(
    `select to_char(r.day, 'YYYY-MM-DD') as day, count(*)::int as runs,
       count(*) filter (where ${DIFFERING})::int as changed, count(*) filter (where status = 'failed')::int as failed,
       ${sum("total")} as screenshots, ${sum("changed", "new", "removed")} as "changedScreenshots",
       percentile_cont(0.5) within group (order by ms) as "medianMs"
     from (
       select status, coalesce(tally, '{}') as tally, (created_at at time zone 'utc')::date as day,
         extract(epoch from completed_at - created_at) * 1000 as ms
       from runs.run
       where project_id = ? and kind = 'run' and status in ('completed', 'failed')
         and created_at >= (?::date)::timestamp at time zone 'utc'
     ) r
     group by grouping sets ((r.day), ())`,
    [projectId, since],
  );
}

/** Counts a project's captures, and those that were noise, by day since this day. */
export function findNoiseByDay(
  em: EntityManager,
  projectId: string,
  since: string,
): Promise<(NoiseFigures & { day: string })[]> {
  return em.execute(
    `select to_char(coalesce(c.day, n.day), 'YYYY-MM-DD') as day,
       greatest(coalesce(c.captures, 0), coalesce(n.noisy, 0)) as captures,
       coalesce(n.noisy, 0) as "noisyCaptures"
     from (select day, sum(captures)::int as captures from runs.page_day
           where project_id = ? and day >= ?::date group by day) c
     full join (select day, count(distinct screenshot_id)::int as noisy from runs.noise_observation
           where project_id = ? and day >= ?::date group by day) n on n.day = c.day`,
    [projectId, since, projectId, since],
  );
}

const DIFFERING =
  "coalesce((tally ->> 'changed')::int + (tally ->> 'new')::int + (tally ->> 'removed')::int, 0) > 0";

/** Finds the pages that take longest to capture in the latest runs. Uploaded screenshots have no time. */
export function findSlowest(
  em: EntityManager,
  projectId: string,
): Promise<(ScreenshotKey & { ms: number; captures: number })[]> {
  return em.execute(
    `select s.route, nullif(s.state, '') as state, nullif(s.environment, '') as environment, s.viewport,
       avg(t.ms)::float as ms, count(*)::int as captures
     from (select id from runs.run where project_id = ? and kind = 'run' and status = 'completed'
           order by id desc limit ${OVERVIEW_BOUNDS.runs}) r
     join runs.screenshot s on s.run_id = r.id and s.timings is not null
     cross join lateral (select sum(value::float) as ms from jsonb_each_text(s.timings)) t
     where t.ms > 0
     group by 1, 2, 3, 4 order by ms desc, 1, 4 limit ${OVERVIEW_BOUNDS.pages}`,
    [projectId],
  );
}
