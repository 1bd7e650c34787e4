import { z } from "zod";
import { BOUNDS, planFaults, routeSchema, runOptionsSchema, viewportSchema } from "./capture-options.ts";
import { pageUrl, text, unique } from "./fields.ts";
import { RUN_STATUSES, runLinks } from "./http.ts";
import { scmInput } from "./scm.ts";

/** Body of `POST /v1/run`. */
export const submitRunBody = z
  .strictObject({
    url: pageUrl.describe("Address of the site; routes are added to it"),
    routes: z
      .array(routeSchema)
      .min(1)
      .max(BOUNDS.routes)
      .default(["/"])
      .transform(unique)
      .describe("Paths of pages"),
    viewports: z
      .array(viewportSchema)
      .min(1)
      .max(BOUNDS.viewports)
      .default([1280])
      .transform(unique)
      .describe("Widths, px"),
    threshold: z
      .number()
      .min(0)
      .max(1)
      .default(0.01)
      .describe("Fraction of changed pixels above which a screenshot needs a review"),
    project: text(200)
      .optional()
      .describe("Namespace of the baselines; default owner/repo, else the URL's host"),
    branch: text(255)
      .optional()
      .describe("Default scm.branch, else the project's default branch; a pull request's run has none then"),
    baselineBranch: text(255)
      .optional()
      .describe("Branch to compare with; default scm.baseBranch, else the project's default branch"),
    scm: scmInput
      .optional()
      .describe(
        "The commit that is deployed at the URL. Where the body has no viewports, threshold, baselineBranch or options, those of the repository's configuration at this commit hold, and its routes if the body has none: as far as the team's code-host app may read it",
      ),
    partial: z
      .boolean()
      .default(false)
      .describe("These are not all pages of the project: do not report the others' baselines as removed"),
    options: runOptionsSchema.optional(),
    rerun: z
      .literal(true)
      .optional()
      .describe("Run again, although there is a run of this deployment and commit already"),
  })
  .superRefine((body, context) => {
    if (body.scm?.missingShas && !body.scm.baseSha) {
      const message = "are the commits since baseSha, which is missing";
      context.addIssue({ code: "custom", path: ["scm", "missingShas"], message });
    }
    for (const { route, message } of planFaults(body, body.options?.perRoute)) {
      const path = route === null ? ["routes"] : ["options", "perRoute", route];
      context.addIssue({ code: "custom", path, message });
    }
  });

/** How pages are taken and judged. */
const SETTINGS = ["viewports", "threshold", "baselineBranch", "options"] as const;

/** What the configuration of a submission's repository may say in its place. */
export type LeftOpen = "routes" | (typeof SETTINGS)[number];

/**
 * What a body leaves to the repository: nothing where it has any setting of its own, since its sender knows what it
 * wants then. @param said the names of its fields
 */
export function leftOpen(said: ReadonlySet<string>): LeftOpen[] {
  if (!said.has("scm") || SETTINGS.some(name => said.has(name))) return [];
  return said.has("routes") ? [...SETTINGS] : ["routes", ...SETTINGS];
}

/** Answer to `POST /v1/run`. */
export const submittedRun = z.object({
  id: z.string(),
  status: z.enum(RUN_STATUSES),
  project: z.string(),
  links: runLinks,
  deduplicated: z.literal(true).optional().describe("This is the run of an equal submission before"),
});

export type SubmitRun = z.infer<typeof submitRunBody>;
export type SubmitRunInput = z.input<typeof submitRunBody>;
export type SubmittedRun = z.infer<typeof submittedRun>;
