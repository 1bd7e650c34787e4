import { z } from "zod";
import { teamOfStream } from "../fields.ts";

/** The parts of a team's event stream: runs with their reviews, and monitors with their checks and alerts. */
export const LIVE_KINDS = ["runs", "monitors"] as const;
export type LiveKind = (typeof LIVE_KINDS)[number];

/** Data of the events `runs` and `monitors` of `GET /v1/events`. It says only that something changed. */
export const liveChange = z.object({
  ids: z.array(z.string()).nullable().describe("What changed; null where it is more than is named"),
});

/** Query of `GET /v1/events`. */
export const liveQuery = z.strictObject({
  team: teamOfStream,
});

export type LiveChange = z.infer<typeof liveChange>;
