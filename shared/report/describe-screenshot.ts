import type { RunView } from "../contracts/runs/runs.ts";
import { percent } from "../text/format.ts";
import type { ReportScreenshot } from "./report-model.ts";
import { SCREENSHOT_TEXTS } from "./texts.ts";

/** Describes briefly how a screenshot differs. */
export function describeDifference(shot: ReportScreenshot): string {
  const { status, review, diffRatio, minor, regions, ignored } = shot;
  if (status === "pending" || status === "failed" || status === "removed") return SCREENSHOT_TEXTS[status];
  if (status === "new")
    return review?.state === "approved" ? SCREENSHOT_TEXTS.becameBaseline : SCREENSHOT_TEXTS.new;
  if (minor) return formatDifference(shot);
  if (diffRatio === null || diffRatio === 0)
    return ignored?.pixels ? SCREENSHOT_TEXTS.identicalOutside : SCREENSHOT_TEXTS.identical;
  return SCREENSHOT_TEXTS.changed(percent(diffRatio), regions.length);
}

/** Describes how a screenshot differs for screen readers: `3 regions changed, 0.4%`. */
export function describeDifferenceSpoken(shot: ReportScreenshot): string {
  const { status, diffRatio, regions } = shot;
  if (status !== "changed" || !diffRatio) return describeDifference(shot);
  return SCREENSHOT_TEXTS.changedSpoken(percent(diffRatio), regions.length);
}

/** Returns `1.8%, 12,345 pixels`, or `12,345 pixels, slightly different color`. Null ratios count as 0. */
export function formatDifference({
  diffRatio,
  diffPixels,
  faintPixels = 0,
}: Pick<ReportScreenshot, "diffRatio" | "diffPixels" | "faintPixels">): string {
  if (faintPixels > 0) return SCREENSHOT_TEXTS.faint(faintPixels);
  const share = percent(diffRatio ?? 0);
  return diffPixels === null ? share : SCREENSHOT_TEXTS.amount(share, diffPixels);
}

/** Statuses in counts, the most urgent first. */
const COUNTED = ["failed", "changed", "new", "removed"] as const;

/** A run's counts. Older services don't send minor changes. */
export type Counts = Omit<RunView["counts"], "minor"> & Partial<Pick<RunView["counts"], "minor">>;

/**
 * Returns `2 changed, 3 minor changes, 40 unchanged`, without counts of 0; empty if all are 0. Unlike in the
 * API, minor changes don't count as unchanged here.
 */
export function formatCounts({ minor = 0, ...counts }: Counts): string {
  const parts = COUNTED.filter(status => counts[status] > 0).map(status =>
    SCREENSHOT_TEXTS.counted(counts[status], status),
  );
  const same = counts.unchanged - minor;
  if (minor > 0) parts.push(SCREENSHOT_TEXTS.minorChanges(minor));
  if (same > 0) parts.push(SCREENSHOT_TEXTS.counted(same, "unchanged"));
  return parts.join(", ");
}

/** Returns `40 screenshots unchanged, 3 with minor changes`, for a run with nothing else. */
export function describeUnchanged(unchanged: number, minor: number): string {
  if (minor === 0) return SCREENSHOT_TEXTS.unchanged(unchanged);
  return unchanged === 0
    ? SCREENSHOT_TEXTS.onlyMinor(minor)
    : SCREENSHOT_TEXTS.unchangedAndMinor(unchanged, minor);
}

/** Describes how the sizes differ; null if they are equal or if there is only one. */
export function describeSizeChange(shot: ReportScreenshot): string | null {
  const { baseline, width, height } = shot;
  if (baseline === null || width === null || height === null) return null;
  const { wider, narrower, taller, shorter } = SCREENSHOT_TEXTS;
  const parts = [
    lengthChange(width - baseline.width, wider, narrower),
    lengthChange(height - baseline.height, taller, shorter),
  ].filter(part => part !== null);
  return parts.length > 0 ? parts.join(", ") : null;
}

type LengthText = (px: number) => string;

function lengthChange(delta: number, more: LengthText, less: LengthText): string | null {
  if (delta === 0) return null;
  return delta > 0 ? more(delta) : less(-delta);
}

/** Describes why a screenshot is unstable, and which elements kept changing. */
export function describeInstability({ attempts, moving }: ReportScreenshot): string {
  return SCREENSHOT_TEXTS.unstable(attempts, moving);
}

/** Below this score, a page isn't called flaky. */
const MIN_FLAKE_SCORE = 0.05;

/** Returns `flaky 12%` for a flaky page, otherwise null. */
export function formatFlakeScore({ flakeScore = 0 }: Pick<ReportScreenshot, "flakeScore">): string | null {
  return flakeScore < MIN_FLAKE_SCORE ? null : SCREENSHOT_TEXTS.flaky(flakeScore);
}

/** Describes how many changed pixels the ignore regions of a screenshot hide; null if none. */
export function describeIgnored({ ignored }: ReportScreenshot): string | null {
  if (!ignored?.pixels) return null;
  const hiding = ignored.regions.filter(({ pixels }) => pixels > 0).length;
  return SCREENSHOT_TEXTS.ignored(ignored.pixels, hiding);
}

/** Describes how many changed pixels the ignore regions of all screenshots hide; null if none. */
export function describeAllIgnored(screenshots: readonly Pick<ReportScreenshot, "ignored">[]): string | null {
  const hiding = screenshots.map(({ ignored }) => ignored?.pixels ?? 0).filter(pixels => pixels > 0);
  const pixels = hiding.reduce((sum, each) => sum + each, 0);
  return pixels === 0 ? null : SCREENSHOT_TEXTS.ignoredInAll(pixels, hiding.length);
}
