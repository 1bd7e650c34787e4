import type { EntityManager } from "../../../mixins/database.ts";
import type {
  Availability,
  AvailabilityPeriod,
  UptimeSeries,
} from "../../../shared/contracts/monitors/availability.ts";
import {
  type AvailabilityPoint,
  type AvailabilitySums,
  findMonitorSums,
  type PeriodSums,
} from "./availability.store.ts";

/** Reads the uptime of monitors as a whole, by id. */
export async function readAvailability(
  em: EntityManager,
  monitorIds: string[],
): Promise<Map<string, Availability>> {
  const rows = Map.groupBy(await findMonitorSums(em, monitorIds), ({ monitorId }) => monitorId);
  return new Map(monitorIds.map(id => [id, availabilityFrom(rows.get(id) ?? [])]));
}

/** Returns the availability over each period. */
export function availabilityFrom(rows: readonly PeriodSums[]): Availability {
  const over = (days: number) => periodOf(rows.find(row => row.days === days));
  return { day: over(1), week: over(7), month: over(30), quarter: over(90) };
}

function periodOf(sums: AvailabilitySums | undefined): AvailabilityPeriod {
  const checks = sums ? sums.up + sums.down : 0;
  return {
    uptime: sums && checks > 0 ? sums.up / checks : null,
    checks,
    responseMs: meanOf(sums),
    slowestMs: sums && sums.responses > 0 ? sums.slowestMs : null,
  };
}

/** Returns the points of a chart. */
export function pointOf({ at, up, down, ...sums }: AvailabilityPoint): UptimeSeries["points"][number] {
  return { at: new Date(at).toISOString(), up, down, responseMs: meanOf(sums) };
}

/** Returns the mean response time. Null if none is known. */
function meanOf(sums: Pick<AvailabilitySums, "responses" | "responseMs"> | undefined): number | null {
  return sums && sums.responses > 0 ? Math.round(sums.responseMs / sums.responses) : null;
}
