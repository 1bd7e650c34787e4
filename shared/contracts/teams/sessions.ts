import { z } from "zod";
import { list, time } from "../fields.ts";
import { actor, teamView } from "./people.ts";

/** Requests and responses of `/v1` about sessions and signing in. */

const signedInWith = z.enum(["key", "code-host", "provider"]);

/** Response of `GET /v1/session`, which identifies the caller. */
export const sessionView = z.object({
  actor,
  countsAs: z
    .string()
    .describe(
      "Reviewer that the caller's reviews count for: the user who created the API key, else the actor",
    ),
  team: teamView
    .nullable()
    .describe("The team of requests that name no other team. Null if the caller has no team"),
  teams: z.array(teamView),
  expiresAt: time.nullable().describe("When the session expires if it is not used. Null for an API key"),
  signedInWith: signedInWith
    .nullable()
    .describe("How the session was started. Null for a request with an API key"),
});

export const sessionList = list(
  z.object({
    id: z.string(),
    createdAt: time,
    usedAt: time.describe("Last use, to the hour"),
    expiresAt: time,
    browser: z
      .string()
      .nullable()
      .describe("Browser and system, such as `Firefox on Linux`. Null if unknown"),
    signedInWith,
    current: z.boolean().describe("Whether this is the caller's current session"),
  }),
);

const answered = (meaning: string) => z.string().max(2000).optional().catch(undefined).describe(meaning);

/** Query of `GET /auth/login`. An invalid one is ignored. */
export const loginQuery = z.looseObject({ next: answered("Path of this service to open after the sign-in") });

/** Query of `GET /auth/callback`, which the code host sends. */
export const callbackQuery = z.looseObject({
  code: answered("Authorization code of the code host"),
  state: answered("State of the sign-in"),
  error: answered("Error code of the code host"),
});

export const signInBody = z.strictObject({ apiKey: z.string().min(1).max(200) });

export type SessionList = z.infer<typeof sessionList>;
export type LoginQuery = z.infer<typeof loginQuery>;
export type CallbackQuery = z.infer<typeof callbackQuery>;
export type SessionView = z.infer<typeof sessionView>;
