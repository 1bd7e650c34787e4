import type { CheckOutcomeName } from "../../../shared/contracts/monitors/checks.ts";
import type { CheckResult, PageResult } from "./evaluate-check.rule.ts";

/** Stands for the whole monitor. Routes start with a slash. */
export const WHOLE_MONITOR = "";

/** What a check says about the availability of a route. Stored as a sum. */
export interface RouteAvailability {
  route: string;
  up: number;
  down: number;
  /** 1 if the response time is known. */
  responses: number;
  responseMs: number;
}

/**
 * Returns what a check says about each route, and about the monitor as a whole. A route is down if a page of it was
 * confirmed to be down. A route that the service couldn't capture says nothing. The response time of a route is the
 * mean over its pages in the first attempt, because confirmations load pages without a cache.
 * @param attempts the results of each run. The first run covers all pages
 */
export function availabilityOf(
  { outcome, drift, downRoutes }: Pick<CheckResult, "outcome" | "drift" | "downRoutes">,
  attempts: readonly PageResult[][],
): RouteAvailability[] {
  if (outcome === "failed") return [];
  const [first = []] = attempts;
  const times = Map.groupBy(
    first.filter(({ responseMs }) => responseMs != null),
    ({ route }) => route,
  );
  const routes = [...Map.groupBy(drift, ({ route }) => route)].flatMap(([route, pages]) => {
    const isDown = downRoutes.includes(route);
    if (!isDown && pages.every(({ state }) => state === "failed")) return [];
    const known = isDown ? [] : (times.get(route) ?? []).map(({ responseMs }) => responseMs ?? 0);
    return [rowOf(route, isDown, known)];
  });
  return [wholeOf(outcome, routes), ...routes];
}

/** Returns the row of the monitor as a whole: up unless a page was down, and the mean over its routes. */
function wholeOf(outcome: CheckOutcomeName, routes: readonly RouteAvailability[]): RouteAvailability {
  const known = routes.filter(({ responses }) => responses > 0).map(({ responseMs }) => responseMs);
  return rowOf(WHOLE_MONITOR, outcome === "down", known);
}

function rowOf(route: string, isDown: boolean, times: readonly number[]): RouteAvailability {
  const sum = times.reduce((total, ms) => total + ms, 0);
  return {
    route,
    up: isDown ? 0 : 1,
    down: isDown ? 1 : 0,
    responses: times.length > 0 ? 1 : 0,
    responseMs: times.length > 0 ? Math.round(sum / times.length) : 0,
  };
}
