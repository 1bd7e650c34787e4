import type { Region } from "./comparison.ts";
import { JOIN_PX, type Run } from "./strip-changes.ts";

/** More boxes than this help a reviewer no more than a few larger ones. */
const MAX_REGIONS = 50;

/** Changed pixels that belong together. */
export interface Cluster {
  region: Region;
  /** From top to bottom, then left to right. */
  runs: Run[];
}

/**
 * Groups runs into clusters. A chain of steps joins the pixels of a cluster, each at most `JOIN_PX` across and down.
 * `runs` are in the order of `findChanges`: from top to bottom, from left to right, and in a row more than `JOIN_PX`
 * apart.
 *
 * The result depends only on the runs' positions relative to each other, not on their position on the page. The page's
 * edges don't matter here. Within `MARGIN_PX` of an edge, `pixel-rule.ts` may classify smoothed pixels differently.
 */
export function clusterRuns(runs: Run[]): Cluster[] {
  const groups = new Groups();
  const skyline = new Skyline(groups);
  const groupOf = runs.map(run => skyline.add(run));
  const clusters = new Map<number, Run[]>();
  runs.forEach((run, index) => {
    const group = groups.root(groupOf[index] ?? 0);
    const own = clusters.get(group);
    if (own) own.push(run);
    else clusters.set(group, [run]);
  });
  return [...clusters.values()].map(own => ({ region: boundsOf(own), runs: own }));
}

/** A range of columns with the latest row that changed in it. Both ends are inclusive. */
interface Span {
  left: number;
  right: number;
  y: number;
  group: number;
}

/**
 * All runs so far, as seen from below. A hidden run is no longer needed: anything near enough to it is nearer to the
 * run that hides it.
 */
class Skyline {
  #groups: Groups;
  #y = -1;
  /** Spans of the rows above this one, from left to right. Those before `#at` are left of the latest run. */
  #above: Span[] = [];
  #at = 0;
  /** Spans including this row, up to the latest run. */
  #seen: Span[] = [];

  constructor(groups: Groups) {
    this.#groups = groups;
  }

  /** Adds the next run and returns its group: the group of all near runs above it, else a new one. */
  add({ left, right, y }: Run): number {
    if (y !== this.#y) this.#startRow(y);
    const [above, seen] = [this.#above, this.#seen];
    let span = above[this.#at];
    for (; span && span.right < left - JOIN_PX; span = above[++this.#at]) this.#keep(span);
    const group = this.#join(right + JOIN_PX);
    for (; span && span.right < left; span = above[++this.#at]) this.#keep(span);
    if (span && span.left < left) this.#keep({ ...span, right: left - 1 });
    seen.push({ left, right, y, group });
    while (span && span.right <= right) span = above[++this.#at];
    if (span && span.left <= right) above[this.#at] = { ...span, left: right + 1 };
    return group;
  }

  #startRow(y: number): void {
    for (let span = this.#above[this.#at]; span; span = this.#above[++this.#at]) this.#keep(span);
    [this.#above, this.#seen] = [this.#seen, []];
    this.#at = 0;
    this.#y = y;
  }

  #keep(span: Span): void {
    if (this.#y - span.y < JOIN_PX) this.#seen.push(span);
  }

  #join(right: number): number {
    let group = -1;
    for (let at = this.#at; at < this.#above.length; at++) {
      const span = this.#above[at];
      if (!span || span.left > right) break;
      if (this.#y - span.y > JOIN_PX) continue;
      group = group === -1 ? this.#groups.root(span.group) : this.#groups.join(group, span.group);
    }
    return group === -1 ? this.#groups.add() : group;
  }
}

/** Returns the boxes to outline for a reviewer, from top to bottom. Overlapping boxes are merged. At most 50. */
export function outline(clusters: Cluster[]): Region[] {
  let regions = mergeNear(
    clusters.map(cluster => cluster.region),
    0,
  );
  for (let gapPx = 2 * JOIN_PX; regions.length > MAX_REGIONS; gapPx *= 2) regions = mergeNear(regions, gapPx);
  return regions.sort((a, b) => a.y - b.y || a.x - b.x);
}

/** Sets that can be joined, each identified by one of its members. */
class Groups {
  #parents: number[] = [];

  add(): number {
    return this.#parents.push(this.#parents.length) - 1;
  }

  root(member: number): number {
    let root = member;
    for (
      let parent = this.#parents[root];
      parent !== undefined && parent !== root;
      parent = this.#parents[root]
    ) {
      root = parent;
    }
    this.#parents[member] = root;
    return root;
  }

  join(first: number, second: number): number {
    const root = this.root(first);
    this.#parents[this.root(second)] = root;
    return root;
  }
}

function boundsOf(runs: Run[]): Region {
  let [left, right, top, bottom] = [Infinity, 0, Infinity, 0];
  for (const run of runs) {
    left = Math.min(left, run.left);
    right = Math.max(right, run.right);
    top = Math.min(top, run.y);
    bottom = Math.max(bottom, run.y);
  }
  return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

/** Merges boxes until none are nearer to each other than the gap. */
function mergeNear(regions: Region[], gapPx: number): Region[] {
  let merged = regions;
  for (let before = Infinity; merged.length < before; ) {
    before = merged.length;
    merged = mergeOnce(merged, gapPx);
  }
  return merged;
}

/**
 * Merges each box with those above that reach down to it, from top to bottom. A box that grew may be near others now.
 */
function mergeOnce(regions: Region[], gapPx: number): Region[] {
  const finished: Region[] = [];
  let reaching: Region[] = [];
  for (const region of regions.toSorted((a, b) => a.y - b.y)) {
    let grown = region;
    const separate: Region[] = [];
    for (const other of reaching) {
      if (gapBetween(grown, other) <= gapPx) grown = union(grown, other);
      else if (region.y - other.y - other.height > gapPx) finished.push(other);
      else separate.push(other);
    }
    reaching = [...separate, grown];
  }
  return [...finished, ...reaching];
}

/** Returns the pixels between two boxes, across or down, whichever is more. Negative if they overlap. */
function gapBetween(a: Region, b: Region): number {
  return Math.max(a.x - b.x - b.width, b.x - a.x - a.width, a.y - b.y - b.height, b.y - a.y - a.height);
}

function union(a: Region, b: Region): Region {
  const x = Math.min(a.x, b.x);
  const y = Math.min(a.y, b.y);
  return {
    x,
    y,
    width: Math.max(a.x + a.width, b.x + b.width) - x,
    height: Math.max(a.y + a.height, b.y + b.height) - y,
  };
}
