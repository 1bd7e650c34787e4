import type { StoryRequest } from "../../shared/capture/story/story-request.ts";
import type { StoredStory } from "../../shared/contracts/runs/stories.ts";
import { storybookUrl } from "../../shared/storybook/story-urls.ts";

/** Returns how a story is captured. Stories of a file in the same mode can share a page. */
export function storyRequestOf(
  { id, importPath, globals, delayMs, timeoutMs }: StoredStory,
  site: string,
): StoryRequest {
  const group = JSON.stringify([importPath, globals]);
  return { id, previewUrl: storybookUrl(site), globals, group, delayMs, timeoutMs };
}
