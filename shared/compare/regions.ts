import type { Region } from "./comparison.ts";
import { JOIN_PX, type Run } from "./strip-changes.ts";

/** More boxes than this tell a reviewer no more than a few larger ones. */
const MAX_REGIONS = 50;
/** Nearness across is judged in columns of this width, px, which bounds the work whatever the image. */
const COLUMN_PX = 8;

/** Changed pixels that belong together. */
export interface Cluster {
  region: Region;
  /** From top to bottom, then left to right. */
  runs: Run[];
}

/**
 * Groups runs (given top to bottom): two are one cluster when a chain of steps of at most `JOIN_PX` joins them.
 * Where on the page they are, from its top, makes no difference.
 */
export function clusterRuns(runs: Run[], imageWidth: number): Cluster[] {
  const columns = Math.ceil(imageWidth / COLUMN_PX);
  const lastRow = new Int32Array(columns).fill(-JOIN_PX - 1);
  const lastGroup = new Int32Array(columns);
  const groups = new Groups();
  const groupOf = runs.map(run => {
    let group = -1;
    const near = {
      from: columnOf(run.left - JOIN_PX),
      to: Math.min(columnOf(run.right + JOIN_PX), columns - 1),
    };
    for (let column = near.from; column <= near.to; column++) {
      if (run.y - (lastRow[column] ?? 0) > JOIN_PX) continue;
      group = group === -1 ? groups.root(lastGroup[column] ?? 0) : groups.join(group, lastGroup[column] ?? 0);
    }
    if (group === -1) group = groups.add();
    lastRow.fill(run.y, columnOf(run.left), columnOf(run.right) + 1);
    lastGroup.fill(group, columnOf(run.left), columnOf(run.right) + 1);
    return group;
  });
  const members = Map.groupBy(runs.keys(), index => groups.root(groupOf[index] ?? 0));
  return [...members.values()].map(indexes => {
    const own = indexes.flatMap(index => runs[index] ?? []);
    return { region: boundsOf(own), runs: own };
  });
}

/** The boxes to outline for a reviewer, top to bottom: overlapping ones made one, at most 50. */
export function outline(clusters: Cluster[]): Region[] {
  let regions = mergeNear(
    clusters.map(cluster => cluster.region),
    0,
  );
  for (let gapPx = 2 * JOIN_PX; regions.length > MAX_REGIONS; gapPx *= 2) regions = mergeNear(regions, gapPx);
  return regions.sort((a, b) => a.y - b.y || a.x - b.x);
}

/** Sets that can be joined, each named by one of its members. */
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

function columnOf(x: number): number {
  return Math.max(Math.floor(x / COLUMN_PX), 0);
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

/** Boxes of which none are nearer to each other than the gap. */
function mergeNear(regions: Region[], gapPx: number): Region[] {
  let merged = regions;
  for (let before = Infinity; merged.length < before; ) {
    before = merged.length;
    merged = mergeOnce(merged, gapPx);
  }
  return merged;
}

/** From top to bottom, each box with those that reach down to it; a box that grew may have come near to others. */
function mergeOnce(regions: Region[], gapPx: number): Region[] {
  const passed: Region[] = [];
  let reaching: Region[] = [];
  for (const region of regions.toSorted((a, b) => a.y - b.y)) {
    let grown = region;
    const apart: Region[] = [];
    for (const other of reaching) {
      if (gapBetween(grown, other) <= gapPx) grown = union(grown, other);
      else if (region.y - other.y - other.height > gapPx) passed.push(other);
      else apart.push(other);
    }
    reaching = [...apart, grown];
  }
  return [...passed, ...reaching];
}

/** Pixels between two boxes, the longer way of across and down; less than 0 when they overlap. */
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
