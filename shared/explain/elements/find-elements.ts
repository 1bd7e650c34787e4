import type { Matches } from "./match-nodes.ts";
import type { PageTree } from "./page-tree.ts";

/** A change of an element that isn't its style. */
export interface ElementChange {
  kind: "added" | "removed" | "shown" | "hidden" | "reordered" | "text" | "image" | "attribute";
  /** The element before the change; -1 for an added one. */
  before: number;
  /** The element after the change; -1 for a removed one. */
  after: number;
  /** Of an attribute. */
  property?: string;
  old?: string;
  now?: string;
}

/** Attributes that are drawn. */
const DRAWN = ["placeholder", "type", "alt"];
const IMAGES = ["current-src", "src"];

/** Finds elements that came, went or moved in the document, and changed contents. */
export function findElementChanges(
  before: PageTree,
  after: PageTree,
  { toAfter, toBefore }: Matches,
  changedImages: ReadonlySet<string>,
): ElementChange[] {
  const found: ElementChange[] = [];
  for (let node = 0; node < before.size; node++) {
    if (toAfter[node] !== -1 || before.styleIndex(node) === -1) continue;
    const parent = before.parent(node);
    if (parent < 0 || toAfter[parent] !== -1) found.push({ kind: "removed", before: node, after: -1 });
  }
  for (let node = 0; node < after.size; node++) {
    const earlier = toBefore[node] ?? -1;
    const parent = after.parent(node);
    if (earlier === -1) {
      const isRoot = parent < 0 || toBefore[parent] !== -1;
      if (isRoot && after.styleIndex(node) !== -1) found.push({ kind: "added", before: -1, after: node });
      continue;
    }
    found.push(...compareElements(before, after, earlier, node, changedImages));
  }
  return [...found, ...findReordered(before, after, toBefore)];
}

function compareElements(
  before: PageTree,
  after: PageTree,
  old: number,
  now: number,
  changedImages: ReadonlySet<string>,
): ElementChange[] {
  const pair = { before: old, after: now };
  const [was, is] = [before.styleIndex(old) !== -1, after.styleIndex(now) !== -1];
  if (!was && !is) return [];
  if (was !== is) {
    const parentWas = before.styleIndex(before.parent(old)) !== -1;
    const parentIs = after.styleIndex(after.parent(now)) !== -1;
    return parentWas === parentIs ? [{ kind: is ? "shown" : "hidden", ...pair }] : [];
  }
  const found: ElementChange[] = [];
  if (before.text(old) !== after.text(now))
    found.push({ kind: "text", ...pair, old: before.text(old), now: after.text(now) });
  const image = compareImages(before, after, old, now, changedImages);
  if (image !== null) found.push({ kind: "image", ...pair, ...image });
  for (const property of DRAWN) {
    const [previous, current] = [before.attribute(old, property), after.attribute(now, property)];
    if (previous === current || (property === "alt" && image === null)) continue;
    if (property !== "alt") found.push({ kind: "attribute", ...pair, property, old: previous, now: current });
  }
  return found;
}

function compareImages(
  before: PageTree,
  after: PageTree,
  old: number,
  now: number,
  changedImages: ReadonlySet<string>,
): { old: string; now: string } | null {
  for (const name of IMAGES) {
    const [was, is] = [before.attribute(old, name), after.attribute(now, name)];
    if (is === "" && was === "") continue;
    const isOther = withoutHost(was) !== withoutHost(is);
    return isOther || changedImages.has(is) ? { old: was, now: is } : null;
  }
  if (changedImages.size === 0) return null;
  const background = after.computed(now, "background-image");
  const [, url = ""] = /url\("?([^")]+)/.exec(background) ?? [];
  const isSameUrl = before.computed(old, "background-image") === background;
  return isSameUrl && changedImages.has(url) ? { old: url, now: url } : null;
}

/** Each deployment has its own host. */
function withoutHost(url: string): string {
  return url.replace(/^https?:\/\/[^/]+/, "");
}

/** Finds elements whose order among their siblings changed: those that are not in the longest run that stays. */
function findReordered(before: PageTree, after: PageTree, toBefore: Int32Array): ElementChange[] {
  const found: ElementChange[] = [];
  for (let parent = 0; parent < after.size; parent++) {
    const all = after.children[parent] ?? [];
    if (all.length === 0) continue;
    const children = all.filter(node => (toBefore[node] ?? -1) !== -1);
    const olds = children.map(node => toBefore[node] ?? -1);
    if (olds.every((old, at) => at === 0 || old > (olds[at - 1] ?? -1))) {
      const isElsewhere = (old: number) => before.parent(old) !== toBefore[parent] && toBefore[parent] !== -1;
      for (const [at, node] of children.entries())
        if (isElsewhere(olds[at] ?? -1))
          found.push({ kind: "reordered", before: olds[at] ?? -1, after: node });
      continue;
    }
    const staying = longestRun(olds);
    for (const [at, node] of children.entries())
      if (!staying.has(at)) found.push({ kind: "reordered", before: olds[at] ?? -1, after: node });
  }
  return found;
}

/** Returns the positions of a longest increasing subsequence. */
function longestRun(values: readonly number[]): Set<number> {
  const ends: number[] = [];
  const previous: number[] = [];
  for (const [at, value] of values.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((values[ends[middle] ?? -1] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    previous[at] = low > 0 ? (ends[low - 1] ?? -1) : -1;
    ends[low] = at;
  }
  const run = new Set<number>();
  for (let at = ends.at(-1) ?? -1; at >= 0; at = previous[at] ?? -1) run.add(at);
  return run;
}
