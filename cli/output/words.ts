import type { ShotStatus } from "../check/check-result.ts";

/** A ratio in per cent, with as many decimals in every row. A change too small for two decimals must not read as none. */
export function percent(ratio: number | null): string {
  if (ratio === null) return "";
  const value = ratio * 100;
  return value > 0 && value < 0.01 ? "< 0.01 %" : `${value.toFixed(2)} %`;
}

/** Time as `3.2 s`, `48 s`, `4 min 12 s`. */
export function duration(ms: number): string {
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** `1 region`, `3 regions`. */
export const count = (n: number, one: string, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;

/** In the order of what a reader wants to know first. */
const STATUSES = ["failed", "changed", "new", "removed", "unchanged"] as const satisfies ShotStatus[];

/** `2 changed, 40 unchanged`: what there is, and nothing of what there is not. */
export function tally(counts: Record<ShotStatus, number>): string {
  const said = STATUSES.filter(status => counts[status] > 0).map(status => `${counts[status]} ${status}`);
  return said.join(", ") || "no screenshots";
}
