import { z } from "zod";
import { routeSchema, viewportSchema } from "./capture-options.ts";
import { link, list, pageQuery, region, time, withMonitors } from "./fields.ts";
import { SCREENSHOT_STATUSES } from "./http.ts";
import { REVIEW_STATES } from "./review-view.ts";
import type { Action } from "./team-actions.ts";

/** Queries and answers of `/v1` about baselines, their history, and a page across runs. */

const projectName = z.string().min(1).max(200).describe("Name of the project, as the run has it");
const { limit } = pageQuery;
const viewport = z.coerce.number().pipe(viewportSchema).describe("Width, px");

/** Which branch or pull request's approvals are meant. */
const scopeQuery = {
  branch: z.string().min(1).max(255).optional().describe("What was approved in runs of this branch"),
  pr: z.coerce.number().int().positive().optional().describe("What was approved in this pull request"),
};

function isOneScope({ branch, pr }: { branch?: string | undefined; pr?: number | undefined }): boolean {
  return branch === undefined || pr === undefined;
}
const ONE_SCOPE = { error: "name a branch or a pull request, not both", path: ["pr"] };

/** Query of `GET /v1/baselines`. */
export const listBaselinesQuery = z
  .strictObject({
    project: projectName,
    ...scopeQuery,
    route: routeSchema.optional(),
    viewport: viewport.optional(),
    find: z.string().trim().max(200).optional().describe("A part of the route"),
    limit,
    // It holds a route.
    cursor: z.string().max(12_000).optional().describe("nextCursor of the page before"),
  })
  .refine(isOneScope, ONE_SCOPE);

/** Where one page at one width is, with its approvals or its screenshots. */
const placeQuery = z.strictObject({
  project: projectName,
  route: routeSchema,
  viewport,
  ...scopeQuery,
  limit,
  cursor: z.string().max(200).optional().describe("nextCursor of the page before"),
});

/** Query of `GET /v1/baselines/history`. */
export const baselineHistoryQuery = placeQuery.refine(isOneScope, ONE_SCOPE);

/** Query of `GET /v1/screenshots`. */
export const screenshotHistoryQuery = placeQuery.refine(isOneScope, ONE_SCOPE);

/** Query of `GET /v1/projects`. */
export const listProjectsQuery = z.strictObject({
  find: z.string().trim().max(200).optional().describe("A part of the name"),
  monitors: withMonitors.describe("0 leaves out those of monitors; they are listed unless it says so"),
  limit,
  cursor: z.string().max(200).optional().describe("nextCursor of the page before"),
});

const source = {
  branch: z.string().nullable().describe("Null where it is a pull request's"),
  pr: z.int().nullable().describe("Number of the pull request; null where it is a branch's"),
  commit: z.string().nullable().describe("SHA; null where none was named, or the run is not kept any more"),
};

const images = z.object({ current: link.nullable(), baseline: link.nullable(), diff: link.nullable() });

/** An approval of one page at one width. */
export const baselineView = z.object({
  id: z.string(),
  project: z.string(),
  route: z.string(),
  viewport: z.int().describe("Width, px"),
  ...source,
  inForce: z.boolean().describe("Whether it is the latest of its branch or pull request"),
  removed: z.boolean().describe("True: that the page is gone was approved, and there is no image"),
  width: z.int().nullable().describe("Of the image, px"),
  height: z.int().nullable().describe("Of the image, px"),
  browser: z.string().nullable(),
  image: link.nullable().describe("Opens without a key, for who has it"),
  runId: z.string(),
  screenshotId: z.string(),
  runKept: z.boolean().describe("False: the run was deleted, because the plan keeps it no longer"),
  approvedBy: z.array(z.string()).describe("Names, as named then"),
  approvedAt: time,
  carriedFrom: z.string().nullable().describe("The run in which the same change had been approved before"),
  restored: z
    .object({ by: z.string(), at: time })
    .nullable()
    .describe("Who made it the baseline again, and when"),
});

