import type { z } from "zod";
import { DEFAULT_ENVIRONMENT } from "../../contracts/capture/environment.ts";
import { definedOf } from "../../defined-of.ts";
import { describeInvalid, fieldPath } from "../../text/describe-invalid.ts";
import { StorybookError } from "../storybook-error.ts";
import { STORYBOOK_ERRORS as ERRORS } from "../texts.ts";
import { chromaticSchema, vrsSchema } from "./parameters-schema.ts";
import type { NamedViewport, StoryMode, StorySettings } from "./story-settings.ts";

/** Elements whose changes don't count, as stories mark them. */
const MARKED = [".chromatic-ignore", '[data-chromatic="ignore"]', ".vrs-ignore", '[data-vrs="ignore"]'];

type Modes = z.infer<typeof vrsSchema>["modes"];

/**
 * Reads the parameters of a story. Storybook has already merged those of the preview, the component and the story. What
 * `parameters.vrs` says replaces what `parameters.chromatic` says.
 * @param parameters `{ vrs, chromatic }`
 * @throws StorybookError `parameters_invalid` that names the story and the field
 */
export function readSettings(story: string, parameters: Record<string, unknown>): StorySettings {
  const chromatic = parse(chromaticSchema, { story, name: "chromatic", value: parameters.chromatic });
  const vrs = parse(vrsSchema, { story, name: "vrs", value: parameters.vrs });
  const { masks, hide, waitForSelector, clock, random, element, padding, fullPage, maxHeight } = vrs;
  const cropped = chromatic.cropToViewport ? false : undefined;
  const own = { masks, hide, waitForSelector, clock, random, element, padding, maxHeight };
  const { prefersReducedMotion, forcedColors, media } = chromatic;
  return {
    isSkipped: vrs.skip ?? (chromatic.disableSnapshot || chromatic.disable || false),
    viewports: (vrs.viewports ?? chromatic.viewports)?.map(sizeOf),
    modes: modesOf(vrs.modes ?? chromatic.modes),
    environment: {
      ...definedOf({ reducedMotion: prefersReducedMotion, forcedColors, media }),
      ...vrs.environment,
    },
    threshold: vrs.threshold,
    colorThreshold: vrs.colorThreshold ?? chromatic.diffThreshold,
    ignoreSelectors: [
      ...MARKED.map(selector => ({ selector, isOptional: true })),
      ...(chromatic.ignoreSelectors ?? []).map(selector => ({ selector })),
      ...(vrs.ignoreSelectors ?? []),
    ],
    ignoreRegions: [],
    options: definedOf({ ...own, fullPage: fullPage ?? cropped }),
    delayMs: vrs.delay === undefined ? (chromatic.delay ?? 0) : vrs.delay * 1000,
    timeoutMs: vrs.timeout === undefined ? undefined : vrs.timeout * 1000,
  };
}

function modesOf(modes: Modes): StoryMode[] {
  return Object.entries(modes ?? {})
    .filter(([, { disable }]) => disable !== true)
    .map(([name, { viewport, disable: _, ...globals }]) => ({
      name: name === DEFAULT_ENVIRONMENT ? null : name,
      viewport: viewport === undefined ? undefined : sizeOf(viewport),
      globals,
    }));
}

function sizeOf(viewport: number | string | { width: number; height?: number | undefined }): NamedViewport {
  if (typeof viewport !== "object") return viewport;
  const { width, height } = viewport;
  return height === undefined ? width : { width, height };
}

function parse<T extends z.ZodType>(
  schema: T,
  { story, name, value }: { story: string; name: string; value: unknown },
): z.infer<T> {
  const parsed = schema.safeParse(value ?? {}, { error: describeInvalid });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = ["parameters", name, ...(issue?.path ?? [])];
  throw new StorybookError(
    "parameters_invalid",
    ERRORS.parameters(story, fieldPath(where), issue?.message ?? ""),
  );
}
