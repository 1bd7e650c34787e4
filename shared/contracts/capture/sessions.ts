import { z } from "zod";
import { text } from "../fields.ts";
import { BOUNDS } from "./bounds.ts";
import { conditionSchema, loginStepView, stepSchema } from "./steps.ts";

/** Name of a session, such as editor. */
export const sessionName = z
  .string()
  .max(40)
  .regex(/^[a-zA-Z0-9][\w-]*$/, "must be a name of letters, digits, hyphens and underscores, such as editor");

const secretValue = z
  .string()
  .max(10_000)
  .describe("Text. A secret's reference is replaced by the project's secret");

const cookie = z.strictObject({
  name: text(200),
  value: secretValue,
  domain: text(253).optional().describe("Default: the host of the page"),
  path: text(500).optional().describe("Default: /"),
});

const filePath = text(500);

const certificateFields = z.strictObject({
  origin: z
    .url({ protocol: /^https$/ })
    .max(2000)
    .optional()
    .describe("Origin that asks for the certificate. Default: the site"),
  cert: secretValue.optional().describe("Certificate in PEM, or a secret's reference"),
  key: secretValue.optional().describe("Private key in PEM, or a secret's reference"),
  passphrase: secretValue.optional().describe("Passphrase of the key"),
  certPath: filePath
    .optional()
    .describe("File with the certificate, relative to the configuration. Only the command line reads it"),
  keyPath: filePath
    .optional()
    .describe("File with the key, relative to the configuration. Only the command line reads it"),
});

const clientCertificate = certificateFields
  .refine(
    ({ cert, certPath }) => (cert === undefined) !== (certPath === undefined),
    "needs either cert or certPath",
  )
  .refine(
    ({ key, keyPath }) => (key === undefined) !== (keyPath === undefined),
    "needs either key or keyPath",
  );

const loginSteps = z
  .array(stepSchema)
  .max(BOUNDS.steps)
  .refine(
    steps => steps.every(({ action }) => action !== "screenshot"),
    "must not have screenshot steps. Put them in the steps of a page",
  )
  .describe("Steps of the login, such as fill and click. They begin on `url`");

/** A named login. Pages that name the session get its cookies and storage. */
const sessionSchema = z
  .strictObject({
    url: z.string().min(1).max(2000).describe("Page on which the steps begin, such as /login. Default: /"),
    steps: loginSteps,
    expect: conditionSchema.describe("What proves that the login worked. It is checked after the steps"),
    cookies: z.array(cookie).max(BOUNDS.cookies).describe("Cookies that are set before the steps"),
    storageState: text(500).describe(
      "File with Playwright's storage state, relative to the configuration. Only the command line reads it",
    ),
    basicAuth: z
      .strictObject({ username: secretValue, password: secretValue })
      .describe("Credentials of HTTP basic authentication for the application's origin"),
    clientCertificates: z
      .array(clientCertificate)
      .max(BOUNDS.clientCertificates)
      .describe("TLS client certificates of the session's pages and of its login"),
  })
  .partial();

/** Sessions of a run by name. */
export const sessionsSchema = z
  .record(sessionName, sessionSchema)
  .refine(
    sessions => Object.keys(sessions).length <= BOUNDS.sessions,
    `must have at most ${BOUNDS.sessions} sessions`,
  );

const shownReference = secretValue.optional().describe("Reference to a secret. Other values are not shown");

/**
 * Sessions as answers show them: without passwords, typed texts and cookie values that are not references to secrets.
 */
export const sessionsView = z.record(
  sessionName,
  sessionSchema.extend({
    steps: z.array(loginStepView).optional().describe("Steps of the login"),
    cookies: z.array(cookie.extend({ value: shownReference })).optional(),
    basicAuth: z.strictObject({ username: secretValue, password: shownReference }).optional(),
    clientCertificates: z
      .array(certificateFields.extend({ key: shownReference, passphrase: shownReference }))
      .optional(),
  }),
);

/** The content of a file with Playwright's storage state. Fields that sessions don't need are dropped. */
export const storageStateSchema = z.object({
  cookies: z
    .array(
      z.object({
        name: z.string(),
        value: z.string(),
        domain: z.string(),
        path: z.string(),
        /** Seconds since 1970. -1 for a session cookie. */
        expires: z.number(),
        httpOnly: z.boolean(),
        secure: z.boolean(),
        sameSite: z.enum(["Strict", "Lax", "None"]),
      }),
    )
    .max(BOUNDS.storedCookies)
    .default([]),
  origins: z
    .array(
      z.object({
        origin: z.string(),
        localStorage: z.array(z.object({ name: z.string(), value: z.string() })),
      }),
    )
    .max(BOUNDS.storedOrigins)
    .default([]),
});

export type StorageState = z.infer<typeof storageStateSchema>;
export type ClientCertificateInput = z.infer<typeof clientCertificate>;
export type Session = z.infer<typeof sessionSchema>;
export type SessionView = z.infer<typeof sessionsView>[string];
export type Sessions = z.infer<typeof sessionsSchema>;
