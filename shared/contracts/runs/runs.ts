import { z } from "zod";
import { scm } from "../code-host/scm.ts";
import { configuredBy } from "../configuration/configured-by.ts";
import { link, list, pageQuery, teamOfStream, time, withMonitors } from "../fields.ts";
import { runCausesSchema } from "./explanation.ts";
import { intentView } from "./intent.ts";
import { runWarning } from "./run-warning.ts";
import { skippedStories } from "./stories.ts";

/**
 * Runs, as in the responses of `/v1`. Schemas are the only source of validation, TypeScript types, and the OpenAPI
 * document.
 */

export const ROLES = ["viewer", "reviewer", "admin"] as const;
export const RUN_STATUSES = ["queued", "rendering", "comparing", "completed", "failed", "canceled"] as const;

/** A null rerun repeats another run to see which pages differ although nothing changed. A trial tries a configuration. */
export const RUN_KINDS = ["run", "null-rerun", "trial"] as const;

/** How a run gets its screenshots: the service captures them, or users upload them. */
export const RUN_SOURCES = ["capture", "upload"] as const;
export const CONCLUSIONS = ["passed", "changed", "new", "approved", "rejected"] as const;

export const runLinks = z.object({
  self: link,
  report: link.describe(
    "Link to the report. Opens without signing in until it expires, unless the team requires a sign-in",
  ),
});

const counts = z.object({
  unchanged: z.int().describe("Within the threshold, including minor changes"),
  minor: z
    .int()
    .describe("Minor changes: unchanged screenshots with changed pixels. Also counted in `unchanged`"),
  changed: z.int(),
  new: z.int(),
  removed: z.int(),
  failed: z.int(),
});

/** A run, as in the response of `GET /v1/runs/:id`. */
export const runView = z.object({
  id: z.string(),
  status: z.enum(RUN_STATUSES),
  conclusion: z.enum(CONCLUSIONS).nullable().describe("Null until the run is completed"),
  kind: z
    .enum(RUN_KINDS)
    .describe(
      "`null-rerun`: the service repeats a run to count false alarms. `trial`: tries a configuration. Lists include neither, and they can't be reviewed",
    ),
  source: z
    .enum(RUN_SOURCES)
    .default("capture")
    .describe("`upload` for a build, whose screenshots were uploaded"),
  project: z.string(),
  url: z.string().describe("URL of the site. Empty for a build without one"),
  branch: z
    .string()
    .nullable()
    .describe(
      "Branch of the run, by default the project's default branch at submission. Null for a pull request",
    ),
  scm: scm.nullable(),
  threshold: z.number(),
  submittedBy: z.string().nullable().describe("Name of the user or API key at submission"),
  progress: z
    .object({ total: z.int(), captured: z.int(), compared: z.int() })
    .describe("Numbers of screenshots, without removed pages"),
  counts: counts.describe("Numbers of screenshots by status"),
  createdAt: time,
  startedAt: time.nullable(),
  completedAt: time.nullable(),
  error: z.string().nullable().describe("Why the run failed"),
  warnings: z
    .array(runWarning)
    .default([])
    .describe(
      "What reviewers should know. For example, the configuration has errors, other renderers captured the baselines, or no renderer is connected",
    ),
  causes: runCausesSchema
    .default([])
    .describe("Why screenshots changed, most frequent first, where that is known. Empty until the run ends"),
  stories: skippedStories
    .optional()
    .describe(
      "Which stories were skipped. Only for runs with `storybook.onlyChanged`, after they were listed",
    ),
  intent: intentView
    .optional()
    .describe("What the run was meant to change. Set if the submission had an `intent`"),
  configuredBy: configuredBy
    .optional()
    .describe("Fields that configurations set. The submission or a default set the others"),
  links: runLinks,
});

/** Query of `GET /v1/runs`. */
export const listRunsQuery = z.strictObject({
  ...pageQuery,
  status: z.enum(RUN_STATUSES).optional(),
  conclusion: z.enum(CONCLUSIONS).optional(),
  project: z.string().max(200).optional(),
  branch: z.string().max(255).optional(),
  needsReview: z
    .enum(["1"])
    .optional()
    .describe(
      "`1` lists the runs that wait for decisions. Omits runs that a newer run of the same branch or pull request replaces",
    ),
  monitors: withMonitors.describe("`0` omits the runs of monitors, which are included by default"),
});

export const runList = list(runView);

/** The server-sent event `progress` of `GET /v1/runs/:id/events`. */
export const runProgress = runView.pick({
  id: true,
  status: true,
  conclusion: true,
  progress: true,
  counts: true,
  error: true,
});

/** Query of `GET /v1/runs/:id/events`. */
export const progressQuery = z.strictObject({
  reviews: z
    .enum(["0", "1"])
    .optional()
    .describe("`1` keeps the stream open after the run ends and sends an event for every review"),
  team: teamOfStream,
});

export const reportQuery = z.strictObject({
  token: z.string().max(100).optional().describe("Token of the report's link. Replaces the API key"),
  download: z.enum(["0", "1"]).optional().describe("`1` returns a single file that includes all images"),
});

export type Role = (typeof ROLES)[number];
export type RunKind = (typeof RUN_KINDS)[number];
export type RunStatus = (typeof RUN_STATUSES)[number];
export type Conclusion = (typeof CONCLUSIONS)[number];
export type RunView = z.infer<typeof runView>;
export type ListRunsQuery = z.infer<typeof listRunsQuery>;
export type RunList = z.infer<typeof runList>;
export type ProgressQuery = z.infer<typeof progressQuery>;
export type RunProgress = z.infer<typeof runProgress>;
