import { pageUrl } from "../../shared/capture/network/page-url.ts";
import type { Region } from "../../shared/compare/comparison.ts";
import type { CaptureOptions } from "../../shared/contracts/runs/capture-options.ts";
import { regionsAt } from "../../shared/contracts/runs/ignore-region.ts";
import type { LoadedConfig } from "../config/load-config.ts";
import { definedOf } from "../defined-of.ts";
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

/**
 * Returns the screenshots of a configuration, in its order. Settings of a route override the common ones,
 * field by field.
 */
export function planScreenshots(config: LoadedConfig, baseUrl: string): PlannedScreenshot[] {
  const { masks, hide, waitForSelector, headers, network, clock, random } = config;
  return config.routes.flatMap(route => {
    const {
      viewports = config.viewports,
      threshold = config.threshold,
      colorThreshold = config.colorThreshold,
      ignoreRegions = config.ignoreRegions,
      ...own
    } = config.perRoute?.[route] ?? {};
    const common = { masks, hide, waitForSelector, headers, network, clock, random };
    const options = definedOf({ ...common, ...definedOf(own) });
    const url = pageUrl(baseUrl, route);
    return [...new Set(viewports)].map(viewport => ({
      ...{ route, viewport, url, options },
      ...{ threshold, colorThreshold, ignoreRegions: regionsAt(ignoreRegions, viewport) },
    }));
  });
}
