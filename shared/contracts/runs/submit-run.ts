import { z } from "zod";
import { ARCHIVE_URL, isArchiveUrl } from "../builds/archive-url.ts";
import { archiveId } from "../builds/archives.ts";
import { BOUNDS } from "../capture/bounds.ts";
import { routeSchema, runOptionsSchema } from "../capture/capture-options.ts";
import { planFailures } from "../capture/plan-pages.ts";
import { runViewportsSchema, viewportsSchema } from "../capture/viewport.ts";
import { scmInput } from "../code-host/scm.ts";
import { pageUrl, text, unique } from "../fields.ts";
import { intentInput } from "./intent.ts";
import { RUN_STATUSES, runLinks } from "./runs.ts";
import { storybookInput } from "./stories.ts";
import { tunnelId } from "./tunnels.ts";

/** Fields of a run's pages, without defaults. A project's configuration sets them, too. */
export const pageListFields = {
  routes: z
    .array(routeSchema)
    .min(1)
    .max(BOUNDS.routes)
    .transform(unique)
    .describe("Paths of the pages. Default: /"),
  viewports: viewportsSchema.describe(
    "Viewports: widths in px, or { width, height }. The default height is 800. Default: 1280",
  ),
  threshold: z
    .number()
    .min(0)
    .max(1)
    .describe("Share of changed pixels above which a screenshot needs review, 0–1. Default: 0.01"),
};

/** Body of `POST /v1/run`. */
export const submitRunBody = z
  .strictObject({
    url: pageUrl
      .default(ARCHIVE_URL)
      .describe(
        "URL of the site. Routes are appended to it. Required without `archive`. With it, only the path can be chosen: the folder where the site expects to be",
      ),
    archive: archiveId
      .optional()
      .describe(
        "Id of an archive of the project, from `POST /v1/archives`. Its files are the site. Pages can't reach anything else, except `options.allowHosts`. Requires `project` or `scm`",
      ),
    storybook: z
      .union([z.literal(true), storybookInput], "must be true or an object")
      .transform(value => (value === true ? {} : value))
      .optional()
      .describe(
        "The site is a Storybook, and its stories are the pages: `true`, or an object. `routes`, `environments` and `perRoute` don't apply. Parameters of the stories choose viewports and modes",
      ),
    routes: z
      .array(routeSchema)
      .min(1)
      .max(BOUNDS.routes)
      .default(["/"])
      .transform(unique)
      .describe("Paths of the pages"),
    viewports: runViewportsSchema.describe(
      "Viewports: widths in px, or { width, height }. The default height is 800",
    ),
    threshold: z
      .number()
      .min(0)
      .max(1)
      .default(0.01)
      .describe("Share of changed pixels above which a screenshot needs review, 0–1"),
    project: text(200)
      .optional()
      .describe(
        "Project, which is the namespace of the baselines. Default: owner/repo, else the host of the URL",
      ),
    branch: text(255)
      .optional()
      .describe(
        "Branch of the run. Default: `scm.branch`, else the project's default branch. Runs of pull requests have no default",
      ),
    baselineBranch: text(255)
      .optional()
      .describe("Branch to compare with. Default: `scm.baseBranch`, else the project's default branch"),
    scm: scmInput
      .optional()
      .describe(
        "Commit that is deployed at the URL. The repository's configuration at this commit applies if the body has no viewports, threshold, baselineBranch or options. Its routes apply if the body also has no routes. The team's code-host app must have access to the repository. A configuration with errors is answered with 422. With the header `Prefer: handling=lenient`, the run starts without it, with warnings",
      ),
    partial: z
      .boolean()
      .default(false)
      .describe(
        "The run covers only some pages of the project. Pages without a screenshot are not reported as removed",
      ),
    options: runOptionsSchema.optional(),
    tunnel: tunnelId
      .optional()
      .describe(
        "Id of a tunnel that the team has opened with `GET /v1/tunnels`. Pages reach the host and port of the URL only through it. Requires `project` or `scm`. `vrs run --render remote` sends it",
      ),
    intent: intentInput
      .optional()
      .describe(
        "What is meant to change. The answers tell intended changes from unintended ones. It decides nothing: every change needs review",
      ),
    rerun: z
      .literal(true)
      .optional()
      .describe("Starts another run even if this deployment and commit have one"),
  })
  .superRefine((body, context) => {
    for (const { field, message } of archiveFailures(body))
      context.addIssue({ code: "custom", path: [field], message });
    if (body.storybook?.onlyChanged && body.archive === undefined) {
      const message = "requires `archive`, because the files of another Storybook aren't known";
      context.addIssue({ code: "custom", path: ["storybook", "onlyChanged"], message });
    }
    if (body.tunnel !== undefined && body.project === undefined && body.scm === undefined) {
      const message = "is required for a tunnel, because the host of the URL doesn't name the project";
      context.addIssue({ code: "custom", path: ["project"], message });
    }
    if (body.scm?.missingShas && !body.scm.baseSha) {
      const message = "requires baseSha, because it lists the commits since baseSha";
      context.addIssue({ code: "custom", path: ["scm", "missingShas"], message });
    }
    // The project's configuration may have the sessions and environments that this body names.
    for (const { route, message } of planFailures(body, { knowsAllNames: false })) {
      const path = route === null ? ["routes"] : ["options", "perRoute", route];
      context.addIssue({ code: "custom", path, message });
    }
  });

