import { z } from "zod";
import { time } from "./fields.ts";

/** What reviewers said of a screenshot, as `GET /v1/screenshots/:runId` answers it. */

export const REVIEW_STATES = ["pending", "approved", "rejected"] as const;
const VERDICTS = ["approved", "rejected", "dismissed"] as const;

/** How far a screenshot's review is. */
export const reviewStateView = z.object({
  state: z.enum(REVIEW_STATES).describe("pending: approved by some, and not by as many as the team asks for"),
  approvals: z.int().describe("People and keys who approve it; a key that a person made is that person"),
  required: z.int().describe("Approvals that the team asked for at the last review"),
});

/** One thing that somebody said; it stays, whatever is said after it. */
export const reviewView = z.object({
  verdict: z.enum(VERDICTS),
  by: z.object({
    kind: z.enum(["key", "user", "service"]),
    id: z.string(),
    name: z.string().describe("As named then"),
  }),
  countsAs: z.string().describe("Whom it counts as: who made the key that said it, else who said it"),
  reason: z.string().nullable(),
  noise: z.boolean().optional().describe("True: rejected as noise, which is to say as a false alarm"),
  at: time,
  stands: z
    .boolean()
    .describe("Whether it counts: neither dismissed nor followed by the same reviewer's next"),
});

/** An approval of the same change before, which holds here too. */
export const carriedView = z.object({
  runId: z.string().describe("The run in which the change was approved"),
  by: z.array(z.string()).describe("Names of who approved it there"),
  at: time.describe("When it was approved there"),
});

export type ReviewState = (typeof REVIEW_STATES)[number];
export type Verdict = (typeof VERDICTS)[number];
export type ReviewStateView = z.infer<typeof reviewStateView>;
export type ReviewView = z.infer<typeof reviewView>;
export type CarriedView = z.infer<typeof carriedView>;
