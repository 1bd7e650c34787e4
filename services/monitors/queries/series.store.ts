import type { EntityManager } from "../../../mixins/database.ts";
import type { ScreenshotKey } from "../../../shared/contracts/capture/screenshot-key.ts";
import type { CheckOutcomeName } from "../../../shared/contracts/monitors/checks.ts";

/** Summary of a completed check. */
export interface EndedCheck {
  id: string;
  monitorId: string;
  runId: string;
  latestRunId: string;
  outcome: CheckOutcomeName;
  startedAt: string | Date;
  worst: number | null;
}

/** Returns the latest completed checks of each monitor, newest first, in one statement. */
export function findRecent(em: EntityManager, monitorIds: string[], limit: number): Promise<EndedCheck[]> {
  return em.execute(
    `select c.* from jsonb_array_elements_text(?::jsonb) as m (id)
     cross join lateral (
       select id, monitor_id as "monitorId", run_id as "runId", latest_run_id as "latestRunId", outcome,
         started_at as "startedAt", worst
       from monitors.check where monitor_id = m.id and outcome is not null order by id desc limit ?
     ) c`,
    [JSON.stringify(monitorIds), limit],
  );
}

/** The checks that a chart shows. */
export interface Span {
  monitorId: string;
  /** Project of the current URL. Checks of other URLs have other baselines. */
  project: string;
  days: number;
  /** Length of an interval in seconds. Intervals are counted from 1970, so that they don't move over time. */
  seconds: number;
}

/** The checks of an interval. The other fields are those of the check with the largest difference. */
export interface CheckInterval extends Omit<EndedCheck, "monitorId" | "startedAt"> {
  slot: number;
  at: string | Date;
  checks: number;
  changed: number;
  down: number;
  failed: number;
}

const IN_SPAN = `
  select id, run_id, latest_run_id, outcome, started_at, worst,
    floor(extract(epoch from started_at)::float8 / ?)::int as slot
  from monitors.check
  where monitor_id = ? and started_at >= now() - make_interval(days => ?) and outcome is not null
    and target ->> 'project' = ?`;
const spanParams = ({ seconds, monitorId, days, project }: Span) => [seconds, monitorId, days, project];
/** SQL order with the largest differences first. */
const LARGEST_FIRST = "order by worst desc nulls last, id desc";

/** Returns the intervals with checks, oldest first. */
export function findIntervals(em: EntityManager, span: Span): Promise<CheckInterval[]> {
  return em.execute(
    `with seen as (${IN_SPAN}), ranked as (
       select *, row_number() over (partition by slot ${LARGEST_FIRST}) as rank from seen
     ), counted as (
       select slot, max(started_at) as at, count(*)::int as checks,
         count(*) filter (where outcome = 'changed')::int as changed,
         count(*) filter (where outcome = 'down')::int as down,
         count(*) filter (where outcome = 'failed')::int as failed
       from seen group by slot
     )
     select c.*, r.id, r.run_id as "runId", r.latest_run_id as "latestRunId", r.outcome, r.worst
     from counted c join ranked r on r.slot = c.slot and r.rank = 1 order by c.slot`,
    spanParams(span),
  );
}

/** The largest difference of a page in an interval. */
export interface PagePoint extends ScreenshotKey {
  slot: number;
  ratio: number | null;
  /** The most pixels with a slightly different color in a check without other changed ones. */
  faintPixels: number;
}

/**
 * Returns the largest difference of each page in each interval.
 * @param checks the number of checks per interval to read, largest differences first. It bounds the work
 */
export function findPagePoints(em: EntityManager, span: Span, checks: number): Promise<PagePoint[]> {
  return em.execute(
    `with seen as (${IN_SPAN}), ranked as (
       select id, slot, row_number() over (partition by slot ${LARGEST_FIRST}) as rank from seen
     )
     select page.route, page."stateName" as state, page.environment, page.viewport, r.slot, max(page.ratio) as ratio,
       coalesce(max(page."faintPixels"), 0) as "faintPixels"
     from ranked r join monitors.check c on c.id = r.id,
       jsonb_to_recordset(c.drift) as page (
         route text, "stateName" text, environment text, viewport int, ratio double precision, "faintPixels" int)
     where r.rank <= ?
     group by page.route, page."stateName", page.environment, page.viewport, r.slot`,
    [...spanParams(span), checks],
  );
}
