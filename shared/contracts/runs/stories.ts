import { z } from "zod";
import { screenshotName } from "../builds/uploaded-screenshot.ts";
import { BOUNDS } from "../capture/bounds.ts";
import { captureOptionsSchema } from "../capture/capture-options.ts";
import { environmentSchema } from "../capture/environment.ts";
import { keyOf } from "../capture/screenshot-key.ts";
import { viewportSchema, widthOf } from "../capture/viewport.ts";
import { secretNamesIn } from "../configuration/secret-references.ts";
import { text, unique } from "../fields.ts";

/** Stories of a Storybook. A renderer lists them, and each story is a page of the run. */

/** Limits of a list of stories. */
export const STORY_BOUNDS = {
  tags: 20,
  /** Of one story, shown to reviewers. */
  args: 20,
  argChars: 200,
  titleChars: 1_000,
  /** Globals of a mode in the URL of a preview. */
  queryChars: 4_000,
  /** Messages of modules that failed to load. */
  errors: 10,
  /** Of the stored list, bytes. */
  listBytes: 32 * 1024 * 1024,
} as const;

const tags = z
  .array(text(100))
  .max(STORY_BOUNDS.tags)
  .transform(unique)
  .describe(
    "Tags that stories must have, or with `!` must not have. Then other stories are not reported as removed",
  );

/** `storybook` in the body of `POST /v1/run`, and in configurations. */
export const storybookOptions = z.strictObject({ tags: tags.optional() });

export type StorybookOptions = z.infer<typeof storybookOptions>;

/** Globals and steps of a mode, settings and names of a story, as its screenshots keep them. */
const storedStory = z.strictObject({
  /** Such as `forms-button--primary`. It identifies the page. */
  id: screenshotName,
  /** Such as `Forms/Button`. */
  title: z.string().max(STORY_BOUNDS.titleChars),
  /** Such as `Primary`. */
  name: z.string().max(STORY_BOUNDS.titleChars),
  importPath: z.string().max(2_000),
  /** Values as JSON that may be cut, by name. */
  args: z.record(z.string().max(STORY_BOUNDS.argChars), z.string().max(STORY_BOUNDS.argChars)),
  globals: z.record(z.string(), z.json()),
  /** Args that the mode replaces. Absent without any. */
  modeArgs: z.record(z.string(), z.json()).optional(),
  /** The globals as the value of `globals` in a URL, not encoded. */
  query: z.string().max(STORY_BOUNDS.queryChars),
  delayMs: z.number().min(0).max(30_000),
  timeoutMs: z.number().min(1).max(60_000),
  settings: environmentSchema,
  // A job gets the secrets that its options refer to. Only the run may choose them.
  options: captureOptionsSchema.refine(
    options => secretNamesIn(options).length === 0,
    "must not refer to secrets",
  ),
  ignoreSelectors: z.array(
    z.strictObject({
      selector: z.string().min(1).max(1_000),
      padding: z.int().min(0).max(BOUNDS.paddingPx).optional(),
      isOptional: z.boolean().optional(),
    }),
  ),
});

export type StoredStory = z.infer<typeof storedStory>;

/** A screenshot of a story, as a renderer plans it. */
const listedScreenshot = z.strictObject({
  /** Name of the mode. Null for the default one. */
  environment: z.string().min(1).max(40).nullable(),
  viewport: viewportSchema,
  viewportHeight: z.int().min(BOUNDS.minViewportHeightPx).max(BOUNDS.maxViewportHeightPx),
  /** Null for the run's. */
  threshold: z.number().min(0).max(1).nullable(),
  /** Null for the run's. */
  colorThreshold: z.number().min(0).max(1).nullable(),
  story: storedStory,
});

const listedScreenshots = z
  .array(listedScreenshot)
  .max(BOUNDS.screenshots)
  .superRefine((screenshots, context) => {
    const known = new Set<string>();
    for (const [index, { environment, viewport, story }] of screenshots.entries()) {
      const key = keyOf({ route: story.id, state: null, environment, viewport: widthOf(viewport) });
      const message = "has the same id, mode and viewport as another one";
      if (known.has(key)) context.addIssue({ code: "custom", message, path: [index] });
      known.add(key);
    }
  });

/** What a renderer stores about the stories of a run. */
export const storyList = z.strictObject({
  screenshots: listedScreenshots,
  /** Numbers of stories without a screenshot. */
  disabled: z.int().min(0),
  excluded: z.int().min(0),
  /** Messages of modules that failed to load. */
  errors: z.array(z.string().max(1_000)).max(STORY_BOUNDS.errors),
});

export type ListedScreenshot = z.infer<typeof listedScreenshot>;
export type StoryList = z.infer<typeof storyList>;

/** A story in responses. */
export const storyView = z.object({
  id: z.string().describe("Id of the story, such as `forms-button--primary`"),
  title: z.string().describe("Title of the component, such as `Forms/Button`"),
  name: z.string().describe("Name of the story, such as `Primary`"),
  args: z.record(z.string(), z.string()).describe("Args as JSON, which may be cut"),
  url: z
    .string()
    .nullable()
    .describe("Link to the story in the Storybook. Null for an archive, which has no address"),
});

export type StoryView = z.infer<typeof storyView>;
