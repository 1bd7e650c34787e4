import { urlMatcher } from "../../shared/capture/network/url-glob.ts";
import { nearestName } from "../../shared/project-config/nearest-name.ts";
import { CommandError } from "../terminal.ts";
import { CHECK_ERRORS } from "../texts/check.ts";
import type { ScreenshotKey } from "./check-result.ts";

/** Selects screenshots. An empty selection selects all. */
export interface Selection {
  /** Routes or glob patterns: `*` within a segment, `**` across segments. */
  routes?: readonly string[];
  /** px */
  widths?: readonly number[];
}

/** Returns a predicate for the selected screenshots. */
export function selects({ routes = [], widths = [] }: Selection): (shot: ScreenshotKey) => boolean {
  const matchers = routes.map(route => urlMatcher(route.startsWith("/") ? route : `/${route}`));
  return ({ route, viewport }) =>
    (matchers.length === 0 || matchers.some(matches => matches(route))) &&
    (widths.length === 0 || widths.includes(viewport));
}

/**
 * Returns the selected screenshots.
 * @throws CommandError `nothing_selected` for an unknown route or width, since a typing error must not pass
 * as a success
 */
export function selectScreenshots<T extends ScreenshotKey>(shots: readonly T[], selection: Selection): T[] {
  const known = [...new Set(shots.map(({ route }) => route))];
  for (const route of selection.routes ?? []) {
    if (shots.some(selects({ routes: [route] }))) continue;
    const near = nearestName(route, known);
    throw nothing(CHECK_ERRORS.noRoute(route, near));
  }
  for (const width of selection.widths ?? []) {
    if (shots.some(({ viewport }) => viewport === width)) continue;
    const widths = [...new Set(shots.map(({ viewport }) => viewport))].sort((a, b) => a - b);
    throw nothing(CHECK_ERRORS.noWidth(width, widths));
  }
  const selected = shots.filter(selects(selection));
  if (selected.length === 0 && shots.length > 0) throw nothing(CHECK_ERRORS.noRouteAtWidth);
  return selected;
}

function nothing(message: string): CommandError {
  return new CommandError("nothing_selected", message);
}
