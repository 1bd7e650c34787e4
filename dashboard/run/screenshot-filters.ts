import { environmentLabel, pageName } from "../../shared/contracts/capture/screenshot-key.ts";
import { type DisplayStatus, displayStatusOf } from "../../shared/report/display-status.ts";
import type { Screenshot } from "../api/screenshot.ts";
import type { ScreenshotFilterQuery } from "../location-filters.ts";

/** Selected values. Null selects all. */
export interface SelectedValues {
  standing: DisplayStatus | null;
  /** Name of the environment. */
  environment: string | null;
  /** Width, px. */
  viewport: number | null;
}

export interface ScreenshotFilters extends SelectedValues {
  /** Part of the route, the state or the environment. */
  text: string;
}

export const NO_SELECTION: SelectedValues = { standing: null, environment: null, viewport: null };

export const hasSelection = ({ standing, environment, viewport }: SelectedValues): boolean =>
  standing !== null || environment !== null || viewport !== null;

/** Returns whether a screenshot has all selected values. */
export function isSelected(shot: Screenshot, { standing, environment, viewport }: SelectedValues): boolean {
  return (
    (standing === null || displayStatusOf(shot) === standing) &&
    (environment === null || environmentLabel(shot.environment) === environment) &&
    (viewport === null || shot.viewport === viewport)
  );
}

/** Returns the screenshots that match all filters. */
export function matchingScreenshots(
  shots: readonly Screenshot[],
  { text, ...selected }: ScreenshotFilters,
): Screenshot[] {
  const wanted = text.trim().toLowerCase();
  return shots.filter(shot => pageName(shot).toLowerCase().includes(wanted) && isSelected(shot, selected));
}

/** Returns the filters of a URL. */
export function filtersIn(query: ScreenshotFilterQuery): ScreenshotFilters {
  const { find = "", standing = null, environment = null, viewport = null } = query;
  return { text: find, standing, environment, viewport };
}

/** Returns the filters for a URL. */
export function filterQuery({
  text,
  standing,
  environment,
  viewport,
}: ScreenshotFilters): ScreenshotFilterQuery {
  const find = text.trim();
  return {
    ...(find && { find }),
    ...(standing && { standing }),
    ...(environment && { environment }),
    ...(viewport && { viewport }),
  };
}
