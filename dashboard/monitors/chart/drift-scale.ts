import type { RecentCheck } from "../../../shared/contracts/monitors/checks.ts";
import type { DriftStretch, DriftView } from "../../../shared/contracts/monitors/monitor-series.ts";

/** The geometry of charts, without rendering. */

/** As many as the service returns for a monitor. */
export const RECENT_CHECKS_SHOWN = 30;

/** A minimum height, so that a check without a difference stays visible. */
const MIN_SHARE = 0.12;
const TICKS = [0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1];
/** Keeps labels apart. */
const TICK_GAP_PX = 22;
/** A gap of this many intervals counts as a time without checks. */
const GAP_INTERVALS = 2.5;

interface Bar {
  id: string;
  outcome: RecentCheck["outcome"];
  /** 0–1 from the left. */
  position: number;
  /** 0–1 of the height. */
  share: number;
}

/**
 * Returns the bars of checks, the latest at the right. Full height is the largest difference, and at least
 * twice the threshold.
 */
export function barsOf(checks: readonly RecentCheck[], threshold: number): Bar[] {
  const most = Math.max(threshold * 2, ...checks.map(({ ratio }) => ratio ?? 0), 0.001);
  const first = RECENT_CHECKS_SHOWN - checks.length;
  return checks.map(({ id, outcome, ratio }, index) => {
    const share = outcome === "down" ? 1 : Math.sqrt((ratio ?? 0) / most);
    return {
      id,
      outcome,
      position: (first + index) / RECENT_CHECKS_SHOWN,
      share: Math.max(MIN_SHARE, share),
    };
  });
}

/** Drawing area of a chart, px. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface Scale {
  /** @param ms since 1970 */
  x(ms: number): number;
  /**
   * A square-root scale, so that small differences are visible beside large ones. The labels show the values.
   */
  y(ratio: number): number;
  /** Ratios with a label. */
  ticks: number[];
}

/** Returns the scales of a chart: the whole period, and up to the largest difference. */
export function scaleOf({ from, to, threshold, pages }: DriftView, box: Box): Scale {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  const most = Math.min(1, Math.max(threshold * 1.6, 0.002, largestIn(pages) * 1.1));
  const x = (ms: number) => box.left + (box.width * (ms - start)) / Math.max(1, end - start);
  const y = (ratio: number) => box.top + box.height * (1 - Math.sqrt(Math.max(0, ratio) / most));
  const ticks: number[] = [];
  for (const tick of TICKS) {
    const below = y(ticks.at(-1) ?? 0) - y(tick);
    const isClear = below >= TICK_GAP_PX && Math.abs(y(tick) - y(threshold)) >= TICK_GAP_PX * 0.7;
    if (tick <= most && isClear) ticks.push(tick);
  }
  return { x, y, ticks };
}

const MINUTE_MS = 60_000;
/** A chart is at least this many intervals wide, so that a new monitor's checks are apart. */
const LEAST_INTERVALS = 4;

/**
 * Returns the chart's data from the monitor's creation on. Otherwise, the checks of a new monitor would be one spike at
 * the right edge.
 */
export function sinceCreation(
  drift: DriftView,
  { createdAt, intervalMinutes }: { createdAt: string; intervalMinutes: number },
): DriftView {
  const checks = drift.stretches.map(({ at }) => Date.parse(at));
  const start = Math.min(Date.parse(createdAt), ...checks);
  const [from, to] = [Date.parse(drift.from), Date.parse(drift.to)];
  if (start <= from) return drift;
  const span = Math.min(to - from, LEAST_INTERVALS * intervalMinutes * MINUTE_MS);
  const end = Math.max(to, start + span);
  return { ...drift, from: new Date(start).toISOString(), to: new Date(end).toISOString() };
}

function largestIn(pages: DriftView["pages"]): number {
  let most = 0;
  for (const { ratios } of pages) for (const ratio of ratios) if ((ratio ?? 0) > most) most = ratio ?? 0;
  return most;
}

/**
 * Returns a line as an SVG path, with gaps where nothing was compared and while the monitor was paused.
 * @param turnMs the time between two checks, or a stretch if that is longer
 */
export function pathOf(
  ratios: readonly (number | null)[],
  stretches: readonly Pick<DriftStretch, "at">[],
  { x, y }: Pick<Scale, "x" | "y">,
  intervalMs: number,
): string {
  let path = "";
  let lastMs: number | null = null;
  for (const [index, { at }] of stretches.entries()) {
    const ratio = ratios[index] ?? null;
    if (ratio === null) {
      lastMs = null;
      continue;
    }
    const ms = Date.parse(at);
    const goesOn = lastMs !== null && ms - lastMs <= intervalMs * GAP_INTERVALS;
    path += `${goesOn ? "L" : "M"}${x(ms).toFixed(1)} ${y(ratio).toFixed(1)}`;
    // A single point is a line without length, which round ends make a dot.
    if (!goesOn) path += "h0";
    lastMs = ms;
  }
  return path;
}

/** Returns the index of the stretch nearest to a position; -1 without stretches. @param at px */
export function nearestTo(at: number, stretches: readonly Pick<DriftStretch, "at">[], x: Scale["x"]): number {
  let nearest = -1;
  let least = Number.POSITIVE_INFINITY;
  for (const [index, stretch] of stretches.entries()) {
    const away = Math.abs(x(Date.parse(stretch.at)) - at);
    if (away < least) [nearest, least] = [index, away];
  }
  return nearest;
}
