import { z } from "zod";

/** What a team's stream tells of: its runs, with their reviews, and its monitors, with their checks and alerts. */
export const LIVE_KINDS = ["runs", "monitors"] as const;
export type LiveKind = (typeof LIVE_KINDS)[number];

/** Data of the events `runs` and `monitors` of `GET /v1/events`: that something of these changed, and nothing more. */
export const liveNudge = z.object({
  ids: z.array(z.string()).nullable().describe("What changed; null where it is more than is named"),
});

/** Query of `GET /v1/events`. */
export const liveQuery = z.strictObject({
  team: z
    .string()
    .max(64)
    .optional()
    .describe(
      "Which of the caller's teams is meant, as the header Vrs-Team says it: an EventSource has no headers",
    ),
});

export type LiveNudge = z.infer<typeof liveNudge>;
