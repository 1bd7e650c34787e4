import type { StoredStory } from "../../../shared/contracts/runs/stories.ts";

/** The names of a story, which its baselines keep. */
export type StoryNames = Pick<StoredStory, "title" | "name">;

/** Returns the names of a screenshot's story. Null for other pages. */
export function namesOfStory({ story }: { story: StoredStory | null }): StoryNames | null {
  return story && { title: story.title, name: story.name };
}

/** Returns a story that the Storybook doesn't have anymore. */
export function removedStory(id: string, { title, name }: StoryNames): StoredStory {
  return {
    ...{ id, title, name, importPath: "", args: {}, globals: {}, query: "" },
    ...{ delayMs: 0, timeoutMs: 1, settings: {}, options: {}, ignoreSelectors: [] },
  };
}
