import type { ComponentState, StatusDay } from "../../../shared/contracts/monitors/status-pages.ts";

const DAY_MS = 86_400_000;

/** What decides about the state of a component. */
export interface ComponentFacts {
  status: "never" | "ok" | "changed" | "down";
  isInMaintenance: boolean;
  /** Whether its last result is too old to tell, because it is paused or its checks have no results. */
  isOutdated: boolean;
}

/** Returns the public state of a monitor. A visual change is the team's business: the page responds. */
export function stateOf({ status, isInMaintenance, isOutdated }: ComponentFacts): ComponentState {
  if (isInMaintenance) return "maintenance";
  if (status === "never" || isOutdated) return "unknown";
  return status === "down" ? "outage" : "operational";
}

/** Returns one entry for each of the last days, oldest first. */
export function daysOf(
  points: readonly { at: string | Date; up: number; down: number }[],
  now: Date,
  count: number,
): StatusDay[] {
  const known = new Map(points.map(point => [dateOf(new Date(point.at)), point]));
  return Array.from({ length: count }, (_, index) => {
    const date = dateOf(new Date(now.getTime() - (count - 1 - index) * DAY_MS));
    const point = known.get(date);
    const checks = point ? point.up + point.down : 0;
    return { date, uptime: point && checks > 0 ? point.up / checks : null };
  });
}

function dateOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}
