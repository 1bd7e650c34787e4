import type { RunView, ScreenshotStatus } from "../contracts/http.ts";
import type { ReportScreenshot } from "./report-model.ts";

/** What a screenshot counts as for its reader: its decision where there is one, else its status. */
export type Standing = ScreenshotStatus | "minor" | "approved" | "rejected" | "carried";

/** In the order in which a reader should care. */
export const STANDINGS: readonly Standing[] = [
  "changed",
  "new",
  "removed",
  "failed",
  "rejected",
  "pending",
  "approved",
  "carried",
  "minor",
  "unchanged",
];

/** What of a screenshot says what it counts as. */
export interface Judged extends Pick<ReportScreenshot, "status" | "minor"> {
  review: Pick<NonNullable<ReportScreenshot["review"]>, "state"> | null;
  /** Null where no approval before holds for it. */
  carried: object | null;
}

export function standingOf({ status, minor, review, carried }: Judged): Standing {
  if (review === null || review.state === "pending") return minor ? "minor" : status;
  return review.state === "approved" && carried !== null ? "carried" : review.state;
}

/** A ratio of 0–1 as a percentage that never rounds a change to none, nor nearly all to all. */
export function percent(ratio: number): string {
  const value = ratio * 100;
  if (value === 0) return "0\u202f%";
  if (value < 0.01) return "<\u202f0.01\u202f%";
  if (value < 1) return `${Number(value.toFixed(2))}\u202f%`;
  if (value < 100) return `${Math.min(99.9, Number(value.toFixed(1)))}\u202f%`;
  return "100\u202f%";
}

/** A threshold of 0–1 as a percentage, as it was written and not rounded: `1.25 %` is no `1.3 %`. */
export function limitInWords(threshold: number): string {
  return `${Number((threshold * 100).toPrecision(6))}\u202f%`;
}

/** A ratio of 0–1 as a percentage, with more digits where it would else read as on the other side of the threshold. */
export function percentBeside(ratio: number, threshold: number): string {
  const least = ratio < 0.01 ? 2 : 1;
  for (let digits = least; digits <= 6; digits += 1) {
    const shown = Number((ratio * 100).toFixed(digits));
    const isTrue = shown > threshold * 100 === ratio > threshold;
    if (isTrue) return digits === least ? percent(ratio) : `${shown}\u202f%`;
  }
  return percent(ratio);
}

/** `1 region`, `3 regions`. */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${figure(n)} ${n === 1 ? one : many}`;
}

/** A number as it is read, as `2,000`. */
export function figure(n: number): string {
  return n.toLocaleString("en");
}

/** Time between two ISO dates as `4 min 12 s`; null when either is no date. */
export function elapsed(from: string, to: string): string | null {
  const seconds = Math.round((Date.parse(to) - Date.parse(from)) / 1000);
  if (!Number.isFinite(seconds) || seconds < 0) return null;
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** How a screenshot differs, in a few words. */
export function difference(shot: ReportScreenshot): string {
  if (shot.status === "pending") return "not captured yet";
  if (shot.status === "failed") return "could not be captured";
  if (shot.status === "new")
    return shot.review?.state === "approved" ? "became the baseline" : "no baseline yet";
  if (shot.status === "removed") return "no longer in the run";
  if (shot.diffRatio === null || shot.diffRatio === 0)
    return shot.ignored?.pixels ? "identical outside of ignore regions" : "identical";
  if (shot.minor) return differenceInFull(shot.diffRatio, shot.diffPixels);
  return `${percent(shot.diffRatio)} · ${count(shot.regions.length, "region")}`;
}

/** Screenshots by status, in the order in which a reader should care. */
const COUNTED = ["failed", "changed", "new", "removed"] as const;

/** A run's counts; those of an older service have no minor changes. */
export type Counts = Omit<RunView["counts"], "minor"> & Partial<Pick<RunView["counts"], "minor">>;

/**
 * Returns `2 changed, 3 minor changes, 40 unchanged`: the counts that are not 0, or nothing where all are. Minor changes
 * are not among the unchanged ones here, as they are in the API.
 */
export function countsInWords({ minor = 0, ...counts }: Counts): string {
  const said = COUNTED.filter(status => counts[status] > 0).map(
    status => `${figure(counts[status])} ${status}`,
  );
  const same = counts.unchanged - minor;
  if (minor > 0) said.push(count(minor, "minor change"));
  if (same > 0) said.push(`${figure(same)} unchanged`);
  return said.join(", ");
}

/** Returns `40 screenshots unchanged, 3 with minor changes`, for a run in which nothing else happened. */
export function unchangedInWords(unchanged: number, minor: number): string {
  if (minor === 0) return `${count(unchanged, "screenshot")} unchanged`;
  const changes = minor === 1 ? "a minor change" : "minor changes";
  if (unchanged === 0) return `${count(minor, "screenshot")} with ${changes}`;
  return `${count(unchanged, "screenshot")} unchanged, ${figure(minor)} with ${changes}`;
}

/** How the two sizes differ, in words; null when they do not, or when there is only one. */
export function sizeChange(shot: ReportScreenshot): string | null {
  const { baseline, width, height } = shot;
  if (baseline === null || width === null || height === null) return null;
  const parts = [
    lengthChange(width - baseline.width, "wider", "narrower"),
    lengthChange(height - baseline.height, "taller", "shorter"),
  ].filter(part => part !== null);
  return parts.length > 0 ? parts.join(", ") : null;
}

function lengthChange(delta: number, more: string, less: string): string | null {
  if (delta === 0) return null;
  return `${Math.abs(delta).toLocaleString("en")} px ${delta > 0 ? more : less}`;
}

/** Why a screenshot is not to be trusted, and what kept moving. */
export function instability(shot: ReportScreenshot): string {
  const what = shot.moving.length > 0 ? shot.moving.join(", ") : "something we could not name";
  return `Unstable: no two of ${count(shot.attempts, "take")} agreed. Kept moving: ${what}.`;
}

/** Below this a page's noise is not worth a word beside its screenshots. */
const LEAST_FLAKE_SCORE = 0.05;

/** `flaky 12 %` where noise is frequent on the page, else null. */
export function flakiness({ flakeScore = 0 }: Pick<ReportScreenshot, "flakeScore">): string | null {
  return flakeScore < LEAST_FLAKE_SCORE ? null : `flaky ${Math.round(flakeScore * 100)}\u202f%`;
}

/** What the ignore regions of a screenshot hid; null where they hid nothing. */
export function ignoredInWords({ ignored }: ReportScreenshot): string | null {
  if (!ignored?.pixels) return null;
  const hiding = ignored.regions.filter(({ pixels }) => pixels > 0).length;
  return `${count(ignored.pixels, "changed pixel")} in ${count(hiding, "ignore region")} ${ignored.pixels === 1 ? "does" : "do"} not count.`;
}

/** What the ignore regions of all these screenshots hid; null where they hid nothing. */
export function allIgnoredInWords(screenshots: readonly Pick<ReportScreenshot, "ignored">[]): string | null {
  const hiding = screenshots.map(({ ignored }) => ignored?.pixels ?? 0).filter(pixels => pixels > 0);
  const pixels = hiding.reduce((sum, each) => sum + each, 0);
  if (pixels === 0) return null;
  return `Ignore regions hide ${count(pixels, "changed pixel")} of ${count(hiding.length, "screenshot")}.`;
}

/** `1.8 %, 12,345 pixels`. */
export function differenceInFull(ratio: number, pixels: number | null): string {
  return pixels === null ? percent(ratio) : `${percent(ratio)}, ${count(pixels, "pixel")}`;
}
