import type { RunKind } from "../contracts/http.ts";
import type { ReportScreenshot } from "./report-model.ts";
import { type Judged, standingOf } from "./words.ts";

export type GroupName =
  | "review"
  | "new"
  | "removed"
  | "failed"
  | "pending"
  | "minor"
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

interface Heading {
  title: string;
  about: string;
}

const HEADINGS: Record<GroupName, Heading> = {
  review: {
    title: "Needs review",
    about: "More pixels differ from the baseline than the threshold lets pass.",
  },
  new: { title: "New", about: "Nothing to compare with yet: these become the baseline once approved." },
  removed: { title: "Removed", about: "In the baseline, and not in this run." },
  failed: { title: "Failed", about: "No screenshot could be taken, for the reason given." },
  pending: { title: "Still to come", about: "Not captured or not compared yet." },
  minor: {
    title: "Minor changes",
    about: "Pixels changed, within the threshold. Reviewing them is optional.",
  },
  unstable: {
    title: "Unchanged but unstable",
    about: "Unchanged, on pages that did not hold still: a later run may see a change that is none.",
  },
  reviewed: { title: "Reviewed", about: "Decided, here or by an approval that carried." },
  unchanged: { title: "Unchanged", about: "No pixel changed outside of ignore regions." },
};

const FALSE_ALARMS: Heading = {
  title: "False alarms",
  about: "These pages differ from the run that this one repeats, although the deployment is the same.",
};

/** Returns what stands over a group. A null rerun has nothing to review. */
export function headingOf(name: GroupName, kind: RunKind = "run"): Heading {
  return kind === "null-rerun" && name === "review" ? FALSE_ALARMS : HEADINGS[name];
}

const ORDER: readonly GroupName[] = [
  "review",
  "new",
  "removed",
  "failed",
  "pending",
  "minor",
  "unstable",
  "reviewed",
  "unchanged",
];

/** The groups that are folded until a reader opens them. */
export const FOLDED: ReadonlySet<GroupName> = new Set(["minor", "unchanged"]);

/** The groups that have screenshots, in the order in which a reviewer needs them. */
export function groupScreenshots<S extends Grouped>(screenshots: readonly S[]): ScreenshotGroup<S>[] {
  const byName = Map.groupBy(screenshots, groupOf);
  return ORDER.flatMap(name => {
    const members = byName.get(name);
    return members ? [{ name, stacks: stacksOf(inOrder(members)) }] : [];
  });
}

function groupOf(shot: Grouped): GroupName {
  const standing = standingOf(shot);
  // Why it failed is to be read whatever was decided of it.
  if (shot.status === "failed") return "failed";
  if (standing === "minor") return "minor";
  if (standing !== shot.status) return "reviewed";
  if (shot.status === "unchanged") return shot.stable ? "unchanged" : "unstable";
  return shot.status === "changed" ? "review" : shot.status;
}

/** The largest minor changes come first: they are next to be more than that. */
function inOrder<S extends Grouped>(members: readonly S[]): readonly S[] {
  const distance = ({ minor, diffRatio }: S) => (minor ? (diffRatio ?? 0) : 0);
  return members.toSorted((a, b) => distance(b) - distance(a));
}

/** The change seen most often comes first: one decision settles the most. Minor changes stay in the order of their size. */
function stacksOf<S extends Grouped>(members: readonly S[]): S[][] {
  // Approved and rejected screenshots of one change must not hide behind each other.
  const changeOf = (shot: S) =>
    (shot.status === "changed" || shot.minor) && shot.fingerprint !== null
      ? `${standingOf(shot)} ${shot.fingerprint}`
      : shot;
  const stacks = [...Map.groupBy(members, changeOf).values()];
  const weight = (stack: S[]) => (stack.every(({ minor }) => minor) ? 0 : stack.length);
  return stacks.sort((a, b) => weight(b) - weight(a));
}
