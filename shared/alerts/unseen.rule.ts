import type { CheckOutcome, PageAt, WrongOutcome } from "../contracts/monitors/alert-actions.ts";
import { WHOLE_PAGE } from "./fingerprint.rule.ts";

/**
 * What is wrong by a check that could say nothing of some pages: what it found, and of those pages what was alerted. So
 * nothing that was alerted goes away, or gets less grave, without having been seen.
 * @param unseen with WHOLE_PAGE for a page that was seen at no width: nobody knows whether it is down
 * @param alerted null where nothing is
 */
export function withUnseen(
  found: CheckOutcome,
  unseen: readonly PageAt[],
  alerted: WrongOutcome | null,
): CheckOutcome {
  const kept = alerted && goingOn(alerted, unseen);
  if (!kept) return found;
  if (found.kind === "ok") return kept;
  const regressions = [...found.regressions, ...kept.regressions];
  if (found.kind === "changed") return { ...kept, regressions };
  const routes = kept.kind === "down" ? [...found.routes, ...kept.routes] : found.routes;
  return { ...found, routes, regressions };
}

/** What was alerted of these pages; null for nothing. */
function goingOn(alerted: WrongOutcome, unseen: readonly PageAt[]): WrongOutcome | null {
  const isUnseen = (route: string, viewport: number) =>
    unseen.some(page => page.route === route && page.viewport === viewport);
  const regressions = alerted.regressions.filter(page => isUnseen(page.route, page.viewport));
  const routes = alerted.kind === "down" ? alerted.routes.filter(route => isUnseen(route, WHOLE_PAGE)) : [];
  if (alerted.kind === "down" && routes.length > 0)
    return { ...alerted, routes, isWhole: false, regressions };
  return regressions.length > 0 ? { kind: "changed", regressions } : null;
}
