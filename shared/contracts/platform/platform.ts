import { z } from "zod";
import { type ListQuery, list, time } from "../fields.ts";
import type { Action } from "../teams/team-actions.ts";
import type { Delivery, DeliveryAnswer } from "./delivery.ts";

/** The responses to the deployment platform and its users. */

export const deliveredAnswer = z.union([
  z.object({ triggered: z.literal(true), runId: z.string(), previewUrl: z.string() }),
  z.object({ triggered: z.literal(false), reason: z.string() }),
]);

export const refusedAnswer = z.object({ triggered: z.literal(false), error: z.string() });

export const unverifiedAnswer = z.object({ error: z.string() });

/** An error of the Cloud API. The status is null without a readable response. */
export const apiFailure = refusedAnswer.extend({
  status: z.int().nullable(),
  code: z.string(),
  requestId: z.string().nullable().describe("Request id of the Cloud API. Search its log for it"),
});
export type ApiFailure = z.infer<typeof apiFailure>;

export const installQuery = z.object({
  code: z
    .string()
    .max(2000)
    .transform(code => code || undefined)
    .optional()
    .describe("Authorization code of the platform. An empty code counts as missing"),
  state: z.string().max(200).optional().describe("State of the installation"),
  configurationId: z.string().max(200).optional().describe("Id of this installation at the platform"),
  next: z.string().max(2000).optional().describe("URL of the platform to open after the installation"),
  error: z.string().max(200).optional().describe("Error code, if the user declined"),
});
export type InstallQuery = z.infer<typeof installQuery>;

/** `project:<id>` or `team:<id>`, with the platform's id. */
export const consentKey = z
  .string()
  .regex(
    /^(project|team):[\x21-\x7e]{1,200}$/,
    "must be project:<id> or team:<id>, with an id from the platform",
  );

/** A consent to render the custom domains of a project, or of all of a team's projects. */
export const consent = z.object({
  key: z.string().describe("`project:<id>` or `team:<id>`"),
  configurationId: z.string().nullable().describe("Installation that created the consent"),
  registeredBy: z.string().nullable().describe("Team consent that covered the project when it was new"),
  registeredAt: time,
});
export type ConsentView = z.infer<typeof consent>;

export const consentList = list(consent);
export type ConsentList = z.infer<typeof consentList>;

export interface FinishInstall {
  code: string;
  /** Null if the platform started the installation, from its marketplace. */
  state: string | null;
  /** The hash of the browser's secret; null without one. */
  browserHash: string | null;
  configurationId: string | null;
  next: string | null;
  /** The user who is signed in in this browser, or null. */
  login: string | null;
}

/** `state`: not started in this browser. `code`: the platform refused. `unreachable`: no readable response. */
export type InstallRefusal = "state" | "code" | "unreachable";

export interface PlatformActions {
  "platform.deliver": Action<Delivery, DeliveryAnswer>;
  /** Returns the platform's URL to open, or null if installing is not set up. */
  "platform.beginInstall": Action<{ browserHash: string }, { url: string } | null>;
  /** Returns the URL to open next, or null if installing is not set up. */
  "platform.finishInstall": Action<FinishInstall, { url: string } | { refusal: InstallRefusal } | null>;
  /** For the operator, of all teams. */
  "platform.consents": Action<ListQuery, ConsentList>;
  "platform.allow": Action<{ key: string }, ConsentView>;
  "platform.revoke": Action<{ key: string }, null>;
}
