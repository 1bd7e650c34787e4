import { pickPage, type StoredPage } from "../../../shared/contracts/capture/page-fields.ts";
import { keyOf } from "../../../shared/contracts/capture/screenshot-key.ts";
import type { ProblemOutcome } from "../../../shared/contracts/monitors/alert-actions.ts";

/**
 * Returns whether a problem affects only pages that an acknowledged problem affects too, in the same way. Such a
 * problem isn't alerted again. A page that was changed and is down now is another problem.
 */
export function isCovered(found: ProblemOutcome, acknowledged: ProblemOutcome): boolean {
  return (
    isSubset(downRoutes(found), downRoutes(acknowledged)) &&
    isSubset(changedPages(found), changedPages(acknowledged))
  );
}

const downRoutes = (outcome: ProblemOutcome) => (outcome.kind === "down" ? outcome.routes : []);
const changedPages = ({ regressions }: ProblemOutcome) => regressions.map(nameOf);
const nameOf = (page: StoredPage) => keyOf(pickPage(page));

function isSubset(some: readonly string[], all: readonly string[]): boolean {
  const known = new Set(all);
  return some.every(one => known.has(one));
}
