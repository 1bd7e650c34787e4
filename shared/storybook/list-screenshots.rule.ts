import type { ReadStorybook } from "../capture/story/read-storybook.ts";
import { BOUNDS } from "../contracts/capture/bounds.ts";
import { heightOf, type Viewport, widthOf } from "../contracts/capture/viewport.ts";
import { type ListedScreenshot, STORY_BOUNDS, type StoryList, storyList } from "../contracts/runs/stories.ts";
import { describeInvalid, fieldError, fieldPath } from "../text/describe-invalid.ts";
import {
  planStoryScreenshots,
  STORY_TIMEOUT_MS,
  type StoryScreenshot,
  withTags,
} from "./plan-story-screenshots.rule.ts";
import { StorybookError } from "./storybook-error.ts";
import { STORYBOOK_ERRORS as ERRORS } from "./texts.ts";

/** What a run captures of a Storybook. */
interface Selection {
  /** Tags that stories must have, or with `!` must not have. */
  tags: readonly string[];
  /** Viewports of stories without their own. */
  viewports: readonly Viewport[];
}

/**
 * Returns the screenshots of a run of a Storybook.
 * @throws StorybookError without stories, with more screenshots than a run can have, or for invalid parameters
 */
export function listScreenshots(
  { indexed, stories, errors }: Pick<ReadStorybook, "indexed" | "stories" | "errors">,
  { tags, viewports }: Selection,
): StoryList {
  if (indexed.length === 0) throw new StorybookError("storybook_invalid", ERRORS.noStories);
  const tagged = withTags(indexed, tags);
  if (tagged.length === 0) throw new StorybookError("storybook_invalid", ERRORS.noTagged(tags));
  const { screenshots, disabled } = planStoryScreenshots(tagged, { extracted: stories, viewports });
  if (screenshots.length === 0) throw new StorybookError("storybook_invalid", ERRORS.allDisabled);
  if (screenshots.length > BOUNDS.screenshots)
    throw new StorybookError(
      "storybook_invalid",
      ERRORS.tooMany(screenshots.length, BOUNDS.screenshots, tagged.length),
    );
  const list = {
    screenshots: screenshots.map(each => listed(each, stories[each.story.id]?.args ?? {})),
    ...{ disabled, excluded: indexed.length - tagged.length },
    errors: errors.slice(0, STORY_BOUNDS.errors).map(message => message.slice(0, 1_000)),
  };
  // A Storybook can say anything.
  const parsed = storyList.safeParse(JSON.parse(JSON.stringify(list)), { error: describeInvalid });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const [, at] = issue?.path ?? [];
  const story = typeof at === "number" ? (screenshots[at]?.story.id ?? "") : "";
  const rest = (issue?.path ?? []).slice(at === undefined ? 0 : 2);
  const why = fieldError(fieldPath(rest), issue?.message ?? "", ERRORS.whole);
  throw new StorybookError("storybook_invalid", ERRORS.unusable(story.slice(0, 300), why));
}

function listed(
  { story, settings, environment, viewport, globals, query, ...mode }: StoryScreenshot,
  args: Record<string, string>,
): ListedScreenshot {
  const { id, title, name, importPath } = story;
  const { threshold, colorThreshold, delayMs, timeoutMs, options, ignoreSelectors } = settings;
  const modeArgs: NonNullable<ListedScreenshot["story"]["modeArgs"]> = JSON.parse(JSON.stringify(mode.args));
  return {
    environment,
    viewport: widthOf(viewport),
    viewportHeight: heightOf(viewport),
    threshold: threshold ?? null,
    colorThreshold: colorThreshold ?? null,
    story: {
      ...{ id, title, name, importPath, query },
      args: { ...args, ...textsOf(modeArgs) },
      globals: JSON.parse(JSON.stringify(globals)),
      ...(Object.keys(modeArgs).length > 0 && { modeArgs }),
      ...{ delayMs, timeoutMs: timeoutMs ?? STORY_TIMEOUT_MS, settings: settings.environment },
      ...{ options, ignoreSelectors: [...ignoreSelectors] },
    },
  };
}

/** Returns args of a mode as reviewers see them, in place of those of the story. */
function textsOf(args: Record<string, unknown>): Record<string, string> {
  const { args: most, argChars } = STORY_BOUNDS;
  const named = Object.entries(args).filter(([name]) => name.length <= argChars);
  return Object.fromEntries(
    named.slice(0, most).map(([name, value]) => [name, JSON.stringify(value).slice(0, argChars)]),
  );
}
