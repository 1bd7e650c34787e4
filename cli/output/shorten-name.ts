import { pageNameParts, type ScreenshotKey } from "../../shared/contracts/capture/screenshot-key.ts";
import { visibleLine } from "../../shared/text/visible-text.ts";
import { shorten, widthOf } from "./text-width.ts";

type Page = Omit<ScreenshotKey, "viewport">;

/** Cells of the route beside a state and an environment that are cut too. */
const NARROWEST_ROUTE = 5;

function partsOf({ route, state, environment }: Page): { route: string; variant: string } {
  const parts = pageNameParts({
    route: visibleLine(route),
    state: state && visibleLine(state),
    environment: environment && visibleLine(environment),
  });
  return { route: parts.route, variant: parts.state + parts.environment };
}

/** Returns the name of a page, safe for a terminal. */
export function visibleName(page: Page): string {
  const { route, variant } = partsOf(page);
  return route + variant;
}

/**
 * Shortens the name of a page to a number of cells: the route first, since the state and the environment tell
 * screenshots of a page apart. Shortens these only if they are too long alone.
 */
export function shortenName(page: Page, cells: number): string {
  const { route, variant } = partsOf(page);
  if (widthOf(variant) < cells) return shorten(route, cells - widthOf(variant)) + variant;
  const rest = shorten(variant, cells - Math.min(widthOf(route), NARROWEST_ROUTE));
  return shorten(route, cells - widthOf(rest)) + rest;
}
