import type { Region } from "../../../shared/compare/comparison.ts";
import { COLOR_THRESHOLD } from "../../../shared/compare/pixel-rule.ts";
import { scaleFactorOf } from "../../../shared/contracts/capture/environment.ts";
import { regionsAt } from "../../../shared/contracts/capture/ignore-region.ts";
import { type PagePlan, planPages } from "../../../shared/contracts/capture/plan-pages.ts";
import { environmentIn } from "../../../shared/contracts/capture/region.ts";
import { keyOf, type ScreenshotKey } from "../../../shared/contracts/capture/screenshot-key.ts";
import { heightOf, widthOf } from "../../../shared/contracts/capture/viewport.ts";
import type { StoredStory } from "../../../shared/contracts/runs/stories.ts";
import type { SubmitRun } from "../../../shared/contracts/runs/submit-run.ts";

/** A screenshot to capture. */
export interface PlannedScreenshot extends ScreenshotKey {
  /** Region whose renderers capture it. Absent if any renderer does. */
  region?: string;
  /** Viewport height, px. */
  viewportHeight: number;
  threshold: number;
  colorThreshold: number;
  /** Regions in which changed pixels don't count, in px. */
  ignoreRegions: Region[];
  /** Image px per CSS px. Absent if unknown. */
  scaleFactor?: number;
  /** Absent for other pages than stories. */
  story?: StoredStory;
}

/**
 * Returns the screenshots of a submission, in order: by route, then environment, then viewport, then region, then state.
 * @param only the screenshots to capture. Null for all
 * @param regions regions that capture each page. Empty for any renderer
 */
export function planScreenshots(
  body: PagePlan & Pick<SubmitRun, "threshold">,
  only: readonly ScreenshotKey[] | null,
  regions: readonly string[] = [],
): PlannedScreenshot[] {
  const wanted = only && new Set(only.map(keyOf));
  const planned = planPages(body).flatMap(page => {
    const { route, environment, settings } = page;
    const viewport = widthOf(page.viewport);
    const scaleFactor = scaleFactorOf(settings);
    const captures = (regions.length === 0 ? [null] : regions).flatMap(region =>
      page.states.map(state => ({
        ...{ state, environment: environmentIn(environment, region) },
        ...(region !== null && { region }),
      })),
    );
    return captures.map(capture => ({
      ...{ route, ...capture, viewport },
      viewportHeight: heightOf(page.viewport),
      threshold: page.threshold ?? body.threshold,
      colorThreshold: page.colorThreshold ?? COLOR_THRESHOLD,
      ignoreRegions: regionsAt(page.ignoreRegions, { viewport, environment, scaleFactor }),
      scaleFactor,
    }));
  });
  return wanted ? planned.filter(screenshot => wanted.has(keyOf(screenshot))) : planned;
}

/** Returns the largest number of screenshots that one job captures: a route in one environment. */
export function screenshotsPerJob(planned: readonly ScreenshotKey[]): number {
  const jobs = Map.groupBy(planned, ({ route, environment }) => jobOf(route, environment));
  return Math.max(0, ...[...jobs.values()].map(({ length }) => length));
}

/** Returns the name of the job that captures a route in one environment. Without an environment, it is the route. */
export function jobOf(route: string, environment: string | null): string {
  return environment === null ? route : JSON.stringify([route, environment]);
}
