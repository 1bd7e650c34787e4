import { z } from "zod";
import { text, time, unique } from "../fields.ts";
import type { Action } from "../teams/team-actions.ts";

/** Who is asked to review a run: assigned by hand, or by a project's rules. */

export const REVIEWER_BOUNDS = { perRun: 20, rules: 50, patterns: 20, logins: 20 } as const;

/** Of a member: a login of the code host, or an address or name of an identity provider. */
const login = text(254);

const logins = (min: number, max: number) =>
  z
    .array(login)
    .min(min)
    .max(max)
    .transform(list => unique(list.map(one => one.toLowerCase())));

/** Body of `PUT /v1/runs/:id/reviewers`. */
export const runReviewersBody = z.strictObject({
  reviewers: logins(0, REVIEWER_BOUNDS.perRun).describe(
    "Logins of members who can review. They replace the run's reviewers",
  ),
});

const assignedReviewer = z.object({
  id: z.string().describe("Id of the user"),
  login: z.string().describe("Login when it was assigned"),
  assignedBy: z.string().nullable().describe("Who assigned the reviewer. Null if a rule did"),
  assignedAt: time,
});

export const runReviewers = z.object({ reviewers: z.array(assignedReviewer) });

const reviewerRule = z.strictObject({
  routes: z
    .array(
      text(200).startsWith("/", "must start with /").or(text(200).startsWith("*", "must start with / or *")),
    )
    .min(1)
    .max(REVIEWER_BOUNDS.patterns)
    .describe("Routes of changed pages. `*` stands for any text, such as in `/checkout*`"),
  reviewers: logins(1, REVIEWER_BOUNDS.logins).describe("Logins of members who can review"),
});

/** Body of `PUT /v1/projects/:project/reviewers`. */
export const reviewerRulesBody = z.strictObject({
  rules: z
    .array(reviewerRule)
    .max(REVIEWER_BOUNDS.rules)
    .describe("All rules that match a page that needs review apply. They replace the project's rules"),
});

export const reviewerRulesView = reviewerRulesBody.extend({ project: z.string() });

export type RunReviewers = z.infer<typeof runReviewers>;
export type AssignedReviewer = z.infer<typeof assignedReviewer>;
export type ReviewerRulesBody = z.infer<typeof reviewerRulesBody>;
export type ReviewerRulesView = z.infer<typeof reviewerRulesView>;

/** Actions of the runs service on reviewers. */
export interface ReviewerActions {
  "runs.reviewers": Action<{ runId: string }, RunReviewers>;
  "runs.putReviewers": Action<{ runId: string; reviewers: string[] }, RunReviewers>;
  "runs.reviewerRules": Action<{ project: string }, ReviewerRulesView>;
  "runs.putReviewerRules": Action<{ project: string } & ReviewerRulesBody, ReviewerRulesView>;
}
