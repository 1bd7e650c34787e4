import { databaseTime } from "../../../mixins/database.ts";
import type { UptimeQuery, UptimeView } from "../../../shared/contracts/monitors/availability.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { WHOLE_MONITOR } from "../checks/availability.rule.ts";
import type { MonitorsContext } from "../monitors-context.ts";
import { findPoints, findRouteSums } from "./availability.store.ts";
import { availabilityFrom, pointOf } from "./availability-of.ts";
import { monitorOf } from "./read-monitors.ts";

const DAY_MS = 86_400_000;
/** Longer periods read days. */
const MAX_DAYS_OF_HOURS = 7;

/** Reads the uptime and the response times of a monitor and its pages. @throws ServiceError not_found */
export async function readUptime(
  context: MonitorsContext,
  caller: Caller,
  { id, query: { days } }: { id: string; query: UptimeQuery },
): Promise<UptimeView> {
  const { routes } = await monitorOf(context, caller, id);
  const unit = days <= MAX_DAYS_OF_HOURS ? "hour" : "day";
  const [now, sums, points] = await Promise.all([
    databaseTime(context.em()),
    findRouteSums(context.em(), id),
    findPoints(context.em(), [id], { unit, days, route: null }),
  ]);
  const seriesOf = (route: string) => ({
    ...availabilityFrom(sums.filter(row => row.route === route)),
    points: points.filter(row => row.route === route).map(pointOf),
  });
  return {
    ...{ days, unit, from: new Date(now.getTime() - days * DAY_MS).toISOString(), to: now.toISOString() },
    monitor: seriesOf(WHOLE_MONITOR),
    // Routes that the monitor no longer has are left out.
    pages: routes.map(route => ({ route, ...seriesOf(route) })),
  };
}
