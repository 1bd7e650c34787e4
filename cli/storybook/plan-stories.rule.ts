import type { ExtractedStory } from "../../shared/capture/story/in-page/extract-stories.ts";
import { screenshotName } from "../../shared/contracts/builds/uploaded-screenshot.ts";
import type { CaptureOptions } from "../../shared/contracts/capture/capture-options.ts";
import type { Environment } from "../../shared/contracts/capture/environment.ts";
import { heightOf, widthOf } from "../../shared/contracts/capture/viewport.ts";
import type { IndexedStory } from "../../shared/storybook/indexed-story.ts";
import {
  groupOf,
  planStoryScreenshots,
  STORY_TIMEOUT_MS,
  type StoryScreenshot,
} from "../../shared/storybook/plan-story-screenshots.rule.ts";
import type { PlannedVisit } from "../check/screenshots/plan-screenshots.ts";
import type { LoadedConfig } from "../config/load-config.ts";
import { withStorybookErrors } from "./storybook-errors.ts";

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

type Defaults = Pick<
  LoadedConfig,
  "viewports" | "threshold" | "colorThreshold" | "clock" | "random" | "masks" | "hide"
>;

/** What the stories are planned for. */
interface PlanContext {
  /** URL of the Storybook, without a slash at the end. */
  url: string;
  /** By story id. */
  extracted: Readonly<Record<string, Pick<ExtractedStory, "parameters" | "globals">>>;
  config: Defaults;
}

/**
 * Returns the screenshots of stories: one for each viewport, or for each mode. Those of one file follow each other, so
 * that they can share a page.
 * @throws CommandError `parameters_invalid`
 */
export function planStories(indexed: readonly IndexedStory[], context: PlanContext): StoryPlan {
  const names = namesOf(indexed);
  const { extracted, config } = context;
  const { screenshots, disabled } = withStorybookErrors(() =>
    planStoryScreenshots(indexed, { extracted, viewports: config.viewports }),
  );
  const stories = screenshots.map(each => planned(each, names.get(each.story.id) ?? each.story.id, context));
  return { stories, disabled };
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

/**
 * Returns the preview of stories without settings of their own, in the first viewport.
 * @param url of the Storybook, without a slash at the end
 */
export function usualPreview(
  url: string,
  config: Defaults,
): Pick<PlannedVisit, "url" | "viewport" | "height" | "options"> & { environment: Environment } {
  const [first = 1280] = config.viewports;
  return {
    ...{ url: previewUrlOf(url), viewport: widthOf(first), height: heightOf(first) },
    ...{ environment: {}, options: optionsOf(config) },
  };
}

function previewUrlOf(url: string): string {
  return `${url}/iframe.html?viewMode=story`;
}

function optionsOf({ clock, random, masks, hide }: Defaults): CaptureOptions {
  return {
    ...(clock && { clock }),
    ...(random && { random }),
    ...(masks && { masks }),
    ...(hide && { hide }),
  };
}

function planned(screenshot: StoryScreenshot, route: string, { url, config }: PlanContext): PlannedStory {
  const { story, settings, environment, viewport, globals, args, query } = screenshot;
  const { id, importPath, tags } = story;
  const globalsQuery = query === "" ? "" : `&globals=${encodeURIComponent(query)}`;
  const previewUrl = previewUrlOf(url);
  const timeoutMs = settings.timeoutMs ?? STORY_TIMEOUT_MS;
  return {
    ...{ id, importPath, tags, route, environment, viewport: widthOf(viewport) },
    ...{ height: heightOf(viewport), settings: settings.environment, states: [null] },
    url: `${previewUrl}&id=${encodeURIComponent(id)}${globalsQuery}`,
    site: url,
    options: { ...optionsOf(config), ...settings.options },
    threshold: settings.threshold ?? config.threshold,
    colorThreshold: settings.colorThreshold ?? config.colorThreshold,
    ignoreRegions: [...settings.ignoreRegions],
    ignoreSelectors: [...settings.ignoreSelectors],
    story: {
      ...{ id, previewUrl, globals, delayMs: settings.delayMs, timeoutMs, group: groupOf(screenshot) },
      ...(Object.keys(args).length > 0 && { args }),
    },
  };
}
