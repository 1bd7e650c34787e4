import { pageUrl } from "../../../shared/capture/network/page-url.ts";
import type { StoryRequest } from "../../../shared/capture/story/story-request.ts";
import type { Region } from "../../../shared/compare/comparison.ts";
import type { CaptureOptions } from "../../../shared/contracts/capture/capture-options.ts";
import { type Environment, scaleFactorOf } from "../../../shared/contracts/capture/environment.ts";
import {
  type IgnoreSelector,
  ignoreSelectorsAt,
  regionsAt,
} from "../../../shared/contracts/capture/ignore-region.ts";
import { type PlannedPage, planPages } from "../../../shared/contracts/capture/plan-pages.ts";
import type { ScreenshotKey } from "../../../shared/contracts/capture/screenshot-key.ts";
import { heightOf, widthOf } from "../../../shared/contracts/capture/viewport.ts";
import { runOptionsOf } from "../../../shared/project-config/run-of.ts";
import type { LoadedConfig } from "../../config/load-config.ts";

/** How the screenshots of a page are compared. */
interface PlannedComparison {
  /** Allowed share of changed pixels, 0–1. */
  threshold: number;
  /** Color distance that counts as equal, 0–1; undefined for the default. */
  colorThreshold: number | undefined;
  /** Regions whose changed pixels don't count, in pixels of the image. */
  ignoreRegions: Region[];
  /** Elements in which changed pixels don't count. */
  ignoreSelectors: IgnoreSelector[];
}

/** A page to capture in one environment and at one width. One visit captures all its states. */
export interface PlannedVisit extends Omit<ScreenshotKey, "state">, PlannedComparison {
  /** Absolute URL. */
  url: string;
  /** URL of the site, to which the paths of steps and of the session belong. */
  site: string;
  /** Viewport height, px. */
  height: number;
  /** Browser options of the environment. */
  settings: Environment;
  options: CaptureOptions;
  /** The story of a Storybook that the page is; absent for other pages. */
  story?: StoryRequest;
  /** Screenshots of the visit, in order. Null is the page's own screenshot. */
  states: readonly (string | null)[];
}

/** A screenshot to capture. */
export interface PlannedScreenshot extends ScreenshotKey, PlannedComparison {}

/** Returns the visits of a configuration, in its order. */
export function planVisits(config: LoadedConfig, baseUrl: string): PlannedVisit[] {
  const { routes, viewports } = config;
  return planPages({ routes, viewports, options: runOptionsOf(config) }).map(page => ({
    ...visitOf(page, { url: pageUrl(baseUrl, page.route), site: baseUrl }),
    threshold: page.threshold ?? config.threshold,
  }));
}

/** Returns the visit of a planned page. @param address the page's URL, and the URL of its site */
export function visitOf(
  { route, environment, settings, states, viewport, capture, colorThreshold, ignoreRegions }: PlannedPage,
  address: Pick<PlannedVisit, "url" | "site">,
): Omit<PlannedVisit, "threshold"> {
  const width = widthOf(viewport);
  return {
    ...{ route, environment, settings, states, ...address },
    viewport: width,
    height: heightOf(viewport),
    options: capture,
    colorThreshold: colorThreshold ?? undefined,
    ignoreRegions: regionsAt(ignoreRegions, {
      ...{ viewport: width, environment },
      scaleFactor: scaleFactorOf(settings),
    }),
    ignoreSelectors: ignoreSelectorsAt(ignoreRegions, { viewport: width, environment }),
  };
}

/** Returns the screenshots of visits, in order. */
export function screenshotsOf(visits: readonly PlannedVisit[]): PlannedScreenshot[] {
  return visits.flatMap(({ route, environment, viewport, states, ...visit }) => {
    const { threshold, colorThreshold, ignoreRegions, ignoreSelectors } = visit;
    const comparison = { threshold, colorThreshold, ignoreRegions, ignoreSelectors };
    return states.map(state => ({ route, state, environment, viewport, ...comparison }));
  });
}

/** Returns the screenshots of a configuration, in its order. */
export function planScreenshots(config: LoadedConfig, baseUrl: string): PlannedScreenshot[] {
  return screenshotsOf(planVisits(config, baseUrl));
}
