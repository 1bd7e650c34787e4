import type { CheckOutcome, PageAt, WrongOutcome } from "../contracts/alert-actions.ts";
import { WHOLE_PAGE } from "./fingerprint.ts";

/**
 * What is wrong by a check that could say nothing of some pages: what it found, and of those pages what was alerted. So
 * nothing that was alerted goes away, or gets less grave, without having been seen.
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
  const regressions = alerted.regressions.filter(page => isUnseen(page, unseen));
  const routes =
    alerted.kind === "down"
      ? alerted.routes.filter(route => isUnseen({ route, viewport: WHOLE_PAGE }, unseen))
      : [];
  if (alerted.kind === "down" && routes.length > 0)
    return { ...alerted, routes, isWhole: false, regressions };
  return regressions.length > 0 ? { kind: "changed", regressions } : null;
}

/** Whether nothing can be said of this: of a page at all its widths that is so where one of them was not seen. */
export function isUnseen({ route, viewport }: PageAt, unseen: readonly PageAt[]): boolean {
  const isThere = (other: number) => viewport === WHOLE_PAGE || other === WHOLE_PAGE || other === viewport;
  return unseen.some(other => other.route === route && isThere(other.viewport));
}
