import type { ExtractedStory } from "../../shared/capture/story/in-page/extract-stories.ts";
import { screenshotName } from "../../shared/contracts/builds/uploaded-screenshot.ts";
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

function planned(screenshot: StoryScreenshot, route: string, { url, config }: PlanContext): PlannedStory {
  const { story, settings, environment, viewport, globals, query } = screenshot;
  const { id, importPath, tags } = story;
  const globalsQuery = query === "" ? "" : `&globals=${encodeURIComponent(query)}`;
  const previewUrl = `${url}/iframe.html?viewMode=story`;
  const { clock, random, masks, hide } = config;
  const shared = {
    ...(clock && { clock }),
    ...(random && { random }),
    ...(masks && { masks }),
    ...(hide && { hide }),
  };
  const timeoutMs = settings.timeoutMs ?? STORY_TIMEOUT_MS;
  return {
    ...{ id, importPath, tags, route, environment, viewport: widthOf(viewport) },
    ...{ height: heightOf(viewport), settings: settings.environment, states: [null] },
    url: `${previewUrl}&id=${encodeURIComponent(id)}${globalsQuery}`,
    site: url,
    options: { ...shared, ...settings.options },
    threshold: settings.threshold ?? config.threshold,
    colorThreshold: settings.colorThreshold ?? config.colorThreshold,
    ignoreRegions: [...settings.ignoreRegions],
    ignoreSelectors: [...settings.ignoreSelectors],
    story: { id, previewUrl, globals, delayMs: settings.delayMs, timeoutMs, group: groupOf(screenshot) },
  };
}
