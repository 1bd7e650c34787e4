import { z } from "zod";
import { BOUNDS } from "./bounds.ts";

/** Default height of viewports: a laptop's height without the browser's own bars, px. */
export const VIEWPORT_HEIGHT_PX = 800;

/** Viewport width in px. It identifies a screenshot together with its page and environment. */
export const viewportSchema = z.int().min(BOUNDS.minViewportPx).max(BOUNDS.maxViewportPx);

const sizedViewport = z.strictObject({
  width: viewportSchema,
  height: z.int().min(BOUNDS.minViewportHeightPx).max(BOUNDS.maxViewportHeightPx),
});

/** A width in px, or a width and a height. */
export type Viewport = number | z.infer<typeof sizedViewport>;

const viewportList = z
  .array(z.union([viewportSchema, sizedViewport], "must be a width in px, or { width, height }"))
  .min(1)
  .max(BOUNDS.viewports);

/** Viewports of a run, a route, or an environment. Each width occurs once. Equal widths are one viewport. */
export const viewportsSchema = viewportList.transform(uniqueWidths);

/** Viewports of a run, by default one of 1280 px. The API's document reads the default before the transform. */
export const runViewportsSchema = viewportList.default([1280]).transform(uniqueWidths);

/** Returns the width of a viewport, px. */
export function widthOf(viewport: Viewport): number {
  return typeof viewport === "number" ? viewport : viewport.width;
}

/** Returns the height of a viewport, px. */
export function heightOf(viewport: Viewport): number {
  return typeof viewport === "number" ? VIEWPORT_HEIGHT_PX : viewport.height;
}

/** Keeps the first viewport of each width, in order. */
function uniqueWidths(viewports: Viewport[]): Viewport[] {
  return [...Map.groupBy(viewports, widthOf).values()].flatMap(([first]) => first ?? []);
}
