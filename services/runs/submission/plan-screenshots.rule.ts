import type { Region } from "../../../shared/compare/comparison.ts";
import { COLOR_THRESHOLD } from "../../../shared/compare/pixel-rule.ts";
import type { CaptureOptions, RunOptions } from "../../../shared/contracts/runs/capture-options.ts";
import { regionsAt } from "../../../shared/contracts/runs/ignore-region.ts";
import type { SubmitRun } from "../../../shared/contracts/runs/submit-run.ts";

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
  return body.routes.flatMap(route => {
    const own = body.options?.perRoute?.[route];
    const viewports = [...new Set(own?.viewports ?? body.viewports)];
    const threshold = own?.threshold ?? body.threshold;
    const colorThreshold = own?.colorThreshold ?? body.options?.colorThreshold ?? COLOR_THRESHOLD;
    const regions = own?.ignoreRegions ?? body.options?.ignoreRegions;
    return viewports.map(viewport => {
      return { route, viewport, threshold, colorThreshold, ignoreRegions: regionsAt(regions, viewport) };
    });
  });
}

/** Returns a route's capture options. Each of its own options replaces the run's. */
export function captureOptionsFor(options: RunOptions, route: string): CaptureOptions {
  const { perRoute, ...shared } = options;
  const { viewports: _viewports, threshold: _threshold, ...own } = perRoute?.[route] ?? {};
  const { colorThreshold: _colorThreshold, ignoreRegions: _ignored, ...capture } = { ...shared, ...own };
  return capture;
}