export const baselineList = list(baselineView);

/** An approval with what was approved. */
const baselineEntry = baselineView.extend({
  change: z
    .object({
      diffRatio: z.number().nullable().describe("Changed pixels over all pixels, 0–1"),
      regions: z.array(region).describe("Where it changed, px"),
      width: z.int().nullable().describe("Of the baseline then, px"),
      height: z.int().nullable().describe("Of the baseline then, px"),
      images,
    })
    .nullable()
    .describe("How it differed from the baseline then; null where there was none, or the run is not kept"),
});

export const baselineHistory = list(baselineEntry);

/** One page at one width in one run. */
const screenshotEntry = z.object({
  id: z.string(),
  runId: z.string(),
  ...source,
  at: time.describe("When the run was submitted"),
  status: z.enum(SCREENSHOT_STATUSES),
  minor: z.boolean().describe("Whether it was a minor change: pixels changed, within the threshold"),
  review: z.enum(REVIEW_STATES).nullable(),
  carried: z.boolean().describe("Approved because the same change was"),
  diffRatio: z.number().nullable().describe("Changed pixels over all pixels, 0–1"),
  width: z.int().nullable().describe("Of the image, px"),
  height: z.int().nullable().describe("Of the image, px"),
  image: link.nullable(),
  stable: z.boolean().nullable(),
  attempts: z.int().describe("Screenshots taken until the page was stable"),
  browser: z.string().nullable(),
  timings: z.record(z.string(), z.int()).nullable().describe("How long each step of the capture took, ms"),
});

export const screenshotHistory = list(screenshotEntry);

/** A namespace of baselines. */
export const projectView = z.object({
  id: z.string(),
  name: z.string(),
  defaultBranch: z.string().describe("The branch that every other one is compared with"),
  createdAt: time,
  nullReruns: z
    .boolean()
    .describe("Whether a run of the default branch is repeated once a day to count false alarms"),
  branches: z.array(z.string()).describe("Branches with approvals; 100 with the pull requests, at most"),
  pullRequests: z.array(z.int()).describe("Pull requests with approvals"),
});

/** Body of `PATCH /v1/projects/:id`. */
export const changeProjectBody = z.strictObject({
  nullReruns: z
    .boolean()
    .describe(
      "Repeat a run of the default branch once a day to count false alarms. Reruns count toward the plan",
    ),
});

export const projectList = list(projectView);

export type ListBaselinesQuery = z.infer<typeof listBaselinesQuery>;
export type PlaceQuery = z.infer<typeof placeQuery>;
export type ListProjectsQuery = z.infer<typeof listProjectsQuery>;
export type BaselineView = z.infer<typeof baselineView>;
export type BaselineList = z.infer<typeof baselineList>;
export type BaselineEntry = z.infer<typeof baselineEntry>;
export type BaselineHistory = z.infer<typeof baselineHistory>;
export type ScreenshotEntry = z.infer<typeof screenshotEntry>;
export type ScreenshotHistory = z.infer<typeof screenshotHistory>;
export type ChangeProject = z.infer<typeof changeProjectBody>;
export type ProjectView = z.infer<typeof projectView>;
export type ProjectList = z.infer<typeof projectList>;

/** What the runs service answers about them. */
export interface BaselineActions {
  "runs.baselines": Action<{ query: ListBaselinesQuery }, BaselineList>;
  "runs.baselineHistory": Action<{ query: PlaceQuery }, BaselineHistory>;
  "runs.screenshotHistory": Action<{ query: PlaceQuery }, ScreenshotHistory>;
  "runs.projects": Action<{ query: ListProjectsQuery }, ProjectList>;
  "runs.changeProject": Action<{ id: string; body: ChangeProject }, ProjectView>;
  /** Makes an approval the baseline of its branch or pull request again. */
  "runs.restoreBaseline": Action<{ id: string }, BaselineView>;
}
