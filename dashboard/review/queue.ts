import { type GroupName, groupScreenshots } from "../../shared/report/group-screenshots.ts";
import type { Shot } from "../api/shot.ts";
import { reviewTexts, sectionTitles } from "../texts/review.ts";
import { isUndecided } from "./decisions/decision.ts";

/** Screenshots under one heading of the queue. */
export interface Section {
  key: string;
  title: string;
  shots: readonly Shot[];
  /** Whether they can be decided as one: equal changes, or the minor ones. */
  isGroup: boolean;
}

/** How much of a run the queue shows: what needs review, the minor changes too, or everything. */
export type Extent = "question" | "minor" | "all";

/** Groups that need no decision. */
const SETTLED: readonly GroupName[] = ["pending", "unstable", "unchanged"];

function isShown(name: GroupName, extent: Extent): boolean {
  if (extent === "all") return true;
  return !SETTLED.includes(name) && (name !== "minor" || extent === "minor");
}

/**
 * A run's screenshots in the order of their review. A decision changes nothing of it: what is decided stays in its
 * place, so that nothing jumps while a reviewer looks at it.
 */
export function queueOf(shots: readonly Shot[], extent: Extent): Section[] {
  const byId = new Map(shots.map(shot => [shot.id, shot]));
  const groups = groupScreenshots(shots.map(shot => ({ ...shot, review: null, carried: null })));
  const asTheyAre = (stack: readonly Shot[]) => stack.flatMap(shot => byId.get(shot.id) ?? []);
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
      title: reviewTexts.identicalChange(index + 1),
      shots: asTheyAre(stack),
      isGroup: true,
    }));
    const title = stacked.length > 0 ? reviewTexts.ungrouped(sectionTitles[name]) : sectionTitles[name];
    const rest = { key: name, title, shots: asTheyAre(alone.flat()), isGroup: false };
    return rest.shots.length > 0 ? [...sections, rest] : sections;
  });
}

/** Returns the run's minor change to begin with: the largest that is not decided, else the largest; null without any. */
export function firstMinor(shots: readonly Shot[]): Shot | null {
  const minor = queueOf(shots, "minor").find(({ key }) => key === "minor")?.shots ?? [];
  return minor.find(isUndecided) ?? minor[0] ?? null;
}

/** The section's screenshots whose route has the text in it. */
export function sectionsMatching(sections: readonly Section[], text: string): Section[] {
  const wanted = text.trim().toLowerCase();
  return sections
    .map(section => ({
      ...section,
      shots: section.shots.filter(({ route }) => route.toLowerCase().includes(wanted)),
    }))
    .filter(({ shots }) => shots.length > 0);
}

/** The next screenshot of the queue that is not decided, behind this one and then from the beginning; null when none does. */
export function nextOpen(
  queue: readonly Shot[],
  id: string,
  without: ReadonlySet<string> = new Set(),
): Shot | null {
  const at = queue.findIndex(shot => shot.id === id);
  const around = [...queue.slice(at + 1), ...queue.slice(0, at + 1)];
  return around.find(shot => isUndecided(shot) && !without.has(shot.id)) ?? null;
}

/** The one so many places further; null beyond the ends. */
export function neighbour(queue: readonly Shot[], id: string, by: number): Shot | null {
  const at = queue.findIndex(shot => shot.id === id);
  return at < 0 ? (queue[0] ?? null) : (queue[at + by] ?? null);
}

/** The same page at its next width, and after the widest at its narrowest; null when it has one only. */
export function nextWidth(shots: readonly Shot[], { id, route }: Shot): Shot | null {
  const widths = shots
    .filter(shot => shot.route === route)
    .sort((one, other) => one.viewport - other.viewport);
  const next = widths[(widths.findIndex(shot => shot.id === id) + 1) % widths.length];
  return next && next.id !== id ? next : null;
}

/** The screenshots that are decided together with this one. */
export function groupOf(sections: readonly Section[], id: string): readonly Shot[] {
  const section = sections.find(({ shots }) => shots.some(shot => shot.id === id));
  if (section?.isGroup) return section.shots;
  return section?.shots.filter(shot => shot.id === id) ?? [];
}
