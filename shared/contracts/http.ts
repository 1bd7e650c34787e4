import { z } from "zod";
import { BOUNDS, planFaults, routeSchema, runOptionsSchema, viewportSchema } from "./capture-options.ts";
import { carriedView, reviewStateView, reviewView } from "./review-view.ts";

/** Every body, query and answer of `/v1`: the one source of validation, of TypeScript types and of the OpenAPI document. */

export const ROLES = ["viewer", "reviewer", "admin"] as const;
export const RUN_STATUSES = ["queued", "rendering", "comparing", "completed", "failed", "canceled"] as const;
export const CONCLUSIONS = ["passed", "changed", "new", "approved", "rejected"] as const;
export const SCREENSHOT_STATUSES = ["pending", "unchanged", "changed", "new", "removed", "failed"] as const;

export const time = z.iso.datetime().describe("ISO 8601, UTC");
export const text = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .regex(/^\P{Cc}*$/u, "must not hold control characters");
const link = z.string().describe("Absolute URL");

/** An absolute http(s) URL without credentials. */
const pageUrl = z
  .string()
  .max(2000)
  .refine(
    isPageUrl,
    "must be an absolute http or https URL, such as https://example.com, without a user name or password",
  );

export function isPageUrl(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
}

/** Of a branch that is further ahead of a pull request, nobody needs to know how it was that long ago. */
export const MISSING_SHAS_AT_MOST = 300;

const fullSha = z
  .string()
  .regex(/^([0-9a-fA-F]{40}|[0-9a-fA-F]{64})$/, "must be a whole commit SHA in hex")
  .toLowerCase();

const scm = z.strictObject({
  owner: text(100),
  repo: text(100),
  sha: z.string().regex(/^[0-9a-fA-F]{7,64}$/, "must be a commit SHA in hex"),
  pr: z.int().positive().optional().describe("Number of the pull request"),
  branch: text(255).optional(),
  baseBranch: text(255).optional().describe("Branch that the pull request is to be merged into"),
  defaultBranch: text(255)
    .optional()
    .describe("The repository's default branch, which the project's follows"),
  baseSha: fullSha
    .nullable()
    .optional()
    .describe(
      "Merge base with the branch that is compared with; null where it was looked for and is not known",
    ),
  author: text(100).optional().describe("Whose pull request or commit it is, to be shown"),
  checkRunId: z.union([z.int().positive(), z.string().max(64)]).optional(),
});

/** `scm` of a submission: with what is of use only while baselines are chosen. */
export const scmInput = scm.extend({
  missingShas: z
    .array(fullSha)
    .max(MISSING_SHAS_AT_MOST)
    .optional()
    .describe("Every commit of that branch since `baseSha`: what was approved of these does not count"),
});

/** Folds duplicates and keeps the order. */
export const unique = <T>(values: T[]): T[] => [...new Set(values)];

/** Body of `POST /v1/run`. */
export const submitRunBody = z
  .strictObject({
    url: pageUrl.describe("Address of the site; routes are added to it"),
    routes: z
      .array(routeSchema)
      .min(1)
      .max(BOUNDS.routes)
      .default(["/"])
      .transform(unique)
      .describe("Paths of pages"),
    viewports: z
      .array(viewportSchema)
      .min(1)
      .max(BOUNDS.viewports)
      .default([1280])
      .transform(unique)
      .describe("Widths, px"),
    threshold: z
      .number()
      .min(0)
      .max(1)
      .default(0.01)
      .describe("Fraction of changed pixels that is still unchanged"),
    project: text(200)
      .optional()
      .describe("Namespace of the baselines; default owner/repo, else the URL's host"),
    branch: text(255).optional().describe("Default scm.branch, else the project's default branch"),
    baselineBranch: text(255)
      .optional()
      .describe("Branch to compare with; default scm.baseBranch, else the project's default branch"),
    scm: scmInput.optional().describe("The commit that is deployed at the URL"),
    partial: z
      .boolean()
      .default(false)
      .describe("These are not all pages of the project: do not report the others' baselines as removed"),
    options: runOptionsSchema.optional(),
    rerun: z
      .literal(true)
      .optional()
      .describe("Run again, although there is a run of this deployment and commit already"),
  })
  .superRefine((body, context) => {
    if (body.scm?.missingShas && !body.scm.baseSha) {
      const message = "are the commits since baseSha, which is missing";
      context.addIssue({ code: "custom", path: ["scm", "missingShas"], message });
    }
    for (const { route, message } of planFaults(body, body.options?.perRoute)) {
      const path = route === null ? ["routes"] : ["options", "perRoute", route];
      context.addIssue({ code: "custom", path, message });
    }
  });

const runLinks = z.object({
  self: link,
  report: link.describe("Opens without signing in, for who has the link"),
});

/** Answer to `POST /v1/run`. */
export const submittedRun = z.object({
  id: z.string(),
  status: z.enum(RUN_STATUSES),
  project: z.string(),
  links: runLinks,
  deduplicated: z.literal(true).optional().describe("This is the run of an equal submission before"),
});

const counts = z.object({
  unchanged: z.int(),
  changed: z.int(),
  new: z.int(),
  removed: z.int(),
  failed: z.int(),
});

/** A run as `GET /v1/runs/:id` answers it. */
export const runView = z.object({
  id: z.string(),
  status: z.enum(RUN_STATUSES),
  conclusion: z.enum(CONCLUSIONS).nullable().describe("Null until completed"),
  project: z.string(),
  url: z.string(),
  branch: z.string().nullable(),
  scm: scm.nullable(),
  threshold: z.number(),
  submittedBy: z.string().nullable().describe("Name of the person or key, as named then"),
  progress: z
    .object({ total: z.int(), captured: z.int(), compared: z.int() })
    .describe("Screenshots; removed ones are not among them"),
  counts: counts.describe("Screenshots by status"),
  createdAt: time,
  startedAt: time.nullable(),
  completedAt: time.nullable(),
  error: z.string().nullable().describe("Why the run failed"),
  links: runLinks,
});

