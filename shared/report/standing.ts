import type { ScreenshotStatus } from "../contracts/runs/runs.ts";
import type { ReportScreenshot } from "./report-model.ts";

/** How a screenshot counts for its reader: its decision where there is one, otherwise its status. */
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

/** The fields of a screenshot that decide its standing. */
export interface Judged extends Pick<ReportScreenshot, "status" | "minor"> {
  review: Pick<NonNullable<ReportScreenshot["review"]>, "state"> | null;
  /** Null without a carried approval. */
  carried: object | null;
}

/** Returns how a screenshot counts for its reader. */
export function displayStatusOf({ status, minor, review, carried }: Judged): DisplayStatus {
  if (review === null || review.state === "pending") return minor ? "minor" : status;
  return review.state === "approved" && carried !== null ? "carried" : review.state;
}