interface SiteFields {
  url: string;
  archive?: string | undefined;
  tunnel?: string | undefined;
  project?: string | undefined;
  scm?: unknown;
}

function archiveFailures({
  url,
  archive,
  tunnel,
  project,
  scm,
}: SiteFields): { field: keyof SiteFields; message: string }[] {
  if (archive === undefined)
    return url === ARCHIVE_URL ? [{ field: "url", message: "is required without `archive`" }] : [];
  return [
    ...(isArchiveUrl(url)
      ? []
      : [{ field: "url" as const, message: `must start with ${ARCHIVE_URL} for an archive` }]),
    ...(tunnel === undefined
      ? []
      : [{ field: "tunnel" as const, message: "can't be combined with `archive`" }]),
    ...(project === undefined && !scm
      ? [{ field: "project" as const, message: "is required for an archive, because it has no host" }]
      : []),
  ];
}

/** How pages are captured and compared. */
const SETTINGS = ["viewports", "threshold", "baselineBranch", "options"] as const;

/** Fields of a submission that the repository's configuration can set. */
export type UnsetField = "routes" | (typeof SETTINGS)[number];

/**
 * Returns the fields that the repository's configuration sets. If the body has any setting of its own, it sets none,
 * because the sender has chosen. @param providedFields names of the body's fields
 */
export function unsetFields(providedFields: ReadonlySet<string>): UnsetField[] {
  if (!providedFields.has("scm") || SETTINGS.some(name => providedFields.has(name))) return [];
  return providedFields.has("routes") ? [...SETTINGS] : ["routes", ...SETTINGS];
}

/** Fields of a submission that have a default, and that the project's configuration can set. */
const DEFAULTED_FIELDS = ["routes", "viewports", "threshold"] as const;
export type DefaultedField = (typeof DEFAULTED_FIELDS)[number];

/** Returns the fields that have their default. @param providedFields names of the body's fields */
export function defaultedFields(providedFields: ReadonlySet<string>): DefaultedField[] {
  return DEFAULTED_FIELDS.filter(name => !providedFields.has(name));
}

/** Body of `POST /v1/runs/:id/rerun`. */
export const rerunBody = z.strictObject({
  only: z.enum(["failed"]).optional().describe("Only the pages that failed. Default: all pages"),
});

/** Response of `POST /v1/run`. */
export const submittedRun = z.object({
  id: z.string(),
  status: z.enum(RUN_STATUSES),
  project: z.string(),
  links: runLinks,
  deduplicated: z
    .literal(true)
    .optional()
    .describe("True if an identical submission already created this run"),
});

export type SubmitRun = z.infer<typeof submitRunBody>;
export type SubmitRunInput = z.input<typeof submitRunBody>;
export type SubmittedRun = z.infer<typeof submittedRun>;
