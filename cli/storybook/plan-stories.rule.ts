import type { ExtractedStory } from "../../shared/capture/story/in-page/extract-stories.ts";
import { screenshotName } from "../../shared/contracts/builds/uploaded-screenshot.ts";
import { BOUNDS } from "../../shared/contracts/capture/bounds.ts";
import type { Environment } from "../../shared/contracts/capture/environment.ts";
import { keyOf } from "../../shared/contracts/capture/screenshot-key.ts";
import { heightOf, type Viewport, widthOf } from "../../shared/contracts/capture/viewport.ts";
import type { PlannedVisit } from "../check/screenshots/plan-screenshots.ts";
import type { LoadedConfig } from "../config/load-config.ts";
import { CommandError } from "../terminal.ts";
import { STORYBOOK_ERRORS as ERRORS } from "../texts/storybook.ts";
import { globalsQuery } from "./parameters/globals-query.ts";
import { readSettings } from "./parameters/read-settings.ts";
import type { NamedViewport, StoryMode, StorySettings } from "./parameters/story-settings.ts";
import { namedViewports, toolbarViewport } from "./parameters/story-viewports.ts";
import type { IndexedStory } from "./read-index.ts";

/** A screenshot of a story. */
export interface PlannedStory extends PlannedVisit {
  id: string;
  importPath: string;
  tags: readonly string[];
}

export interface StoryPlan {
  stories: PlannedStory[];
  /** Stories that parameters disable. */
  disabled: number;
}

/** More are a mistake: each one is reviewed. */
const MAX_SCREENSHOTS = 100;
const TIMEOUT_MS = 15_000;

type Defaults = Pick<
  LoadedConfig,
  "viewports" | "threshold" | "colorThreshold" | "clock" | "random" | "masks" | "hide"
>;

/** What the stories are planned for. */
interface PlanContext {
  /** URL of the Storybook, without a slash at the end. */
  url: string;
  /** By story id. */
  extracted: Readonly<Record<string, ExtractedStory>>;
  config: Defaults;
}

/**
 * Returns the screenshots of stories: one for each viewport, or for each mode. Those of one file follow each other, so
 * that they can share a page.
 * @throws CommandError `parameters_invalid`
 */
export function planStories(indexed: readonly IndexedStory[], context: PlanContext): StoryPlan {
  const names = namesOf(indexed);
  let disabled = 0;
  const stories = indexed.flatMap(story => {
    const { parameters = {}, globals = {} } = context.extracted[story.id] ?? {};
    const settings = readSettings(story.id, parameters);
    if (settings.isSkipped) {
      disabled += 1;
      return [];
    }
    const route = names.get(story.id) ?? story.id;
    const known = namedViewports(parameters.viewport);
    const toolbar = toolbarViewport(parameters.viewport, globals);
    const variants = variantsOf(settings, toolbar, context.config.viewports).map(variant => {
      const viewport = resolveViewport(story.id, variant.viewport, known);
      return planned({ ...story, route }, settings, { ...variant, viewport }, context);
    });
    const unique = [
      ...new Map(variants.map(variant => [keyOf({ ...variant, state: null }), variant])).values(),
    ];
    if (unique.length > MAX_SCREENSHOTS)
      throw new CommandError("parameters_invalid", ERRORS.manyScreenshots(story.id, MAX_SCREENSHOTS));
    return unique;
  });
  // The sort is stable: stories of a group keep their order.
  const groups = Map.groupBy(stories, ({ story }) => story?.group ?? "");
  return { stories: [...groups.values()].flat(), disabled };
}

/** Returns a name for each story, such as `Forms/Button/Primary`. A name that isn't unique ends with the story's id. */
function namesOf(indexed: readonly IndexedStory[]): Map<string, string> {
  const read = ({ title, name, id }: IndexedStory) => {
    const path = `${title}/${name}`.replaceAll(/\p{Cc}+/gu, " ").trim();
    const parsed = screenshotName.safeParse(path);
    return parsed.success ? parsed.data : id;
  };
  const count = new Map<string, number>();
  for (const story of indexed) count.set(read(story), (count.get(read(story)) ?? 0) + 1);
  return new Map(
    indexed.map(story => {
      const name = read(story);
      return [story.id, (count.get(name) ?? 0) > 1 ? `${name} (${story.id})`.slice(0, 300) : name];
    }),
  );
}

/** Modes replace viewports. A story's own viewports replace that of Storybook's toolbar. */
function variantsOf(
  { modes, viewports }: StorySettings,
  toolbar: NamedViewport | null,
  defaults: readonly Viewport[],
): (Omit<StoryMode, "viewport"> & { viewport: NamedViewport })[] {
  const usual: readonly NamedViewport[] = viewports ?? (toolbar === null ? defaults : [toolbar]);
  if (modes.length === 0) return usual.map(viewport => ({ name: null, globals: {}, viewport }));
  return modes.flatMap(({ viewport, ...mode }) =>
    (viewport === undefined ? usual : [viewport]).map(each => ({ ...mode, viewport: each })),
  );
}

function resolveViewport(
  story: string,
  viewport: NamedViewport,
  known: ReadonlyMap<string, Viewport>,
): Viewport {
  if (typeof viewport !== "string") return viewport;
  const found = known.get(viewport);
  if (found !== undefined && isInBounds(found)) return found;
  throw new CommandError("parameters_invalid", ERRORS.viewportName(story, viewport, [...known.keys()]));
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

function planned(
  { id, route, importPath, tags }: IndexedStory & { route: string },
  settings: StorySettings,
  { name, globals, viewport }: { name: string | null; globals: Record<string, unknown>; viewport: Viewport },
  { url, config }: PlanContext,
): PlannedStory {
  const written = globalsQuery(globals);
  if ("unsafe" in written)
    throw new CommandError("parameters_invalid", ERRORS.globalValue(id, name ?? "default", written.unsafe));
  const query = written.query === "" ? "" : `&globals=${encodeURIComponent(written.query)}`;
  const previewUrl = `${url}/iframe.html?viewMode=story`;
  const { clock, random, masks, hide } = config;
  const shared = {
    ...(clock && { clock }),
    ...(random && { random }),
    ...(masks && { masks }),
    ...(hide && { hide }),
  };
  const environment: Environment = settings.environment;
  return {
    ...{ id, importPath, tags, route, environment: name, viewport: widthOf(viewport) },
    ...{ height: heightOf(viewport), settings: environment, states: [null] },
    url: `${previewUrl}&id=${encodeURIComponent(id)}${query}`,
    site: url,
    options: { ...shared, ...settings.options },
    threshold: settings.threshold ?? config.threshold,
    colorThreshold: settings.colorThreshold ?? config.colorThreshold,
    ignoreRegions: [...settings.ignoreRegions],
    ignoreSelectors: [...settings.ignoreSelectors],
    story: {
      ...{ id, previewUrl, globals, delayMs: settings.delayMs, timeoutMs: settings.timeoutMs ?? TIMEOUT_MS },
      group: JSON.stringify([importPath, globals, viewport, environment]),
    },
  };
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
