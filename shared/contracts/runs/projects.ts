import { z } from "zod";
import { list, pageQuery, time, withMonitors } from "../fields.ts";
import { MIRROR_SETTINGS } from "../reviews/mirror.ts";
import type { Action } from "../teams/team-actions.ts";

/** Projects and their settings: queries, bodies and responses of `/v1/projects`. */

/** Query of `GET /v1/projects`. */
export const listProjectsQuery = z.strictObject({
  find: z.string().trim().max(200).optional().describe("Part of the name"),
  monitors: withMonitors.describe("`0` omits the projects of monitors, which are included by default"),
  limit: pageQuery.limit,
  cursor: z.string().max(200).optional().describe("`nextCursor` of the previous page"),
});

/** Settings that replace those of the project's team or plan. Null means the team's or the plan's. */
const overrides = {
  requiredApprovals: z
    .int()
    .min(1)
    .max(10)
    .nullable()
    .describe("Approvals that a screenshot needs. Null: the team's number"),
  allowSelfApproval: z
    .boolean()
    .nullable()
    .describe("Whether submitters can approve their own runs. Null: the team's setting"),
  retentionDays: z
    .int()
    .min(1)
    .max(365)
    .nullable()
    .describe("Days until ended runs are deleted, at most the plan's. Null: the plan's days"),
  linkDays: z
    .int()
    .min(1)
    .max(365)
    .nullable()
    .describe("Days until links to reports and images of runs expire. Null: the team's days"),
};

/** The replaced settings of an exported project. */
export const projectOverrides = z.object(overrides).partial();

/** A namespace of baselines. */
export const projectView = z.object({
  id: z.string(),
  name: z.string(),
  defaultBranch: z.string().describe("Branch that provides the baselines of all other branches"),
  createdAt: time,
  nullReruns: z
    .boolean()
    .describe("Whether the service repeats a run of the default branch once a day to count false alarms"),
  mirrorThreads: z
    .enum(MIRROR_SETTINGS)
    .default("private")
    .describe(
      "Repositories whose pull requests show the threads of reviews. `private`: private repositories",
    ),
  // Nodes of the version before don't answer with these.
  requiredApprovals: overrides.requiredApprovals.default(null),
  allowSelfApproval: overrides.allowSelfApproval.default(null),
  retentionDays: overrides.retentionDays.default(null),
  linkDays: overrides.linkDays.default(null),
  branches: z.array(z.string()).describe("Branches with baselines. At most 100, pull requests included"),
  pullRequests: z.array(z.int()).describe("Pull requests with baselines"),
});

/** Body of `PATCH /v1/projects/:id`. */
export const changeProjectBody = z
  .strictObject({
    defaultBranch: z
      .string()
      .trim()
      .min(1)
      .max(255)
      .describe(
        "Branch that provides the baselines of all other branches. It gets the baselines of the branch before for pages without one. Runs of a connected repository set it to the repository's default branch",
      ),
    nullReruns: z
      .boolean()
      .describe(
        "Repeats a run of the default branch once a day to count false alarms. Null reruns count toward the plan's limits",
      ),
    mirrorThreads: z
      .enum(MIRROR_SETTINGS)
      .describe("Shows threads of reviews on pull requests: of private repositories, always, or never"),
    ...overrides,
  })
  .partial()
  .refine(body => Object.values(body).some(value => value !== undefined), {
    message: "must contain at least one field to change",
  });

export const projectList = list(projectView);

export type ListProjectsQuery = z.infer<typeof listProjectsQuery>;
export type ChangeProject = z.infer<typeof changeProjectBody>;
export type ProjectView = z.infer<typeof projectView>;
export type ProjectList = z.infer<typeof projectList>;

/** Actions of the runs service on projects. */
export interface ProjectActions {
  "runs.projects": Action<{ query: ListProjectsQuery }, ProjectList>;
  "runs.changeProject": Action<{ id: string; body: ChangeProject }, ProjectView>;
}
