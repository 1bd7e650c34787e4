import { z } from "zod";
import { teamOfStream } from "../fields.ts";

/** What a team's stream tells of: its runs, with their reviews, and its monitors, with their checks and alerts. */
export const LIVE_KINDS = ["runs", "monitors"] as const;
export type LiveKind = (typeof LIVE_KINDS)[number];

/** Data of the events `runs` and `monitors` of `GET /v1/events`: that something of these changed, and nothing more. */
export const liveNudge = z.object({
  ids: z.array(z.string()).nullable().describe("What changed; null where it is more than is named"),
});

/** Query of `GET /v1/events`. */
export const liveQuery = z.strictObject({
  team: teamOfStream,
});

export type LiveNudge = z.infer<typeof liveNudge>;
