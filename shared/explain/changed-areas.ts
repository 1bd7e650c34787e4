import type { Capsule } from "../capture/capsule/capsule.ts";
import type { Region } from "../compare/comparison.ts";

/** Returns the changed regions of an image where they are in the page, CSS px. */
export function regionsInPage(regions: readonly Region[], { areas, scale }: Capsule): Region[] {
  return areas.flatMap(({ area, top }) =>
    regions.flatMap(region => {
      const y = (region.y - top) / scale;
      const height = region.height / scale;
      if (y + height <= 0 || y >= area.height) return [];
      return [{ x: area.x + region.x / scale, y: area.y + y, width: region.width / scale, height }];
    }),
  );
}

/** Returns how much of a box the regions cover, square px, when the box is widened on all sides. */
export function changedArea(box: Region, regions: readonly Region[], widenPx: number): number {
  let area = 0;
  for (const { x, y, width, height } of regions) {
    const wide = Math.min(x + width, box.x + box.width + widenPx) - Math.max(x, box.x - widenPx);
    const high = Math.min(y + height, box.y + box.height + widenPx) - Math.max(y, box.y - widenPx);
    if (wide > 0 && high > 0) area += wide * high;
  }
  return area;
}
