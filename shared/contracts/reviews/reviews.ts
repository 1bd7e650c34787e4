import { z } from "zod";
import { BOUNDS } from "../capture/bounds.ts";
import { text, unique } from "../fields.ts";
import { CONCLUSIONS } from "../runs/runs.ts";

/** Bodies and responses of `/v1` on reviews of a run. */

/** The default reason of a rejection as noise. */
export const REJECTED_AS_NOISE = "This change is noise.";

const screenshotIds = z
  .array(z.string().max(64))
  .min(1)
  .max(BOUNDS.screenshots)
  .transform(unique)
  .describe("Screenshot ids. Default: all screenshots of the run");

/** Body of `POST /v1/baselines/:runId/approve`. An empty body approves every screenshot that needs review. */
export const approveBody = z
  .strictObject({
    screenshots: screenshotIds
      .describe("Screenshot ids, which may include minor changes. Default: all screenshots that need review")
      .optional(),
    includeMinor: z
      .boolean()
      .default(false)
      .describe("Also approves minor changes, if `screenshots` is not set"),
    note: text(2000).optional().describe("Note of the approval, shown as its reason"),
  })
  .prefault({});

/** Body of `POST /v1/baselines/:runId/reject`. */
export const rejectBody = z
  .strictObject({
    screenshots: screenshotIds
      .describe(
        "Screenshot ids, which may include minor changes. Default: all screenshots that need review or failed",
      )
      .optional(),
    reason: text(2000).optional().describe("Required unless `noise` is true"),
    noise: z
      .boolean()
      .default(false)
      .describe("Marks the change as a false alarm. It counts toward the page's flake score"),
  })
  .refine(body => body.noise || body.reason !== undefined, {
    path: ["reason"],
    message: "is required unless noise is true",
  })
  .transform(({ reason = REJECTED_AS_NOISE, ...body }) => ({ ...body, reason }));

/** Body of `POST /v1/baselines/:runId/dismiss`. */
export const dismissBody = z.strictObject({
  screenshots: screenshotIds.optional(),
  reason: text(2000),
  own: z
    .boolean()
    .default(false)
    .describe("Dismisses only the caller's own reviews. Only admins can dismiss the reviews of others"),
});

export const approved = z.object({
  runId: z.string(),
  approved: z.int().describe("Screenshots of this request that are now approved"),
  pending: z.int().describe("Screenshots that need more approvals"),
  rejected: z.int().describe("Screenshots that other reviewers rejected"),
  conclusion: z.enum(CONCLUSIONS),
});

export const rejected = z.object({ runId: z.string(), rejected: z.int(), conclusion: z.enum(CONCLUSIONS) });

export const dismissed = z.object({
  runId: z.string(),
  dismissed: z.int().describe("Screenshots with a dismissed review"),
  conclusion: z.enum(CONCLUSIONS),
});

export type Approved = z.infer<typeof approved>;
export type Rejected = z.infer<typeof rejected>;
export type Dismissed = z.infer<typeof dismissed>;
