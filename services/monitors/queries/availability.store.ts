import type { EntityManager } from "../../../mixins/database.ts";
import { WHOLE_MONITOR } from "../checks/availability.rule.ts";

/** Hours are kept a day longer than the longest period that reads them, and days likewise. */
const KEPT_DAYS = { hour: 8, day: 92 } as const;

/** Sums of the checks of a route over a period. */
export interface AvailabilitySums {
  up: number;
  down: number;
  responses: number;
  responseMs: number;
  slowestMs: number;
}

const SUMS = `sum(a.up)::int as up, sum(a.down)::int as down, sum(a.responses)::int as responses,
  sum(a.response_ms)::float8 as "responseMs", max(a.slowest_ms)::int as "slowestMs"`;

/** The periods that views show. Short ones read hours, and long ones days. */
const PERIODS = `(values (1, 'hour'), (7, 'hour'), (30, 'day'), (90, 'day')) as p (days, unit)`;

/** Rows of a period. A day that the period touches counts as a whole. */
const IN_PERIOD = `a.unit = p.unit and a.at > now() - make_interval(days => p.days)`;

export interface PeriodSums extends AvailabilitySums {
  monitorId: string;
  route: string;
  days: number;
}

/**
 * The monitors that a statement is about. Each is read once, and not for each of its rows. With an array, they are
 * searched by their ids. With `in`, PostgreSQL expects a hundred of them, and reads the whole table.
 */
const MONITORS = `with m as materialized (
  select id, generation from monitors.monitor where id = any(array(select jsonb_array_elements_text(?::jsonb))))`;
const OF_MONITOR = "a.monitor_id = m.id and a.generation = m.generation";

/** Returns the sums of monitors as a whole over each period, in one statement. */
export function findMonitorSums(em: EntityManager, monitorIds: string[]): Promise<PeriodSums[]> {
  return findSums(em, monitorIds, WHOLE_MONITOR);
}

/** Returns the sums of a monitor and of each of its routes over each period, in one statement. */
export function findRouteSums(em: EntityManager, monitorId: string): Promise<PeriodSums[]> {
  return findSums(em, [monitorId], null);
}

/** @param route null for all routes */
function findSums(em: EntityManager, monitorIds: string[], route: string | null): Promise<PeriodSums[]> {
  return em.execute(
    `${MONITORS} select a.monitor_id as "monitorId", a.route, p.days, ${SUMS}
     from m cross join ${PERIODS} join monitors.availability a on ${OF_MONITOR} and ${IN_PERIOD}
     where ?::text is null or a.route = ?
     group by a.monitor_id, a.route, p.days`,
    [JSON.stringify(monitorIds), route, route],
  );
}

/** Sums of an hour or a day. */
export interface AvailabilityPoint extends AvailabilitySums {
  monitorId: string;
  route: string;
  at: string | Date;
}

/** Returns the sums of each hour or day with checks, oldest first. @param route null for all routes */
export function findPoints(
  em: EntityManager,
  monitorIds: string[],
  { unit, days, route }: { unit: "hour" | "day"; days: number; route: string | null },
): Promise<AvailabilityPoint[]> {
  return em.execute(
    `${MONITORS} select a.monitor_id as "monitorId", a.route, a.at, a.up, a.down, a.responses,
       a.response_ms::float8 as "responseMs", a.slowest_ms as "slowestMs"
     from m join monitors.availability a on ${OF_MONITOR}
     where a.unit = ?
       and a.at > now() - make_interval(days => ?) and (?::text is null or a.route = ?)
     order by a.at`,
    [JSON.stringify(monitorIds), unit, days, route, route],
  );
}

/** Deletes sums that no period reads anymore. */
export async function deleteOldAvailability(em: EntityManager): Promise<void> {
  for (const [unit, days] of Object.entries(KEPT_DAYS))
    await em.execute(
      "delete from monitors.availability where unit = ? and at < now() - make_interval(days => ?)",
      [unit, days],
    );
}