const pageQuery = {
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor: z.string().max(200).optional().describe("nextCursor of the page before"),
};

/** Query of `GET /v1/runs`. */
export const listRunsQuery = z.strictObject({
  ...pageQuery,
  status: z.enum(RUN_STATUSES).optional(),
  conclusion: z.enum(CONCLUSIONS).optional(),
  project: z.string().max(200).optional(),
  branch: z.string().max(255).optional(),
});

export const list = <T extends z.ZodType>(item: T) =>
  z.object({ data: z.array(item), nextCursor: z.string().nullable() });

export const runList = list(runView);

const region = z.object({ x: z.int(), y: z.int(), width: z.int(), height: z.int() });

/** One screenshot's metadata. */
const screenshotView = z.object({
  id: z.string(),
  route: z.string(),
  viewport: z.int().describe("Width, px"),
  status: z.enum(SCREENSHOT_STATUSES),
  width: z.int().nullable().describe("Of the image, px"),
  height: z.int().nullable().describe("Of the image, px"),
  diffRatio: z.number().nullable().describe("Changed pixels over all pixels, 0–1"),
  diffPixels: z.int().nullable(),
  regions: z.array(region).describe("Where it changed, px"),
  fingerprint: z.string().nullable().describe("Equal for equal changes on different pages"),
  baseline: z
    .object({
      runId: z.string(),
      reason: z.string(),
      width: z.int().nullable().describe("Of its image, px"),
      height: z.int().nullable().describe("Of its image, px"),
    })
    .nullable()
    .describe("The run that it was approved in, and why it is this one"),
  images: z
    .object({ current: link.nullable(), baseline: link.nullable(), diff: link.nullable() })
    .describe("Links that open without a key, for who has them"),
  stable: z.boolean().nullable().describe("False: no two takes were equal, the page kept moving"),
  moving: z.array(z.string()).describe("What kept moving, when not stable"),
  attempts: z.int().describe("Takes"),
  browser: z.string().nullable(),
  notes: z.array(z.string()).describe("What a reviewer should know, in words"),
  review: reviewStateView.nullable().describe("Null where nobody reviews it, or what was said was dismissed"),
  reviews: z.array(reviewView).describe("What was said of it, the first at first"),
  carried: carriedView
    .nullable()
    .describe("Approved because the same change was, in this pull request or branch"),
  error: z.string().nullable().describe("Why it failed, and what to do"),
});

/** Query of `GET /v1/screenshots/:runId`; all screenshots unless a limit is given. */
export const listScreenshotsQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(BOUNDS.screenshots).default(BOUNDS.screenshots),
  cursor: pageQuery.cursor,
  status: z.enum(SCREENSHOT_STATUSES).optional(),
  order: z
    .enum(["id", "need"])
    .optional()
    .describe(
      "id, unless said otherwise; need: what waits for a reviewer first and equal changes together, with a summary of all",
    ),
});

const howMany = z.int().optional();

export const screenshotList = list(screenshotView).extend({
  summary: z
    .object({
      standings: z
        .object({
          changed: howMany,
          new: howMany,
          removed: howMany,
          failed: howMany,
          rejected: howMany,
          pending: howMany,
          approved: howMany,
          carried: howMany,
          unchanged: howMany,
        })
        .describe("How many of all count as what: what was decided, else the status"),
      failed: z.int().describe("Those of all that could not be captured, rejected or not"),
      viewports: z.array(z.int()).describe("Widths, px"),
    })
    .optional()
    .describe("With the order need"),
});

export const listKeysQuery = z.strictObject(pageQuery);

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
    .describe("1 keeps the stream open after the run's end: every review of it is told as another event"),
  team: z
    .string()
    .max(64)
    .optional()
    .describe(
      "Which of the caller's teams is meant, as the header Vrs-Team says it: an EventSource has no headers",
    ),
});

export const reportQuery = z.strictObject({
  token: z.string().max(100).optional().describe("Part of the report's link; stands in for the API key"),
  download: z.enum(["0", "1"]).optional().describe("1 answers one file with its images inside"),
});

/** Body of every error (RFC 9457, `application/problem+json`). */
export const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string(),
  requestId: z.string(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  limit: z.number().optional(),
  used: z.number().optional(),
  resetsAt: z.string().optional(),
});

export type Role = (typeof ROLES)[number];
export type RunStatus = (typeof RUN_STATUSES)[number];
export type Conclusion = (typeof CONCLUSIONS)[number];
export type ScreenshotStatus = (typeof SCREENSHOT_STATUSES)[number];
export type Scm = z.infer<typeof scm>;
export type SubmitRun = z.infer<typeof submitRunBody>;
export type SubmitRunInput = z.input<typeof submitRunBody>;
export type SubmittedRun = z.infer<typeof submittedRun>;
export type RunView = z.infer<typeof runView>;
export type ListRunsQuery = z.infer<typeof listRunsQuery>;
export type RunList = z.infer<typeof runList>;
export type ProgressQuery = z.infer<typeof progressQuery>;
export type RunProgress = z.infer<typeof runProgress>;
export type ScreenshotView = z.infer<typeof screenshotView>;
export type ListScreenshotsQuery = z.infer<typeof listScreenshotsQuery>;
export type ScreenshotList = z.infer<typeof screenshotList>;
export type Problem = z.infer<typeof problem>;
