import { z } from "zod";
import { time } from "../fields.ts";
import type { Action } from "../teams/team-actions.ts";
import { emailAddresses } from "./monitor-channels.ts";

/** The email addresses of a project, which get a digest of each run that needs review. */

/** Body of `PUT /v1/projects/:project/email`. */
export const projectEmailBody = z.strictObject({
  addresses: emailAddresses.describe("At most 20 email addresses, not case-sensitive. Empty removes them"),
});

export const projectEmailView = z.object({
  project: z.string(),
  addresses: z.array(z.string()),
  unsubscribed: z
    .array(z.string())
    .describe("Those of the addresses whose readers unsubscribed. They get no emails of this project"),
  changedBy: z.string().nullable(),
  changedAt: time.nullable(),
});

export type ProjectEmailBody = z.infer<typeof projectEmailBody>;
export type ProjectEmailView = z.infer<typeof projectEmailView>;

/** Actions of the alerts service on the email addresses of projects. */
export interface ProjectEmailActions {
  "alerts.projectEmail": Action<{ project: string }, ProjectEmailView>;
  "alerts.putProjectEmail": Action<{ project: string } & ProjectEmailBody, ProjectEmailView>;
  /** Unsubscribes an address from the emails of a project. Does nothing for an unknown id. */
  "alerts.unsubscribeProject": Action<{ teamId: string; id: string; address: string }, null>;
}
