import type { Region } from "../../compare/comparison.ts";
import type { CaptureOptions } from "../../contracts/capture/capture-options.ts";
import type { Environment } from "../../contracts/capture/environment.ts";
import type { IgnoreSelector } from "../../contracts/capture/ignore-region.ts";
import type { Viewport } from "../../contracts/capture/viewport.ts";

/** A viewport as parameters give it: a size, or a name of `parameters.viewport`. */
export type NamedViewport = Viewport | string;

/** A named variant of a story. */
export interface StoryMode {
  /** Null for the default one. */
  name: string | null;
  viewport: NamedViewport | undefined;
  /** Values of Storybook's globals, such as `{ theme: "dark" }`. */
  globals: Record<string, unknown>;
}

/** What the parameters of a story say about its screenshots. Undefined fields have the defaults of the configuration. */
export interface StorySettings {
  isSkipped: boolean;
  viewports: readonly NamedViewport[] | undefined;
  /** Empty without modes. */
  modes: readonly StoryMode[];
  environment: Environment;
  threshold: number | undefined;
  colorThreshold: number | undefined;
  ignoreSelectors: readonly IgnoreSelector[];
  ignoreRegions: readonly Region[];
  options: CaptureOptions;
  /** Wait before the screenshot, ms. */
  delayMs: number;
  /** ms; undefined for the default. */
  timeoutMs: number | undefined;
}
