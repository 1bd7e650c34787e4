import type { ExtractedStory } from "../capture/story/in-page/extract-stories.ts";
import { BOUNDS } from "../contracts/capture/bounds.ts";
import { keyOf } from "../contracts/capture/screenshot-key.ts";
import { heightOf, type Viewport, widthOf } from "../contracts/capture/viewport.ts";
import type { IndexedStory } from "./indexed-story.ts";
import { globalsQuery } from "./parameters/globals-query.ts";
import { readSettings } from "./parameters/read-settings.ts";
import type { NamedViewport, StoryMode, StorySettings } from "./parameters/story-settings.ts";
import { namedViewports, toolbarViewport } from "./parameters/story-viewports.ts";
import { StorybookError } from "./storybook-error.ts";
import { STORYBOOK_ERRORS as ERRORS } from "./texts.ts";

/** A screenshot of a story. */
export interface StoryScreenshot {
  story: IndexedStory;
  settings: StorySettings;
  /** Name of the mode; null for the default one. */
  environment: string | null;
  viewport: Viewport;
  /** Globals that the mode sets. */
  globals: Record<string, unknown>;
  /** Args that the mode sets. */
  args: Record<string, unknown>;
  /** The globals as the value of `globals` in a URL, not encoded. Empty without globals. */
  query: string;
}

export interface StoryScreenshots {
  screenshots: StoryScreenshot[];
  /** Stories that parameters disable. */
  disabled: number;
}

/** What the stories are planned for. */
interface PlanContext {
  /** By story id. */
  extracted: Readonly<Record<string, Pick<ExtractedStory, "parameters" | "globals">>>;
  /** Viewports of stories without their own. */
  viewports: readonly Viewport[];
}

/** More are a mistake: each one is reviewed. */
const MAX_SCREENSHOTS = 100;
/** How long a story may take, unless it says so itself. */
export const STORY_TIMEOUT_MS = 15_000;

/**
 * Returns the screenshots of stories: one for each viewport, or for each mode. Those of one file follow each other, so
 * that they can share a page.
 * @throws StorybookError `parameters_invalid`
 */
export function planStoryScreenshots(
  indexed: readonly IndexedStory[],
  { extracted, viewports }: PlanContext,
): StoryScreenshots {
  let disabled = 0;
  const screenshots = indexed.flatMap(story => {
    const { parameters = {}, globals = {} } = extracted[story.id] ?? {};
    const settings = readSettings(story.id, parameters);
    if (settings.isSkipped) {
      disabled += 1;
      return [];
    }
    const known = namedViewports(parameters.viewport);
    const toolbar = toolbarViewport(parameters.viewport, globals);
    const planned = variantsOf(settings, toolbar, viewports).map(variant => ({
      ...{ story, settings, environment: variant.name, globals: variant.globals, args: variant.args },
      query: queryOf(story.id, variant),
      viewport: resolveViewport(story.id, variant.viewport, known),
    }));
    const unique = new Map(planned.map(each => [nameOf(each), each]));
    if (unique.size > MAX_SCREENSHOTS)
      throw new StorybookError("parameters_invalid", ERRORS.manyScreenshots(story.id, MAX_SCREENSHOTS));
    return [...unique.values()];
  });
  // The sort is stable: stories of a group keep their order.
  return { screenshots: [...Map.groupBy(screenshots, groupOf).values()].flat(), disabled };
}

/** Returns the name of the group whose stories can share a page: those of one file, mode, viewport and environment. */
export function groupOf({ story, globals, args, viewport, settings }: StoryScreenshot): string {
  const withArgs = Object.keys(args).length > 0 ? [args] : [];
  return JSON.stringify([story.importPath, globals, viewport, settings.environment, ...withArgs]);
}

function nameOf({ story, environment, viewport }: StoryScreenshot): string {
  return keyOf({ route: story.id, state: null, environment, viewport: widthOf(viewport) });
}

/** Modes replace viewports. A story's own viewports replace that of Storybook's toolbar. */
function variantsOf(
  { modes, viewports }: StorySettings,
  toolbar: NamedViewport | null,
  defaults: readonly Viewport[],
): (Omit<StoryMode, "viewport"> & { viewport: NamedViewport })[] {
  const usual: readonly NamedViewport[] = viewports ?? (toolbar === null ? defaults : [toolbar]);
  if (modes.length === 0) return usual.map(viewport => ({ name: null, globals: {}, args: {}, viewport }));
  return modes.flatMap(({ viewport, ...mode }) =>
    (viewport === undefined ? usual : [viewport]).map(each => ({ ...mode, viewport: each })),
  );
}

function queryOf(story: string, { name, globals }: Pick<StoryMode, "name" | "globals">): string {
  const written = globalsQuery(globals);
  if ("query" in written) return written.query;
  const message = ERRORS.globalValue(story, name ?? "default", written.unsafe);
  throw new StorybookError("parameters_invalid", message);
}

function resolveViewport(
  story: string,
  viewport: NamedViewport,
  known: ReadonlyMap<string, Viewport>,
): Viewport {
  const found = typeof viewport === "string" ? known.get(viewport) : viewport;
  if (found !== undefined && isInBounds(found)) return found;
  const name = typeof viewport === "string" ? viewport : `${widthOf(viewport)} × ${heightOf(viewport)}`;
  throw new StorybookError("parameters_invalid", ERRORS.viewportName(story, name, [...known.keys()]));
}

/** A phone may be narrower than the narrowest page, but not a story. */
function isInBounds(viewport: Viewport): boolean {
  const width = widthOf(viewport);
  const height = heightOf(viewport);
  const { minViewportPx, maxViewportPx, minViewportHeightPx, maxViewportHeightPx } = BOUNDS;
  return (
    width >= minViewportPx &&
    width <= maxViewportPx &&
    height >= minViewportHeightPx &&
    height <= maxViewportHeightPx
  );
}

/** Returns the stories that tags select: those with one of the tags, and with none of those that begin with `!`. */
export function withTags<T extends { tags: readonly string[] }>(
  stories: readonly T[],
  tags: readonly string[],
): T[] {
  const excluded = tags.flatMap(tag => (tag.startsWith("!") ? [tag.slice(1)] : []));
  const included = tags.filter(tag => !tag.startsWith("!"));
  return stories.filter(
    story =>
      (included.length === 0 || included.some(tag => story.tags.includes(tag))) &&
      !excluded.some(tag => story.tags.includes(tag)),
  );
}
