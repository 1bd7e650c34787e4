import { z } from "zod";
import { link, time } from "../fields.ts";
import type { Action } from "../teams/team-actions.ts";

/** Requests and responses of `/v1/admin/code-host`, and the scm service's actions behind them. */

const missingPermission = z.object({
  name: z.string().describe("Name in the code host's API"),
  label: z.string().describe("Name in the code host's settings"),
  access: z.enum(["read", "write"]).describe("Required access"),
  purpose: z.string(),
  isOptional: z.boolean(),
});

const missingEvent = z.object({
  name: z.string().describe("Name in the code host's API"),
  label: z.string().describe("Name in the code host's settings"),
  isOptional: z.boolean(),
});

/** Response of `GET /v1/admin/code-host`. */
export const codeHostAppView = z.object({
  state: z
    .enum(["not_configured", "unchecked", "checked", "unreachable", "refused"])
    .describe(
      "`unchecked`: the code host has not responded yet. `refused`: the code host rejects the app's id or private key",
    ),
  app: z.object({ name: z.string(), url: link }).nullable().describe("Null until the code host responds"),
  missing: z
    .object({ permissions: z.array(missingPermission), events: z.array(missingEvent) })
    .describe("Required permissions and events that the app lacks"),
  error: z.string().nullable().describe("Why the check failed"),
  checkedAt: time.nullable().describe("Time of the code host's last response"),
  webhookUrl: link.describe("Webhook URL to set at the code host"),
});

/** An account that owns apps, as in the code host's URLs. */
const account = z
  .string()
  .trim()
  .regex(
    /^[A-Za-z\d](?:[A-Za-z\d_-]{0,98}[A-Za-z\d])?$/,
    "must be the name of an organization, as in its URL",
  );

/** Body of `POST /v1/admin/code-host/app`. */
export const beginAppBody = z.strictObject({
  organization: account.optional().describe("Organization that owns the app. Default: your own account"),
});

export const pendingApp = z.object({ url: link.describe("Page with the button that creates the app") });

const state = z.string().regex(/^[\w-]{43}$/, "must be the state that the code host returned");

/** Query of `GET /codehost/app/new`. */
export const newAppQuery = z.object({ state });

/** Body of `POST /v1/admin/code-host/app/settings`. */
export const finishAppBody = z.strictObject({
  code: z.string().regex(/^[\w-]{1,200}$/, "must be the code that the code host returned"),
  state,
});

export const createdApp = z.object({
  name: z.string(),
  url: link.describe("URL of the app at the code host"),
  installUrl: link.describe("URL to install the app on repositories"),
  variables: z
    .record(z.string(), z.string())
    .describe("Environment variables to set. They are shown only once"),
});

export type CodeHostAppView = z.infer<typeof codeHostAppView>;
export type MissingPermission = z.infer<typeof missingPermission>;
export type MissingEvent = z.infer<typeof missingEvent>;
export type BeginApp = z.infer<typeof beginAppBody>;
export type PendingApp = z.infer<typeof pendingApp>;
export type NewAppQuery = z.infer<typeof newAppQuery>;
export type FinishApp = z.infer<typeof finishAppBody>;
export type CreatedApp = z.infer<typeof createdApp>;

/** The form that a browser sends to the code host to create an app. */
export interface NewAppForm {
  /** The code host's URL that accepts the manifest. */
  action: string;
  name: string;
  webhookUrl: string;
  /** JSON. */
  manifest: string;
}

/** Actions for the registration of the app, for operators. */
export interface CodeHostActions {
  "scm.app": Action<Record<string, never>, CodeHostAppView>;
  "scm.startAppCreation": Action<BeginApp, PendingApp>;
  /** Null for an unknown or expired state. */
  "scm.newApp": Action<NewAppQuery, NewAppForm | null>;
  "scm.finishAppCreation": Action<FinishApp, CreatedApp>;
}
