import { z } from "zod";
import { time } from "../fields.ts";

/** Reviews of a screenshot, as in the response of `GET /v1/screenshots/:runId`. */

export const REVIEW_STATES = ["pending", "approved", "rejected"] as const;
const VERDICTS = ["approved", "rejected", "dismissed"] as const;

/** The state of a screenshot's review. */
export const reviewStateView = z.object({
  state: z.enum(REVIEW_STATES).describe("`pending`: more approvals are required"),
  approvals: z.int().describe("Number of approvals. An API key counts as the user who created it"),
  required: z.int().describe("Approvals that the team required at the latest review"),
});

/** One review. Later reviews don't remove it. */
export const reviewView = z.object({
  verdict: z.enum(VERDICTS),
  by: z.object({
    kind: z.enum(["key", "user", "service"]),
    id: z.string(),
    name: z.string().describe("Name at the time of the review"),
  }),
  countsAs: z
    .string()
    .describe("Reviewer that the review counts for: the user who created the API key, else the actor"),
  reason: z.string().nullable(),
  noise: z.boolean().optional().describe("True if rejected as noise, that is, as a false alarm"),
  at: time,
  stands: z
    .boolean()
    .describe("Whether the review counts. Dismissals and newer reviews by the same reviewer end it"),
});

/** An earlier approval of the same change that was carried here. */
export const carriedView = z.object({
  runId: z.string().describe("The run in which the change was approved"),
  by: z.array(z.string()).describe("Names of the reviewers who approved it"),
  at: time.describe("Time of that approval"),
});

export type ReviewState = (typeof REVIEW_STATES)[number];
export type Verdict = (typeof VERDICTS)[number];
export type ReviewStateView = z.infer<typeof reviewStateView>;
export type ReviewView = z.infer<typeof reviewView>;
export type CarriedView = z.infer<typeof carriedView>;
