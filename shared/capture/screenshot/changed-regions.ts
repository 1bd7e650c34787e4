import type { Region } from "../../compare/comparison.ts";
import type { ChangedBox } from "./changed-boxes.ts";

/** A noise observation keeps this many regions per page. The others are small in comparison. */
const MAX_REGIONS = 10;
/** A page that differs in more boxes moves as a whole. */
const MAX_BOXES = 200;

/**
 * Joins overlapping boxes and returns the 10 largest, largest first, px. Boxes overlap because an element leaves one in
 * each pair of attempts.
 */
export function changedRegions(boxes: readonly ChangedBox[]): Region[] {
  const joined: ChangedBox[] = [];
  for (const box of boxes.toSorted((a, b) => areaOf(b) - areaOf(a)).slice(0, MAX_BOXES)) addBox(joined, box);
  return joined
    .sort((a, b) => areaOf(b) - areaOf(a))
    .slice(0, MAX_REGIONS)
    .map(({ left, top, right, bottom }) => ({ x: left, y: top, width: right - left, height: bottom - top }));
}

/** Joins a box with those that it overlaps. The joined box may overlap others, so it repeats. */
function addBox(joined: ChangedBox[], box: ChangedBox): void {
  let whole = box;
  for (
    let at = joined.findIndex(other => overlap(whole, other));
    at >= 0;
    at = joined.findIndex(other => overlap(whole, other))
  ) {
    whole = joined.splice(at, 1).reduce(around, whole);
  }
  joined.push(whole);
}

function around(one: ChangedBox, other: ChangedBox): ChangedBox {
  return {
    left: Math.min(one.left, other.left),
    top: Math.min(one.top, other.top),
    right: Math.max(one.right, other.right),
    bottom: Math.max(one.bottom, other.bottom),
    pixels: one.pixels + other.pixels,
  };
}

function overlap(one: ChangedBox, other: ChangedBox): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

function areaOf({ left, top, right, bottom }: ChangedBox): number {
  return (right - left) * (bottom - top);
}
