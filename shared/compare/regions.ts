import type { ChangeMap } from "./change-map.ts";
import type { Region } from "./comparison.ts";

/** Changed pixels this near to each other, px, are one change: wider than the gaps between words, lines and fields. */
const JOIN_PX = 24;
/** More boxes than this say no more than a few larger ones. */
const MAX_REGIONS = 50;

/** A horizontal stretch of changed pixels with no gap over the joining distance; both ends inclusive. */
export interface Run {
  y: number;
  left: number;
  right: number;
}

/** Changed pixels that belong together. */
export interface Cluster {
  region: Region;
  /** From top to bottom, then left to right. */
  runs: Run[];
}

/** Groups changed pixels: two belong to one cluster when a chain of steps of at most 24 px, both ways, joins them. */
export function clusterChanges(changes: ChangeMap): Cluster[] {
  const clusters = new Clusters();
  let frontier: Placed[] = [];
  for (let y = 0; y < changes.height; y++) {
    const runs = runsOf(changes, y);
    if (runs.length === 0) continue;
    const placed = runs.map(run => clusters.place(run, frontier));
    frontier = [
      ...frontier.filter(old => isStillNear(old.run, y) && !runs.some(run => covers(run, old.run))),
      ...placed,
    ];
  }
  return clusters.finish();
}

interface Placed {
  run: Run;
  cluster: number;
}

class Clusters {
  #parents: number[] = [];
  #placed: Placed[] = [];

  /** Adds the run to the cluster of the runs near it, which become one. */
  place(run: Run, near: Placed[]): Placed {
    let root = -1;
    for (const other of near) {
      if (!isNear(run, other.run)) continue;
      const found = this.#root(other.cluster);
      if (root === -1) root = found;
      else if (found !== root) this.#parents[found] = root;
    }
    if (root === -1) {
      root = this.#parents.length;
      this.#parents.push(root);
    }
    const placed = { run, cluster: root };
    this.#placed.push(placed);
    return placed;
  }

  finish(): Cluster[] {
    const byRoot = Map.groupBy(this.#placed, placed => this.#root(placed.cluster));
    return [...byRoot.values()].map(members => {
      const runs = members.map(({ run }) => run);
      return { region: boundsOf(runs), runs };
    });
  }

  #root(cluster: number): number {
    let root = cluster;
    for (
      let parent = this.#parents[root];
      parent !== undefined && parent !== root;
      parent = this.#parents[root]
    )
      root = parent;
    this.#parents[cluster] = root;
    return root;
  }
}

function isNear(run: Run, above: Run): boolean {
  return run.y - above.y <= JOIN_PX && run.left - above.right <= JOIN_PX && above.left - run.right <= JOIN_PX;
}

function isStillNear(run: Run, y: number): boolean {
  return y - run.y < JOIN_PX;
}

function covers(run: Run, above: Run): boolean {
  return run.left <= above.left && run.right >= above.right;
}

function runsOf(changes: ChangeMap, y: number): Run[] {
  const runs: Run[] = [];
  let last: Run | undefined;
  const row = y * changes.stride + 1;
  for (let i = row; i < row + changes.stride - 1; i++) {
    const byte = changes.scanlines[i] ?? 0;
    if (byte === 0) continue;
    const left = (i - row) * 8 + Math.clz32(byte) - 24;
    const right = (i - row) * 8 + 7 - (31 - Math.clz32(byte & -byte));
    if (last && left - last.right <= JOIN_PX) last.right = right;
    else {
      last = { y, left, right };
      runs.push(last);
    }
  }
  return runs;
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

/** The boxes to outline for a reviewer, top to bottom: overlapping ones made one, at most 50. */
export function outline(clusters: Cluster[]): Region[] {
  for (let gapPx = 0; ; gapPx = gapPx === 0 ? JOIN_PX : gapPx * 2) {
    const merged = mergeNear(
      clusters.map(({ region }) => region),
      gapPx,
    );
    if (merged.length <= MAX_REGIONS) return merged.sort((a, b) => a.y - b.y || a.x - b.x);
  }
}

function mergeNear(regions: Region[], gapPx: number): Region[] {
  let merged: Region[] = [];
  for (const region of regions) {
    let grown = region;
    for (;;) {
      const [apart, touching] = [[] as Region[], [] as Region[]];
      for (const other of merged) (gapBetween(grown, other) <= gapPx ? touching : apart).push(other);
      if (touching.length === 0) break;
      grown = touching.reduce(union, grown);
      merged = apart;
    }
    merged.push(grown);
  }
  return merged;
}

/** Pixels between two boxes; less than 0 when they overlap. */
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
