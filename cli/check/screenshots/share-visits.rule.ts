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
  const parts = groupsOf(visits).flatMap(group => inParts(group, most));
  return parts.filter(part => part.length > 0).toSorted((a, b) => b.length - a.length);
}

/** The images of as many stories wait in memory for the stories' own pages. */
const MOST_IN_PREVIEW = 10;

/**
 * Returns the visits of a part that are captured together, in order: first all in one preview, then the own pages of
 * those that need one. A page of its own takes the place of the preview, which the next story would have to load again.
 */
export function visitsInOnePreview<V extends Pick<PlannedVisit, "story">>(part: readonly V[]): V[][] {
  return groupsOf(part).flatMap(group => inParts(group, MOST_IN_PREVIEW));
}

function groupsOf<V extends Pick<PlannedVisit, "story">>(visits: readonly V[]): V[][] {
  return [...Map.groupBy(visits, visit => visit.story?.group ?? visit).values()];
}

/** Returns parts of about the same size. @param most values in a part */
function inParts<V>(values: readonly V[], most: number): V[][] {
  const count = Math.ceil(values.length / most);
  const size = Math.ceil(values.length / count);
  return Array.from({ length: count }, (_, index) => values.slice(index * size, (index + 1) * size));
}
