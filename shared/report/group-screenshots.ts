import type { ReportScreenshot } from "./report-model.ts";
import { standingOf } from "./words.ts";

export type GroupName =
  | "review"
  | "new"
  | "removed"
  | "failed"
  | "pending"
  | "unstable"
  | "reviewed"
  | "unchanged";

/** Screenshots shown under one heading; each inner list is one change seen on all of its screenshots. */
export interface ScreenshotGroup {
  name: GroupName;
  stacks: ReportScreenshot[][];
}

const ORDER: readonly GroupName[] = [
  "review",
  "new",
  "removed",
  "failed",
  "pending",
  "unstable",
  "reviewed",
  "unchanged",
];

/** The groups that have screenshots, in the order in which a reviewer needs them. */
export function groupScreenshots(screenshots: readonly ReportScreenshot[]): ScreenshotGroup[] {
  const byName = Map.groupBy(screenshots, groupOf);
  return ORDER.flatMap(name => {
    const members = byName.get(name);
    return members ? [{ name, stacks: stacksOf(members) }] : [];
  });
}

function groupOf(shot: ReportScreenshot): GroupName {
  if (shot.status === "changed") return standingOf(shot) === "changed" ? "review" : "reviewed";
  if (shot.status === "unchanged") return shot.stable ? "unchanged" : "unstable";
  return shot.status;
}

/** The change seen most often comes first: one decision settles the most. */
function stacksOf(members: readonly ReportScreenshot[]): ReportScreenshot[][] {
  // Approved and rejected screenshots of one change must not hide behind each other.
  const changeOf = (shot: ReportScreenshot) =>
    shot.status === "changed" && shot.fingerprint !== null ? `${standingOf(shot)} ${shot.fingerprint}` : shot;
  const stacks = [...Map.groupBy(members, changeOf).values()];
  return stacks.sort((a, b) => b.length - a.length);
}
