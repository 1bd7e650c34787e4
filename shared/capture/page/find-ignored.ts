import { BOUNDS } from "../../contracts/capture/bounds.ts";
import { type IgnoreSelector, type SelectorRegions, scaled } from "../../contracts/capture/ignore-region.ts";
import type { Lease } from "../browser/lease.ts";
import type { PageArea } from "../screenshot/capture-area.ts";
import type { PageImage } from "../screenshot/take-screenshot.ts";
import { areasOfSelectors } from "./in-page/areas-of-selectors.ts";
import { awaitSelectorWork, refuseSelector } from "./page-work.ts";

/** Elements that are located for each selector. Most of them may be outside of the image. */
const MAX_MATCHES = 1_000;

/** A selector, and the areas of its elements with their padding, CSS px from the top left of the page. */
export interface FoundElements {
  selector: string;
  areas: PageArea[];
  /** Whether it is left out without elements. */
  isOptional?: boolean | undefined;
}

/** Finds the elements in which changes don't count, in a frozen page. @throws CaptureError `selector_invalid` */
export async function findIgnored(
  lease: Lease,
  selectors: readonly IgnoreSelector[],
): Promise<FoundElements[]> {
  if (selectors.length === 0) return [];
  const names = selectors.map(({ selector }) => selector);
  const work = lease.page.evaluate(areasOfSelectors, { selectors: names, limit: MAX_MATCHES });
  const { areas, invalidSelector } = await awaitSelectorWork(lease, work);
  refuseSelector(invalidSelector);
  return selectors.map(({ selector, padding = 0, isOptional }, index) => ({
    ...{ selector, isOptional },
    areas: (areas[index] ?? []).map(({ x, y, width, height }) => ({
      ...{ x: x - padding, y: y - padding },
      ...{ width: width + 2 * padding, height: height + 2 * padding },
    })),
  }));
}

/** Returns where an image shows these elements, px of the image. All together have at most 100 regions. */
export function selectorRegionsIn(
  image: Pick<PageImage, "scale" | "parts">,
  found: readonly FoundElements[],
): SelectorRegions[] {
  let left: number = BOUNDS.selectorRegions;
  return found.flatMap(({ selector, areas, isOptional }) => {
    const shown = areas.map(area => regionsIn(image, area)).filter(regions => regions.length > 0);
    const regions = shown.flat().slice(0, left);
    left -= regions.length;
    return isOptional && shown.length === 0 ? [] : [{ selector, matches: shown.length, regions }];
  });
}

/** Returns where an image shows an area of the page. An element can be in several parts of an image. */
function regionsIn({ scale, parts }: Pick<PageImage, "scale" | "parts">, element: PageArea): PageArea[] {
  return parts.flatMap(({ area, top }) => {
    const x = Math.max(element.x, area.x);
    const y = Math.max(element.y, area.y);
    const width = Math.min(element.x + element.width, area.x + area.width) - x;
    const height = Math.min(element.y + element.height, area.y + area.height) - y;
    if (width <= 0 || height <= 0) return [];
    const region = scaled({ x: x - area.x, y: y - area.y, width, height }, scale);
    return [{ ...region, y: region.y + top }];
  });
}
