import { pageName } from "../../../shared/contracts/capture/screenshot-key.ts";
import { type GroupName, groupScreenshots } from "../../../shared/report/group-screenshots.ts";
import { type Tally, tallyOf } from "../../../shared/report/tally.ts";
import { plainText } from "../../../shared/text/code-spans.ts";
import type { Screenshot } from "../../api/screenshot.ts";
import { hasSelection, isSelected, type SelectedValues } from "../../run/screenshot-filters.ts";
import { reviewTexts, sectionTitles } from "../../texts/review.ts";
import { isUndecided } from "../decisions/decision.ts";

/** Screenshots under a heading of the queue. */
export interface Section {
  key: string;
  title: string;
  shots: readonly Screenshot[];
  /** Whether they can be decided together: identical or minor changes. */
  isGroup: boolean;
  /** Folders and name of a component of a Storybook, such as `Forms` and `Button`. Its rows are those of a tree. */
  path?: readonly string[];
}

/** What the queue shows: what needs review, minor changes too, or everything. */
export type Extent = "question" | "minor" | "all";

/** Groups that need no decision. */
const FOLDED_GROUPS: readonly GroupName[] = ["pending", "unstable", "unchanged"];

function isShown(name: GroupName, extent: Extent): boolean {
  if (extent === "all") return true;
  return !FOLDED_GROUPS.includes(name) && (name !== "minor" || extent === "minor");
}

const undecided = (shot: Screenshot): Screenshot => ({ ...shot, review: null, carried: null });

/** Statuses that only decisions give. */
const DECISIONS = new Set<SelectedValues["standing"]>(["approved", "rejected", "carried"]);

/**
 * Returns the screenshots with the selected values. As in the queue, the status is the one before decisions,
 * so that a decided screenshot stays in its place. A link may also select decided ones.
 */
export function selectedForReview(
  shots: readonly Screenshot[],
  selected: SelectedValues,
): readonly Screenshot[] {
  if (!hasSelection(selected)) return shots;
  const compared = DECISIONS.has(selected.standing) ? (shot: Screenshot) => shot : undecided;
  return shots.filter(shot => isSelected(compared(shot), selected));
}

/** Returns the run's counts of statuses before decisions. */
export const tallyForReview = (shots: readonly Screenshot[]): Tally => tallyOf(shots.map(undecided));

/**
 * Returns a run's screenshots in review order. Decisions don't change it, so that nothing moves during a
 * review.
 */
export function queueOf(shots: readonly Screenshot[], extent: Extent): Section[] {
  const byId = new Map(shots.map(shot => [shot.id, shot]));
  const groups = groupScreenshots(shots.map(undecided));
  const asTheyAre = (stack: readonly Screenshot[]) => stack.flatMap(shot => byId.get(shot.id) ?? []);
  const shown = groups.filter(({ name }) => isShown(name, extent));
  return shown.flatMap(({ name, stacks }) => {
    if (name === "minor")
      return [{ key: name, title: sectionTitles[name], shots: asTheyAre(stacks.flat()), isGroup: true }];
    const [stacked, alone] = [
      stacks.filter(stack => stack.length > 1),
      stacks.filter(stack => stack.length === 1),
    ];
    const sections = stacked.map((stack, index) => ({
      key: `${name} ${stack[0]?.id}`,
      title: titleOf(stack, index),
      shots: asTheyAre(stack),
      isGroup: true,
    }));
    const title = stacked.length > 0 ? reviewTexts.ungrouped(sectionTitles[name]) : sectionTitles[name];
    const rest = { key: name, title, shots: largestFirst(asTheyAre(alone.flat())), isGroup: false };
    return rest.shots.length > 0 ? [...sections, rest] : sections;
  });
}

/** Returns the first cause that all screenshots of a group have, else its number. */
function titleOf(stack: readonly Screenshot[], index: number): string {
  const [first, ...others] = stack.map(({ explanation }) => explanation?.causes ?? []);
  const shared = first?.find(({ key }) => others.every(causes => causes.some(cause => cause.key === key)));
  return shared ? plainText(shared.text) : reviewTexts.sameChange(index + 1);
}

/**
 * Sorts by the share of changed pixels, so that the most broken page isn't the last one. Pixels with a slightly different
 * color count if no others changed.
 */
export function largestFirst(shots: readonly Screenshot[]): Screenshot[] {
  return shots.toSorted(
    (one, other) =>
      (other.diffRatio ?? 0) - (one.diffRatio ?? 0) || (other.faintPixels ?? 0) - (one.faintPixels ?? 0),
  );
}

/**
 * Returns the run's first minor change: the largest undecided one, otherwise the largest; null without any.
 */
export function firstMinor(shots: readonly Screenshot[]): Screenshot | null {
  const minor = queueOf(shots, "minor").find(({ key }) => key === "minor")?.shots ?? [];
  return minor.find(isUndecided) ?? minor[0] ?? null;
}

/** Returns whether the screenshot's name contains the text. */
export function hasName(shot: Screenshot, text: string): boolean {
  return pageName(shot).toLowerCase().includes(text.trim().toLowerCase());
}

/** Returns the sections with the screenshots whose name contains the text. */
export function sectionsMatching(sections: readonly Section[], text: string): Section[] {
  return sectionsWith(sections, shot => hasName(shot, text));
}

/** Returns the sections with only these of their screenshots. Their titles stay the same. */
export function sectionsOf(sections: readonly Section[], shots: readonly Screenshot[]): Section[] {
  const ids = new Set(shots.map(({ id }) => id));
  return sectionsWith(sections, ({ id }) => ids.has(id));
}

function sectionsWith(sections: readonly Section[], isShown: (shot: Screenshot) => boolean): Section[] {
  return sections
    .map(section => ({ ...section, shots: section.shots.filter(isShown) }))
    .filter(({ shots }) => shots.length > 0);
}

/** Returns the next undecided screenshot after this one, then from the beginning; null if there is none. */
export function nextUndecided(
  queue: readonly Screenshot[],
  id: string,
  without: ReadonlySet<string> = new Set(),
): Screenshot | null {
  const at = queue.findIndex(shot => shot.id === id);
  const around = [...queue.slice(at + 1), ...queue.slice(0, at + 1)];
  return around.find(shot => isUndecided(shot) && !without.has(shot.id)) ?? null;
}

/** Returns the screenshot at an offset; null beyond the ends. */
export function neighbor(queue: readonly Screenshot[], id: string, by: number): Screenshot | null {
  const at = queue.findIndex(shot => shot.id === id);
  return at < 0 ? (queue[0] ?? null) : (queue[at + by] ?? null);
}

/** Returns the same page at its next width, after the widest at the narrowest; null if it has only one. */
export function nextWidth(shots: readonly Screenshot[], current: Screenshot): Screenshot | null {
  const { id } = current;
  const widths = shots
    .filter(shot => pageName(shot) === pageName(current))
    .sort((one, other) => one.viewport - other.viewport);
  const next = widths[(widths.findIndex(shot => shot.id === id) + 1) % widths.length];
  return next && next.id !== id ? next : null;
}

/** Returns the screenshots that are decided together with this one. */
export function groupOf(sections: readonly Section[], id: string): readonly Screenshot[] {
  const section = sections.find(({ shots }) => shots.some(shot => shot.id === id));
  if (section?.isGroup) return section.shots;
  return section?.shots.filter(shot => shot.id === id) ?? [];
}
