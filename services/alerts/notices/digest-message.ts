import { z } from "zod";
import { CONCLUSIONS } from "../../../shared/contracts/runs/runs.ts";
import { NOTICE_KINDS } from "../../../shared/contracts/teams/notices.ts";
import { regression } from "../notifications/message.ts";

/** The content of a digest: what happened in a run for one receiver. Stored, and rendered when it is sent. */
export const digestMessage = z.object({
  teamId: z.string(),
  /** Null for a chat channel, and for an address of the project. */
  userId: z.string().nullable(),
  kinds: z.array(z.enum(NOTICE_KINDS)),
  run: z.object({
    id: z.string(),
    project: z.string(),
    branch: z.string().nullable(),
    pullRequest: z.number().nullable(),
    sha: z.string().nullable(),
    message: z.string().nullable(),
    author: z.string().nullable(),
  }),
  /** Number of screenshots that need review; null if it isn't about that. */
  open: z.number().nullable(),
  decision: z
    .object({ conclusion: z.enum(CONCLUSIONS), by: z.array(z.string()), reason: z.string().nullable() })
    .nullable(),
  comments: z.array(
    z.object({
      id: z.string(),
      by: z.string(),
      text: z.string(),
      screenshotId: z.string().nullable(),
      page: z.string().nullable(),
      isMention: z.boolean(),
    }),
  ),
  /** Whether the chat tool's buttons can decide the run. Missing in messages of an earlier version. */
  canDecide: z.boolean().default(false),
  regressions: z.array(regression.extend({ id: z.string() })),
});

export type DigestMessage = z.infer<typeof digestMessage>;
