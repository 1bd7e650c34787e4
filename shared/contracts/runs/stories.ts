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
  /** Files of stories whose sources are hashed. */
  sources: 5_000,
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

/** `storybook` in configurations. */
export const storybookOptions = z.strictObject({
  tags: tags.optional(),
  onlyChanged: z
    .boolean()
    .optional()
    .describe(
      "Skips stories that would load the same files as for their baselines. They keep their baselines. At random, 2% of them are captured as an audit. Requires an archive. Default: false",
    ),
});

/** `storybook` in the body of `POST /v1/run`. */
export const storybookInput = storybookOptions.extend({
  sources: z
    .record(text(2_000), z.string().regex(/^[0-9a-f]{8,64}$/, "must be a hash in hex"))
    .refine(
      sources => Object.keys(sources).length <= STORY_BOUNDS.sources,
      `must have at most ${STORY_BOUNDS.sources} files`,
    )
    .optional()
    .describe(
      "Hashes of the source files behind each file of stories, by the `importPath` of Storybook's index. With `onlyChanged`, stories are also skipped if theirs is the same as for their baselines. `vrs run` reads them from the statistics of the bundler",
    ),
});

export type StorybookOptions = z.infer<typeof storybookOptions>;
export type StorybookInput = z.infer<typeof storybookInput>;

/** What a run knows about the files behind a story. Runs that skip unchanged stories set it. */
const storyInputs = z.strictObject({
  /** Hash of what besides its files decides how it looks. */
  settings: z.string(),
  /** Rendering fingerprint of the browser that listed it. */
  rendering: z.string(),
  /** Hash of its source files. Absent if unknown. */
  sources: z.string().optional(),
  /** Set if it seems unchanged, and is captured all the same. */
  isAudit: z.literal(true).optional(),
});

export type StoryInputs = z.infer<typeof storyInputs>;

/** Which stories a run has skipped. */
export const skippedStories = z.object({
  total: z.int().describe("Screenshots of all stories"),
  skipped: z.int().describe("Screenshots that were skipped, because nothing behind them has changed"),
  audited: z
    .int()
    .describe("Screenshots that were captured as an audit, although nothing behind them has changed"),
  by: z
    .enum(["sources", "files"])
    .describe(
      "How unchanged stories were found: by the `sources` of the run, or only by the files that they load",
    ),
  missed: z
    .array(z.string())
    .describe("Audited screenshots that changed all the same. Other skipped stories may have changed, too"),
});

export type SkippedStories = z.infer<typeof skippedStories>;

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
  inputs: storyInputs.optional(),
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

/** The files of a build: their names without hashes of bundlers, and hashes of their content without these. By path. */
const listedFiles = z.record(z.string(), z.tuple([z.string(), z.string()]));

export type ListedFiles = z.infer<typeof listedFiles>;

/** What a renderer stores about the stories of a run. */
export const storyList = z.strictObject({
  screenshots: listedScreenshots,
  /** Numbers of stories without a screenshot. */
  disabled: z.int().min(0),
  excluded: z.int().min(0),
  /** Messages of modules that failed to load. */
  errors: z.array(z.string().max(1_000)).max(STORY_BOUNDS.errors),
  /** The files of the archive, for runs that skip unchanged stories. */
  build: z
    .strictObject({
      /** Rendering fingerprint of the browser. */
      rendering: z.string(),
      files: listedFiles,
    })
    .optional(),
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
    .describe(
      "Link to the story in the Storybook. For an archive, a signed link to the service, which opens as images do. Null for a local application",
    ),
});

export type StoryView = z.infer<typeof storyView>;
