import { z } from "zod";
import { runOptionsSchema } from "../contracts/capture/capture-options.ts";
import { planFailures } from "../contracts/capture/plan-pages.ts";
import { viewportsSchema } from "../contracts/capture/viewport.ts";
import { pageUrl, text } from "../contracts/fields.ts";
import { storybookOptions } from "../contracts/runs/stories.ts";
import { submitRunBody } from "../contracts/runs/submit-run.ts";
import { CONFIG_ERRORS } from "./texts.ts";

/** Default URL of the bootstrap's and most frameworks' development servers. */
const DEVELOPMENT_URL = "http://localhost:3000";

const { routes, viewports, threshold, project } = submitRunBody.shape;

const folder = text(500).regex(/^(?![/\\]|[A-Za-z]:)/, CONFIG_ERRORS.folder);

const baselines = z.strictObject({
  directory: folder
    .default(".service/baselines")
    .describe("Folder of the baselines in the repository, relative to the config file"),
  branch: text(255)
    .optional()
    .describe("Branch, tag or commit to compare with. Default: the files in the folder as they are"),
});

const browser = z.strictObject({
  path: text(1000)
    .optional()
    .describe("Path of your own Chromium or Chrome. Default: the one that vrs finds"),
});

const storybook = z.strictObject({
  source: text(2000)
    .optional()
    .describe(
      "Folder of the Storybook's build, relative to the config file, or URL of a running one. Default: storybook-static",
    ),
  build: text(200)
    .optional()
    .describe("Script of package.json that builds the Storybook before the command line checks it"),
  tags: storybookOptions.shape.tags,
  onlyChanged: z
    .boolean()
    .optional()
    .describe(
      "Skips stories whose files are the same as for their baselines, and audits 2% of them. Applies to builds, not to URLs. Default: false",
    ),
  viewports: viewportsSchema
    .optional()
    .describe("Viewports of stories without their own. Default: `viewports`"),
  threshold: threshold
    .unwrap()
    .optional()
    .describe("Share of changed pixels above which a story needs review, 0–1. Default: `threshold`"),
});

/** Marks issues of the combination of routes, viewports, environments and sessions. */
export const PLAN_ISSUE = { isAboutPlan: true };

/** A plugin is code. The schema checks only the name that identifies it. */
const plugin = z.looseObject({ name: text(100) });

/**
 * The object that `service.config.ts` exports. The fields of a run are declared once, for the API and for
 * this file, so that both agree.
 */
export const projectConfigSchema = z
  .strictObject({
    baseUrl: pageUrl.default(DEVELOPMENT_URL).describe("Address of the application where you develop"),
    project,
    routes,
    viewports,
    threshold,
    ...runOptionsSchema.shape,
    perRoute: runOptionsSchema.shape.perRoute.describe(
      "Viewports, thresholds and capture options for single routes. Each field replaces the general one",
    ),
    storybook: storybook.optional().describe("The project's Storybook, whose stories are checked"),
    baselines: baselines.prefault({}).describe("Where baselines are stored, and which branch provides them"),
    browser: browser.prefault({}).describe("The browser that captures screenshots"),
    concurrency: z
      .int()
      .min(1)
      .max(64)
      .optional()
      .describe("Number of pages to render concurrently. Default: the number of CPU cores"),
    plugins: z.array(plugin).max(50).default([]).describe("Plugins, such as the monitor plugin"),
  })
  .superRefine((config, context) => {
    for (const { route, field, message } of planFailures({ ...config, options: config })) {
      const above = route === null ? [] : ["perRoute", route];
      const path = [...above, ...field];
      context.addIssue({
        code: "custom",
        path: path.length > 0 ? path : ["routes"],
        message,
        params: PLAN_ISSUE,
      });
    }
  });

/** A project's validated configuration, with its defaults. */
export type ProjectConfig = z.infer<typeof projectConfigSchema>;
