import { EXPLANATION_BOUNDS } from "../contracts/runs/explanation.ts";
import type { RunKind } from "../contracts/runs/runs.ts";
import { type DisplayFields, displayStatusOf } from "./display-status.ts";
import type { ReportScreenshot } from "./report-model.ts";
import { GROUP_TEXTS } from "./texts.ts";

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

/** The fields of a screenshot that decide its group. */
export interface Grouped
  extends DisplayFields,
    Pick<ReportScreenshot, "stable" | "fingerprint" | "diffRatio" | "explanation"> {
  /** Keys of its causes, where the explanation itself isn't loaded. */
  causeKeys?: readonly string[] | null;
}

/** Screenshots under one heading. Each inner list is one change on several screenshots, or changes with one cause. */
export interface ScreenshotGroup<S extends Grouped = ReportScreenshot> {
  name: GroupName;
  stacks: S[][];
}

interface Heading {
  title: string;
  about: string;
}

const HEADINGS: Record<GroupName, Heading> = GROUP_TEXTS;

/** Returns the heading of a group. Null reruns have nothing to review. */
export function headingOf(name: GroupName, kind: RunKind = "run"): Heading {
  return kind === "null-rerun" && name === "review" ? GROUP_TEXTS.falseAlarms : HEADINGS[name];
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

/** Groups that are initially folded. */
export const FOLDED: ReadonlySet<GroupName> = new Set(["minor", "unchanged"]);

/** Returns the non-empty groups in review order. */
export function groupScreenshots<S extends Grouped>(screenshots: readonly S[]): ScreenshotGroup<S>[] {
  const byName = Map.groupBy(screenshots, groupOf);
  return ORDER.flatMap(name => {
    const members = byName.get(name);
    return members ? [{ name, stacks: stacksOf(inOrder(members)) }] : [];
  });
}

function groupOf(shot: Grouped): GroupName {
  const standing = displayStatusOf(shot);
  // Reviewers must see the reason of a failure, whatever the decision.
  if (shot.status === "failed") return "failed";
  if (standing === "minor") return "minor";
  if (standing !== shot.status) return "reviewed";
  if (shot.status === "unchanged") return shot.stable ? "unchanged" : "unstable";
  return shot.status === "changed" ? "review" : shot.status;
}

/** Sorts the largest minor changes first, since they are closest to the threshold. */
function inOrder<S extends Grouped>(members: readonly S[]): readonly S[] {
  const distance = ({ minor, diffRatio }: S) => (minor ? (diffRatio ?? 0) : 0);
  return members.toSorted((a, b) => distance(b) - distance(a));
}

/**
 * Sorts the most frequent change first, since one decision covers the most. Minor changes stay sorted by
 * size.
 */
function stacksOf<S extends Grouped>(members: readonly S[]): S[][] {
  const changes = new Map<string, S>();
  // Screenshots with equal pixels or equal causes belong to the first of them.
  const changeOf = (shot: S): S => {
    const keys = changeKeysOf(shot);
    const first = keys.map(key => changes.get(key)).find(known => known !== undefined) ?? shot;
    for (const key of keys) if (!changes.has(key)) changes.set(key, first);
    return first;
  };
  const stacks = [...Map.groupBy(members, changeOf).values()];
  const weight = (stack: S[]) => (stack.every(({ minor }) => minor) ? 0 : stack.length);
  return stacks.sort((a, b) => weight(b) - weight(a));
}

/**
 * Returns what screenshots of one change share: the changed pixels, or all of their causes. A page with one more cause
 * has another change, so that no decision on a group covers it.
 */
function changeKeysOf(shot: Grouped): string[] {
  if (shot.status !== "changed" && !shot.minor) return [];
  // Keeps approved and rejected screenshots of one change apart, so that all are visible.
  const standing = displayStatusOf(shot);
  const causes = shot.causeKeys ?? shot.explanation?.causes.map(({ key }) => key) ?? [];
  // An explanation that is full may leave out more causes.
  const isComplete = causes.length > 0 && causes.length < EXPLANATION_BOUNDS.causes;
  return [
    ...(shot.fingerprint === null ? [] : [`${standing} ${shot.fingerprint}`]),
    ...(isComplete ? [`${standing} ${causes.toSorted().join(" ")}`] : []),
  ];
}
