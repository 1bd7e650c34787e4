import type { Screenshot } from "../../api/screenshot.ts";
import type { Section } from "./queue.ts";

/** A row of the queue. */
export type QueueRow =
  | { key: string; folder: string; depth: number; shots: readonly Screenshot[]; isFolded: boolean }
  | { key: string; section: Section; depth: number; isFolded: boolean }
  | { key: string; shot: Screenshot; depth: number; isStory: boolean };

/**
 * Returns the rows of the queue. Components of a Storybook are a tree: their folders come first, and folded ones hide
 * what is below.
 * @param folded keys of folded rows
 */
export function queueRows(sections: readonly Section[], folded: ReadonlySet<string>): QueueRow[] {
  const rows: QueueRow[] = [];
  let shown: readonly string[] = [];
  for (const section of sections) {
    const { path = [] } = section;
    const folders = path.slice(0, -1);
    const shared = folders.findIndex((name, at) => shown[at] !== name);
    const known = shared < 0 ? folders.length : shared;
    const isHidden = (end: number) =>
      folders.slice(0, end).some((_, at) => folded.has(folderKey(folders, at)));
    for (const [at, folder] of folders.entries()) {
      if (at < known || isHidden(at)) continue;
      const key = folderKey(folders, at);
      const below = sections.filter(each => startsWith(each.path ?? [], folders.slice(0, at + 1)));
      rows.push({
        ...{ key, folder, depth: at, isFolded: folded.has(key) },
        shots: below.flatMap(({ shots }) => shots),
      });
    }
    shown = folders;
    if (isHidden(folders.length)) continue;
    const isFolded = path.length > 0 && folded.has(section.key);
    rows.push({ key: section.key, section, depth: folders.length, isFolded });
    if (isFolded) continue;
    for (const shot of section.shots)
      rows.push({ key: shot.id, shot, depth: path.length, isStory: path.length > 0 });
  }
  return rows;
}

function folderKey(folders: readonly string[], at: number): string {
  return `folder ${folders.slice(0, at + 1).join("/")}`;
}

/** A component may have the name of a folder beside it. Only what is below the folder counts. */
function startsWith(path: readonly string[], folders: readonly string[]): boolean {
  return path.length > folders.length && folders.every((name, at) => path[at] === name);
}

/** Returns the folded rows without those above a screenshot. */
export function withoutParents(
  folded: ReadonlySet<string>,
  sections: readonly Section[],
  id: string,
): ReadonlySet<string> {
  const section = sections.find(({ shots }) => shots.some(shot => shot.id === id));
  if (!section?.path) return folded;
  const parents = section.path.slice(0, -1).map((_, at, all) => folderKey(all, at));
  return folded.difference(new Set([section.key, ...parents]));
}
