import type { UptimeSeries, UptimeView } from "../../../shared/contracts/monitors/availability.ts";

const UNIT_MS = { hour: 3_600_000, day: 86_400_000 } as const;

/** An hour or a day of a chart. */
export interface Slot {
  at: string;
  /** Null without checks. */
  point: UptimeSeries["points"][number] | null;
}

/** Returns every hour or day of a period, oldest first, also those without checks. */
export function slotsOf(
  { unit, to, days }: Pick<UptimeView, "unit" | "to" | "days">,
  points: UptimeSeries["points"],
): Slot[] {
  const unitMs = UNIT_MS[unit];
  const count = (days * UNIT_MS.day) / unitMs;
  const last = Math.floor(Date.parse(to) / unitMs);
  const known = new Map(points.map(point => [Math.floor(Date.parse(point.at) / unitMs), point]));
  return Array.from({ length: count }, (_, index) => {
    const slot = last - count + 1 + index;
    return { at: new Date(slot * unitMs).toISOString(), point: known.get(slot) ?? null };
  });
}
