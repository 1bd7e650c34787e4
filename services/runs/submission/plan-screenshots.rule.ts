import type { Region } from "../../../shared/compare/comparison.ts";
import { COLOR_THRESHOLD } from "../../../shared/compare/pixel-rule.ts";
import type { CaptureOptions, RunOptions } from "../../../shared/contracts/runs/capture-options.ts";
import { scaleFactorOf } from "../../../shared/contracts/runs/environment.ts";
import { regionsAt } from "../../../shared/contracts/runs/ignore-region.ts";
import { optionsOf, planPages } from "../../../shared/contracts/runs/plan-pages.ts";
import type { SubmitRun } from "../../../shared/contracts/runs/submit-run.ts";
import { widthOf } from "../../../shared/contracts/runs/viewport.ts";

/** A screenshot to capture. */
export interface PlannedScreenshot {
  route: string;
  viewport: number;
  threshold: number;
  colorThreshold: number;
  /** Regions in which changed pixels don't count, in px. */
  ignoreRegions: Region[];
}

/** Returns all screenshots of a submission. Routes are in order, each with its own widths or the run's. */
export function planScreenshots(body: SubmitRun): PlannedScreenshot[] {
  return planPages(body).map(page => {
    const viewport = widthOf(page.viewport);
    return {
      ...{ route: page.route, viewport },
      threshold: page.threshold ?? body.threshold,
      colorThreshold: page.colorThreshold ?? COLOR_THRESHOLD,
      ignoreRegions: regionsAt(page.ignoreRegions, {
        ...{ viewport, environment: page.environment },
        scaleFactor: scaleFactorOf(page.settings),
      }),
    };
  });
}

/** Returns a route's capture options. Each of its own options replaces the run's. */
export function captureOptionsFor(options: RunOptions, route: string): CaptureOptions {
  return optionsOf(options, route).capture;
}
