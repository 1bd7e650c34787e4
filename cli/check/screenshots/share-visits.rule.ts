import type { PlannedVisit } from "./plan-screenshots.ts";

/** The images of as many stories wait in memory for the stories' own pages. */
const MOST_IN_PREVIEW = 10;

/**
 * Returns parts of visits, the largest first. The stories of a part follow each other in one preview. Stories of a
 * group can share a preview, so they stay together, unless there are fewer parts than pages.
 * @param concurrency number of pages at the same time
 */
export function shareVisits<V extends Pick<PlannedVisit, "story">>(
  visits: readonly V[],
  concurrency: number,
): V[][] {
  const fair = Math.max(1, Math.ceil(visits.length / concurrency));
  const groups = Map.groupBy(visits, visit => visit.story?.group ?? visit).values();
  return [...groups].flatMap(group => inParts(group, fair)).toSorted((a, b) => b.length - a.length);
}

/** Returns parts of about the same size. @param fair values of a part */
function inParts<V>(values: readonly V[], fair: number): V[][] {
  const count = Math.max(1, Math.round(values.length / fair), Math.ceil(values.length / MOST_IN_PREVIEW));
  const size = Math.ceil(values.length / count);
  const parts = Array.from({ length: count }, (_, index) => values.slice(index * size, (index + 1) * size));
  return parts.filter(part => part.length > 0);
}
