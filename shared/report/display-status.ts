import type { ScreenshotStatus } from "../contracts/runs/screenshots.ts";
import type { ReportScreenshot } from "./report-model.ts";

/** The status to display for a screenshot: its decision if there is one, otherwise its own status. */
export type DisplayStatus = ScreenshotStatus | "minor" | "approved" | "rejected" | "carried";

/** The most urgent first. */
export const DISPLAY_STATUSES: readonly DisplayStatus[] = [
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

/** The fields of a screenshot that decide its display status. */
export interface DisplayFields extends Pick<ReportScreenshot, "status" | "minor"> {
  review: Pick<NonNullable<ReportScreenshot["review"]>, "state"> | null;
  /** Null without a carried approval. */
  carried: object | null;
}

/** Returns the status to display for a screenshot. */
export function displayStatusOf({ status, minor, review, carried }: DisplayFields): DisplayStatus {
  if (review === null || review.state === "pending") return minor ? "minor" : status;
  return review.state === "approved" && carried !== null ? "carried" : review.state;
}

/**
 * Returns whether a difference is a minor change: some changed pixels, but within the threshold.
 * @param isWithin whether the difference is within the threshold, as for the status `unchanged`
 * @param changed changed pixels, or their ratio; null without a comparison
 */
export function isMinor(isWithin: boolean, changed: number | null): boolean {
  return isWithin && changed !== null && changed > 0;
}
