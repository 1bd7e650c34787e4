import type { PlannedVisit } from "./plan-screenshots.ts";

/** More parts than pages at the same time, so that none of the pages is idle at the end. */
const PARTS_PER_PAGE = 2;

/**
 * Returns parts of visits. Those of a part follow each other in one browser context. Stories of a group can share a
 * page, so they stay together, unless the other pages would have to wait for them. The largest parts come first.
 * @param concurrency number of pages at the same time
 */
export function shareVisits<V extends Pick<PlannedVisit, "story">>(
  visits: readonly V[],
  concurrency: number,
): V[][] {
  const most = Math.max(1, Math.ceil(visits.length / (concurrency * PARTS_PER_PAGE)));
  const groups = [...Map.groupBy(visits, visit => visit.story?.group ?? visit).values()];
  const parts = groups.flatMap(group => {
    const count = Math.ceil(group.length / most);
    const size = Math.ceil(group.length / count);
    return Array.from({ length: count }, (_, index) => group.slice(index * size, (index + 1) * size));
  });
  return parts.filter(part => part.length > 0).toSorted((a, b) => b.length - a.length);
}
