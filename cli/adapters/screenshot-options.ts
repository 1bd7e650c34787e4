import type { ScreenshotMetadata } from "../../shared/contracts/builds/uploaded-screenshot.ts";
import { definedOf } from "../../shared/defined-of.ts";

/** How a screenshot is compared: options of `vrsScreenshot` in every runner. */
export interface CompareOptions {
  /** Name of the variant, which has its own baseline. */
  readonly environment?: string;
  /** Share of changed pixels above which the screenshot needs review, 0–1. */
  readonly threshold?: number;
  /** Difference below which two colors count as equal, 0–1. */
  readonly colorThreshold?: number;
  /** Rectangles in which changed pixels don't count, in pixels of the image. */
  readonly ignoreRegions?: readonly { x: number; y: number; width: number; height: number }[];
  /** Earlier names of the screenshot, the latest first. */
  readonly previousNames?: readonly string[];
}

/** Returns the metadata that options of a screenshot set. */
export function metadataOfOptions(options: CompareOptions): ScreenshotMetadata {
  const { environment, threshold, colorThreshold, ignoreRegions, previousNames } = options;
  return definedOf({
    ...{ environment, threshold, colorThreshold },
    ignoreRegions: ignoreRegions && [...ignoreRegions],
    previousNames: previousNames && [...previousNames],
  });
}
