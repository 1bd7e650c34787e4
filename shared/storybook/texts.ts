import { count, figure, listed } from "../text/format.ts";

/** Why the screenshots of a Storybook can't be planned. */
export const STORYBOOK_ERRORS = {
  noIndex: (url: string, status: number) =>
    `${url} is not a Storybook of version 7 or later: it has neither index.json nor stories.json (status ${status}).`,
  badIndex: (url: string, where: string) =>
    `The list of stories at ${url} has an unknown format at ${where}. Update vrs or Storybook.`,
  parameters: (story: string, where: string, why: string) =>
    `The parameters of the story ${story} are invalid: ${where} ${why}. Fix them in the story, its component, or the preview.`,
  viewportName: (story: string, name: string, names: readonly string[]) =>
    `The story ${story} uses the viewport "${name}", which parameters.viewport doesn't define. Known viewports: ${names.join(", ") || "none"}.`,
  globalValue: (story: string, mode: string, name: string) =>
    `The mode "${mode}" of the story ${story} sets the global "${name}" to a value that a Storybook URL can't hold. Use letters, digits, spaces, hyphens, and underscores.`,
  manyScreenshots: (story: string, most: number) =>
    `The story ${story} has more than ${figure(most)} screenshots. Use fewer viewports or modes.`,
  noStories: "The Storybook has no stories. Check `stories` in .storybook/main, and build it again.",
  allDisabled: "Parameters disable all stories. Remove `skip` or `disableSnapshot` from some of them.",
  noTagged: (tags: readonly string[]) =>
    `No story has the tags ${listed(tags)}. Tags that begin with ! are excluded.`,
  tooMany: (screenshots: number, most: number, stories: number) =>
    `${count(stories, "story", "stories")} with their viewports and modes give ${figure(screenshots)} screenshots. A run can have at most ${figure(most)}. Select stories by tags, or use fewer viewports or modes.`,
  whole: "The story",
  unusable: (story: string, why: string) => `The story ${story} can't be captured: ${why}`,
};
