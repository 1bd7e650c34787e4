/** A story of a Storybook to capture. The request's URL is that of its own page. */
export interface StoryRequest {
  /** Such as `forms-button--primary`. */
  id: string;
  /** URL of the preview without a story. */
  previewUrl: string;
  /** Globals that the mode of the story sets, as the request's URL does. */
  globals: Record<string, unknown>;
  /** Args that the mode of the story sets. No URL has them. */
  args?: Record<string, unknown> | undefined;
  /** Stories with the same one may share a preview, such as those of one file in the same globals. */
  group: string;
  /** Ids of stories whose modules the preview has, too: those of other files in the group. */
  loaded?: readonly string[];
  /** Wait after its rendering, on the page's own clock, ms. */
  delayMs: number;
  /** How long its loaders, its rendering and its play function may take together. */
  timeoutMs: number;
}

/**
 * What a visit to a story captures: the story in a preview that other stories share, its own page, or its own page only
 * if the preview doesn't show the baseline.
 */
export type StoryPart = "preview" | "ownPage" | "both";

/** A preview in a lease's page. Storybook's channel switches it from story to story, which is faster than a load. */
export interface KeptPreview {
  /** What its stories have in common. */
  key: string;
  /** Group of its stories. Null before the module of a story is loaded: then, it can become the preview of any group. */
  group: string | null;
}
