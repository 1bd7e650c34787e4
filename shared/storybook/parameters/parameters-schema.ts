import { z } from "zod";
import { BOUNDS } from "../../contracts/capture/bounds.ts";
import { captureOptionsSchema, runOptionsSchema } from "../../contracts/capture/capture-options.ts";
import { environmentSchema } from "../../contracts/capture/environment.ts";

/** Sizes as people write them: 320, "320px", "320". */
const px = z
  .union([z.number(), z.string().regex(/^\d+(px)?$/)])
  .transform(value => Math.round(Number.parseFloat(String(value))));

const width = px.pipe(z.int().min(BOUNDS.minViewportPx).max(BOUNDS.maxViewportPx));
const height = px.pipe(z.int().min(BOUNDS.minViewportHeightPx).max(BOUNDS.maxViewportHeightPx));
const viewport = z.union(
  [width, z.object({ width, height: height.optional() }), z.string().min(1).max(100)],
  "must be a width in px, { width, height }, or the name of a viewport",
);
const viewports = z.array(viewport).min(1).max(BOUNDS.viewports);

/** Other fields are globals. */
const mode = z.looseObject({
  viewport: viewport.optional(),
  disable: z.boolean().optional(),
});
const modes = z.record(z.string().min(1).max(40), mode);

const selector = z.string().min(1).max(1_000);
const ignoreSelector = z.union([
  selector.transform(text => ({ selector: text })),
  z.strictObject({ selector, padding: z.int().min(0).max(BOUNDS.paddingPx).optional() }),
]);

/** Steps, sessions and network rules are for pages. A story has a play function and decorators. */
const { masks, hide, waitForSelector, clock, random, element, padding, fullPage, maxHeight } =
  captureOptionsSchema.shape;

/** `parameters.vrs` */
export const vrsSchema = z
  .strictObject({
    skip: z.boolean(),
    viewports,
    modes,
    environment: environmentSchema,
    threshold: z.number().min(0).max(1),
    colorThreshold: runOptionsSchema.shape.colorThreshold.unwrap(),
    ignoreSelectors: z.array(ignoreSelector).max(BOUNDS.ignoreRegions),
    /** Seconds. */
    delay: z.number().min(0).max(30),
    timeout: z.number().min(1).max(60),
    ...{ masks, hide, waitForSelector, clock, random, element, padding, fullPage, maxHeight },
  })
  .partial();

/** `parameters.chromatic`, as far as it has a meaning here. Its other fields are left out. */
export const chromaticSchema = z
  .object({
    disable: z.boolean(),
    disableSnapshot: z.boolean(),
    /** ms */
    delay: z.number().min(0).max(30_000),
    diffThreshold: z.number().min(0).max(1),
    viewports,
    modes,
    ignoreSelectors: z.array(selector).max(BOUNDS.ignoreRegions),
    pauseAnimationAtEnd: z.boolean(),
    prefersReducedMotion: z.enum(["reduce", "no-preference"]),
    forcedColors: z.enum(["active", "none"]),
    media: z.enum(["print", "screen"]),
    cropToViewport: z.boolean(),
  })
  .partial();
