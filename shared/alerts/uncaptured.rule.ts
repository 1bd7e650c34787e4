import { pickPage, type StoredPage } from "../contracts/capture/page-fields.ts";
import { keyOf } from "../contracts/capture/screenshot-key.ts";
import type { CheckOutcome, ProblemOutcome } from "../contracts/monitors/alert-actions.ts";
import { WHOLE_PAGE } from "./fingerprint.rule.ts";

/**
 * Returns a check's outcome, with the open alerts of pages that it couldn't capture added. An alerted problem
 * doesn't disappear or become less severe before the page is captured.
 * @param uncaptured pages. The width WHOLE_PAGE stands for a route of which nothing was captured, which may be down
 * @param alerted the open alert. Null if there is none
 */
export function withUncaptured(
  found: CheckOutcome,
  uncaptured: readonly StoredPage[],
  alerted: ProblemOutcome | null,
): CheckOutcome {
  const kept = alerted && ongoingOf(alerted, uncaptured);
  if (!kept) return found;
  if (found.kind === "ok") return kept;
  const regressions = [...found.regressions, ...kept.regressions];
  if (found.kind === "changed") return { ...kept, regressions };
  const routes = kept.kind === "down" ? [...found.routes, ...kept.routes] : found.routes;
  return { ...found, routes, regressions };
}

/** Returns what was alerted about these pages. Null if nothing was. */
function ongoingOf(alerted: ProblemOutcome, uncaptured: readonly StoredPage[]): ProblemOutcome | null {
  const keys = new Set(uncaptured.map(page => keyOf(pickPage(page))));
  const isUncaptured = (page: StoredPage) => keys.has(keyOf(pickPage(page)));
  const regressions = alerted.regressions.filter(isUncaptured);
  const routes =
    alerted.kind === "down"
      ? alerted.routes.filter(route => isUncaptured({ route, viewport: WHOLE_PAGE }))
      : [];
  if (alerted.kind === "down" && routes.length > 0)
    return { ...alerted, routes, isWhole: false, regressions };
  return regressions.length > 0 ? { kind: "changed", regressions } : null;
}
