import { pageUrl } from "../../shared/capture/network/page-url.ts";
import type { Region } from "../../shared/compare/comparison.ts";
import type { CaptureOptions } from "../../shared/contracts/runs/capture-options.ts";
import { scaleFactorOf } from "../../shared/contracts/runs/environment.ts";
import { regionsAt } from "../../shared/contracts/runs/ignore-region.ts";
import { planPages } from "../../shared/contracts/runs/plan-pages.ts";
import { widthOf } from "../../shared/contracts/runs/viewport.ts";
import { runOptionsOf } from "../../shared/project-config/run-of.ts";
import type { LoadedConfig } from "../config/load-config.ts";
import type { ScreenshotKey } from "./check-result.ts";

/** A screenshot to capture. */
export interface PlannedScreenshot extends ScreenshotKey {
  /** Absolute URL. */
  url: string;
  options: CaptureOptions;
  /** Allowed share of changed pixels, 0–1. */
  threshold: number;
  /** Color distance that counts as equal, 0–1; undefined for the default. */
  colorThreshold: number | undefined;
  /** Regions whose changed pixels don't count, px. */
  ignoreRegions: Region[];
}

/** Returns the screenshots of a configuration, in its order. */
export function planScreenshots(config: LoadedConfig, baseUrl: string): PlannedScreenshot[] {
  const { routes, viewports } = config;
  return planPages({ routes, viewports, options: runOptionsOf(config) }).map(page => {
    const viewport = widthOf(page.viewport);
    return {
      ...{ route: page.route, viewport, url: pageUrl(baseUrl, page.route), options: page.capture },
      threshold: page.threshold ?? config.threshold,
      colorThreshold: page.colorThreshold ?? undefined,
      ignoreRegions: regionsAt(page.ignoreRegions, {
        viewport,
        environment: page.environment,
        scaleFactor: scaleFactorOf(page.settings),
      }),
    };
  });
}
