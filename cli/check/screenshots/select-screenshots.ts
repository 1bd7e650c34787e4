import { urlMatcher } from "../../../shared/capture/network/rules/url-glob.ts";
import { environmentLabel, type ScreenshotKey } from "../../../shared/contracts/capture/screenshot-key.ts";
import { nearestName } from "../../../shared/text/nearest-name.ts";
import { CommandError } from "../../terminal.ts";
import { CHECK_ERRORS } from "../../texts/check.ts";

/** Selects screenshots. An empty selection selects all. */
export interface Selection {
  /** Routes or glob patterns: `*` within a segment, `**` across segments. */
  routes?: readonly string[];
  /** px */
  widths?: readonly number[];
  /** Names of environments; `default` is the one without settings. */
  environments?: readonly string[];
}

/** A page at a width, with all its states. */
type Page = Pick<ScreenshotKey, "route" | "environment" | "viewport">;

/** Returns a predicate for the selected screenshots. */
export function selects({ routes = [], widths = [], environments = [] }: Selection): (page: Page) => boolean {
  // Names of screenshot files have no slash at the start, and a check has either pages or files.
  const rooted = (route: string) => (route.startsWith("/") ? route : `/${route}`);
  const matchers = routes.map(route => urlMatcher(rooted(route)));
  return ({ route, environment, viewport }) =>
    (matchers.length === 0 || matchers.some(matches => matches(rooted(route)))) &&
    (widths.length === 0 || widths.includes(viewport)) &&
    (environments.length === 0 || environments.includes(environmentLabel(environment)));
}

/**
 * Returns the selected pages.
 * @throws CommandError `nothing_selected` for an unknown route, width or environment, since a typing error must not pass
 * as a success
 */
export function selectScreenshots<T extends Page>(pages: readonly T[], selection: Selection): T[] {
  const known = [...new Set(pages.map(({ route }) => route))];
  for (const route of selection.routes ?? []) {
    if (pages.some(selects({ routes: [route] }))) continue;
    const near = nearestName(route, known);
    throw nothing(CHECK_ERRORS.noRoute(route, near));
  }
  for (const width of selection.widths ?? []) {
    if (pages.some(({ viewport }) => viewport === width)) continue;
    const widths = [...new Set(pages.map(({ viewport }) => viewport))].sort((a, b) => a - b);
    throw nothing(CHECK_ERRORS.noWidth(width, widths));
  }
  const environments = [...new Set(pages.map(({ environment }) => environmentLabel(environment)))];
  for (const name of selection.environments ?? []) {
    if (environments.includes(name)) continue;
    throw nothing(CHECK_ERRORS.noEnvironment(name, environments, nearestName(name, environments)));
  }
  const selected = pages.filter(selects(selection));
  if (selected.length === 0 && pages.length > 0) {
    const isByEnvironment = selection.environments !== undefined && selection.environments.length > 0;
    throw nothing(isByEnvironment ? CHECK_ERRORS.noRouteInEnvironment : CHECK_ERRORS.noRouteAtWidth);
  }
  return selected;
}

function nothing(message: string): CommandError {
  return new CommandError("nothing_selected", message);
}
