import { z } from "zod";
import { type RunOptions, runOptionsSchema } from "../capture/capture-options.ts";
import { literalCredentials } from "../capture/literal-credentials.ts";
import { planFailures } from "../capture/plan-pages.ts";
import { time } from "../fields.ts";
import { pageListFields } from "../runs/submit-run.ts";
import type { Action } from "../teams/team-actions.ts";

/**
 * A project's stored configuration: the part of `service.config.ts` that is about runs, all optional. Runs use it where
 * neither their body nor the repository's configuration sets a field.
 */
export const configurationSchema = z
  .strictObject({ ...pageListFields, ...runOptionsSchema.shape })
  .partial()
  .superRefine(({ routes, viewports = [1280], threshold: _threshold, ...options }, context) => {
    // Without routes of its own, the configuration is for any route that a run has.
    const plan = { routes: routes ?? ["/", ...Object.keys(options.perRoute ?? {})], viewports, options };
    for (const { route, field, message } of planFailures(plan)) {
      const path = [...(route === null ? [] : ["perRoute", route]), ...field];
      context.addIssue({ code: "custom", path: path.length > 0 ? path : ["routes"], message });
    }
    for (const { path, message } of literalCredentials(options))
      context.addIssue({ code: "custom", path, message });
  });

/** Maximum size of a stored configuration, as JSON. */
const CONFIGURATION_CHARS = 262_144;

/** Body of `PUT /v1/projects/:project/configuration`. */
export const configurationBody = z
  .strictObject({
    version: z
      .int()
      .min(0)
      .describe("Version that was read, 0 if there was none. Another version now is answered with 409"),
    configuration: configurationSchema,
  })
  .refine(({ configuration }) => JSON.stringify(configuration).length <= CONFIGURATION_CHARS, {
    path: ["configuration"],
    message: `must have at most ${CONFIGURATION_CHARS.toLocaleString("en-US")} characters as JSON`,
  });

/** Response of `GET` and `PUT /v1/projects/:project/configuration`. */
export const configurationView = z.object({
  project: z.string(),
  version: z.int().describe("Number of changes. 0 without a configuration"),
  configuration: configurationSchema,
  missingSecrets: z
    .array(z.string())
    .describe("Secrets that the configuration refers to and that the project doesn't have"),
  changedBy: z.string().nullable().describe("Name of the user or API key at that time"),
  changedAt: time.nullable(),
});

export type Configuration = z.infer<typeof configurationSchema>;
export type ConfigurationBody = z.infer<typeof configurationBody>;
export type ConfigurationView = z.infer<typeof configurationView>;

/** Returns the options of a configuration. */
export function optionsOfConfiguration({
  routes: _routes,
  viewports: _viewports,
  threshold: _threshold,
  ...options
}: Configuration): RunOptions {
  return options;
}

/** Actions of the runs service on the configurations of projects. */
export interface ConfigurationActions {
  "runs.configuration": Action<{ project: string }, ConfigurationView>;
  /** Replaces the configuration. @throws conflict if it changed since it was read */
  "runs.putConfiguration": Action<{ project: string } & ConfigurationBody, ConfigurationView>;
}
