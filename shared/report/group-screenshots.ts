import type { ReportScreenshot } from "./report-model.ts";
import { type Judged, standingOf } from "./words.ts";

export type GroupName =
  | "review"
  | "new"
  | "removed"
  | "failed"
  | "pending"
  | "unstable"
  | "reviewed"
  | "unchanged";

/** What of a screenshot says where it is shown. */
export interface Grouped extends Judged, Pick<ReportScreenshot, "stable" | "fingerprint" | "diffRatio"> {}

/** Screenshots shown under one heading; each inner list is one change seen on all of its screenshots. */
export interface ScreenshotGroup<S extends Grouped = ReportScreenshot> {
  name: GroupName;
  stacks: S[][];
}

/** What stands over each group. */
export const HEADINGS: Record<GroupName, { title: string; about: string }> = {
  review: {
    title: "Needs review",
    about: "More pixels differ from the baseline than the threshold lets pass.",
  },
  new: { title: "New", about: "Nothing to compare with yet: these become the baseline once approved." },
  removed: { title: "Removed", about: "In the baseline, and not in this run." },
  failed: { title: "Failed", about: "No screenshot could be taken, for the reason given." },
  pending: { title: "Still to come", about: "Not captured or not compared yet." },
  unstable: {
    title: "Unchanged but unstable",
    about:
      "Within the threshold, on pages that did not hold still: a later run may see a change that is none.",
  },
  reviewed: { title: "Reviewed", about: "Decided, here or by an approval that carried." },
  unchanged: { title: "Unchanged", about: "As the baseline, or within the threshold." },
};

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
export function groupScreenshots<S extends Grouped>(screenshots: readonly S[]): ScreenshotGroup<S>[] {
  const byName = Map.groupBy(screenshots, groupOf);
  return ORDER.flatMap(name => {
    const members = byName.get(name);
    return members ? [{ name, stacks: stacksOf(inOrder(members)) }] : [];
  });
}

function groupOf(shot: Grouped): GroupName {
  if (shot.status === "unchanged") return shot.stable ? "unchanged" : "unstable";
  // Why it failed is to be read whatever was decided of it.
  if (shot.status !== "failed" && standingOf(shot) !== shot.status) return "reviewed";
  return shot.status === "changed" ? "review" : shot.status;
}

/** Of those that are unchanged, the ones that differ most come first: they are next to be a change. */
function inOrder<S extends Grouped>(members: readonly S[]): readonly S[] {
  const distance = ({ status, diffRatio }: S) => (status === "unchanged" ? (diffRatio ?? 0) : 0);
  return members.toSorted((a, b) => distance(b) - distance(a));
}

/** The change seen most often comes first: one decision settles the most. */
function stacksOf<S extends Grouped>(members: readonly S[]): S[][] {
  // Approved and rejected screenshots of one change must not hide behind each other.
  const changeOf = (shot: S) =>
    shot.status === "changed" && shot.fingerprint !== null ? `${standingOf(shot)} ${shot.fingerprint}` : shot;
  const stacks = [...Map.groupBy(members, changeOf).values()];
  return stacks.sort((a, b) => b.length - a.length);
}
