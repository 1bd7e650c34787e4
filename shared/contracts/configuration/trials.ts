import { z } from "zod";
import { routeSchema } from "../capture/capture-options.ts";
import { pageInput } from "../capture/page-fields.ts";
import { viewportSchema } from "../capture/viewport.ts";
import { pageUrl } from "../fields.ts";
import { RUN_STATUSES, runLinks } from "../runs/runs.ts";
import type { Action } from "../teams/team-actions.ts";
import { configurationSchema } from "./configuration.ts";

/** Trials of a team in a minute. Each occupies a browser like the page of a run. */
export const TRIALS_PER_MINUTE = 10;

/** Body of `POST /v1/projects/:project/trials`. */
export const trialBody = z.strictObject({
  url: pageUrl.describe("URL of the site. The route is appended to it"),
  route: routeSchema.default("/").describe("Path of the page"),
  environment: pageInput.environment,
  viewport: viewportSchema.optional().describe("Viewport width in px. Default: the first one of the page"),
  configuration: configurationSchema
    .optional()
    .describe("Configuration to try. Default: the stored one of the project"),
});

/** Response of `POST /v1/projects/:project/trials`. */
export const submittedTrial = z.object({ id: z.string(), status: z.enum(RUN_STATUSES), links: runLinks });

export type Trial = z.infer<typeof trialBody>;
export type SubmittedTrial = z.infer<typeof submittedTrial>;

/** Actions of the runs service on trials. */
export interface TrialActions {
  /** The caller creates the id, so that a repeated message submits one trial. */
  "runs.submitTrial": Action<{ id: string; project: string; body: Trial }, SubmittedTrial>;
}
