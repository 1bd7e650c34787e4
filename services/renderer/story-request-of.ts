import type { StoryRequest } from "../../shared/capture/story/story-request.ts";
import type { StoredStory } from "../../shared/contracts/runs/stories.ts";
import { storybookUrl } from "../../shared/storybook/story-urls.ts";

/** Returns how a story is captured. Stories of a file in the same mode can share a page. */
export function storyRequestOf(
  { id, importPath, globals, modeArgs, delayMs, timeoutMs }: StoredStory,
  site: string,
): StoryRequest {
  const args = modeArgs && { args: modeArgs };
  const group = JSON.stringify([importPath, globals, ...(modeArgs ? [modeArgs] : [])]);
  return { id, previewUrl: storybookUrl(site), globals, ...args, group, delayMs, timeoutMs };
}
