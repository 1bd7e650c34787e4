import { z } from "zod";
import { BOUNDS } from "./capture-options.ts";
import { text, unique } from "./fields.ts";
import { CONCLUSIONS } from "./http.ts";

/** Bodies and answers of `/v1` about reviewing a run. */

/** The reason of a rejection as noise that gives no other. */
export const REJECTED_AS_NOISE = "This change is noise.";

const screenshotIds = z
  .array(z.string().max(64))
  .min(1)
  .max(BOUNDS.screenshots)
  .transform(unique)
  .describe("Ids; without them every screenshot of the run is meant");

/** Body of `POST /v1/baselines/:runId/approve`; without a body every screenshot that needs review is meant. */
export const approveBody = z
  .strictObject({
    screenshots: screenshotIds
      .describe("Ids, also of minor changes; without them every screenshot that needs review is meant")
      .optional(),
    includeMinor: z
      .boolean()
      .default(false)
      .describe("Without ids: approves the run's minor changes too, which don't need review"),
  })
  .prefault({});

/** Body of `POST /v1/baselines/:runId/reject`. */
export const rejectBody = z
  .strictObject({
    screenshots: screenshotIds
      .describe(
        "Ids, also of minor changes; without them every screenshot that needs review or failed is meant",
      )
      .optional(),
    reason: text(2000).optional().describe("Required unless `noise` is true"),
    noise: z
      .boolean()
      .default(false)
      .describe("True: the change is a false alarm. It counts toward the flake score of its page"),
  })
  .refine(body => body.noise || body.reason !== undefined, {
    path: ["reason"],
    message: "must say what is wrong, unless noise is true",
  })
  .transform(({ reason = REJECTED_AS_NOISE, ...body }) => ({ ...body, reason }));

/** Body of `POST /v1/baselines/:runId/dismiss`. */
export const dismissBody = z.strictObject({
  screenshots: screenshotIds.optional(),
  reason: text(2000),
  own: z
    .boolean()
    .default(false)
    .describe("Only what the caller has said; a reviewer can dismiss nothing else, an admin everybody's"),
});

export const approved = z.object({
  runId: z.string(),
  approved: z.int().describe("Screenshots meant by this request that are approved now"),
  pending: z.int().describe("Those that wait for the approval of others"),
  rejected: z.int().describe("Those that others reject"),
  conclusion: z.enum(CONCLUSIONS),
});

export const rejected = z.object({ runId: z.string(), rejected: z.int(), conclusion: z.enum(CONCLUSIONS) });

export const dismissed = z.object({
  runId: z.string(),
  dismissed: z.int().describe("Screenshots of which something counts no more"),
  conclusion: z.enum(CONCLUSIONS),
});

export type Approved = z.infer<typeof approved>;
export type Rejected = z.infer<typeof rejected>;
export type Dismissed = z.infer<typeof dismissed>;
