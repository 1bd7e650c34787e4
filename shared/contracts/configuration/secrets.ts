import { z } from "zod";
import type { RunOptions } from "../capture/capture-options.ts";
import { time } from "../fields.ts";
import type { Action } from "../teams/team-actions.ts";

/** Name of a project's secret. */
export const secretName = z
  .string()
  .max(60)
  .regex(
    /^[A-Z][A-Z0-9_]*$/,
    "must be a name of capital letters, digits and underscores, such as EDITOR_PASSWORD",
  );

export const SECRET_BOUNDS = { perProject: 100, chars: 10_000 } as const;

/** Body of `PUT /v1/projects/:project/secrets/:name`. */
export const secretBody = z.strictObject({
  value: z.string().min(1).max(SECRET_BOUNDS.chars).describe("The secret. No response contains it"),
});

/** A secret without its value. */
export const secretView = z.object({
  name: z.string(),
  changedBy: z.string().describe("Name of the user or API key at that time"),
  changedAt: time,
});

/** Response of `GET /v1/projects/:project/secrets`. */
export const secretList = z.object({ data: z.array(secretView).describe("Secrets by name") });

export type SecretView = z.infer<typeof secretView>;
export type SecretList = z.infer<typeof secretList>;

/** Actions of the runs service on the secrets of a project. */
export interface SecretActions {
  /** Sets a secret. Returns it without its value. */
  "runs.putSecret": Action<{ project: string; name: string; value: string }, SecretView>;
  "runs.secrets": Action<{ project: string }, SecretList>;
  "runs.deleteSecret": Action<{ project: string; name: string }, null>;
  /**
   * Throws invalid_request if the options refer to a secret, session or environment that the project doesn't have, or to
   * a file that only the command line reads.
   */
  "runs.checkOptions": Action<{ teamId: string; project: string; options: RunOptions }, null>;
}
