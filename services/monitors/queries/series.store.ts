import type { EntityManager } from "../../../mixins/database.ts";
import type { CheckOutcomeName } from "../../../shared/contracts/monitors/monitors.ts";

/** Queries that lists and charts are drawn from. */

/** A check that has ended, in short. */
export interface EndedCheck {
  id: string;
  monitorId: string;
  runId: string;
  latestRunId: string;
  outcome: CheckOutcomeName;
  startedAt: string | Date;
  worst: number | null;
}

/** The last checks that ended of each of these monitors, newest first, in one statement. */
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

/** Which checks a chart is of. */
export interface Span {
  monitorId: string;
  /** Of the address: checks of another one say nothing of this one's baselines. */
  project: string;
  days: number;
  /** How long a stretch is, seconds; stretches are counted from 1970, so that they stay while time goes on. */
  seconds: number;
}

/** Checks of a stretch of time; `runId` and the rest are of the one that found the most. */
export interface Stretch extends Omit<EndedCheck, "monitorId" | "startedAt"> {
  place: number;
  at: string | Date;
  checks: number;
  changed: number;
  down: number;
  failed: number;
}

const IN_SPAN = `
  select id, run_id, latest_run_id, outcome, started_at, worst,
    floor(extract(epoch from started_at)::float8 / ?)::int as place
  from monitors.check
  where monitor_id = ? and started_at >= now() - make_interval(days => ?) and outcome is not null
    and target ->> 'project' = ?`;
const spanParams = ({ seconds, monitorId, days, project }: Span) => [seconds, monitorId, days, project];
/** Those that found most at first. */
const MOST_FIRST = "order by worst desc nulls last, id desc";

/** The stretches in which there were checks, oldest first. */
export function findStretches(em: EntityManager, span: Span): Promise<Stretch[]> {
  return em.execute(
    `with seen as (${IN_SPAN}), ranked as (
       select *, row_number() over (partition by place ${MOST_FIRST}) as rank from seen
     ), counted as (
       select place, max(started_at) as at, count(*)::int as checks,
         count(*) filter (where outcome = 'changed')::int as changed,
         count(*) filter (where outcome = 'down')::int as down,
         count(*) filter (where outcome = 'failed')::int as failed
       from seen group by place
     )
     select c.*, r.id, r.run_id as "runId", r.latest_run_id as "latestRunId", r.outcome, r.worst
     from counted c join ranked r on r.place = c.place and r.rank = 1 order by c.place`,
    spanParams(span),
  );
}

/** How far a page was at most from its baseline in a stretch of time. */
export interface PagePoint {
  route: string;
  viewport: number;
  place: number;
  ratio: number | null;
}

/** @param checks how many of a stretch are looked into, those that found most at first: what bounds the work */
export function findPagePoints(em: EntityManager, span: Span, checks: number): Promise<PagePoint[]> {
  return em.execute(
    `with seen as (${IN_SPAN}), ranked as (
       select id, place, row_number() over (partition by place ${MOST_FIRST}) as rank from seen
     )
     select page.route, page.viewport, r.place, max(page.ratio) as ratio
     from ranked r join monitors.check c on c.id = r.id,
       jsonb_to_recordset(c.drift) as page (route text, viewport int, ratio double precision)
     where r.rank <= ?
     group by page.route, page.viewport, r.place`,
    [...spanParams(span), checks],
  );
}
