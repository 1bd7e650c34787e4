import { z } from "zod";
import { imageRegion } from "../capture/ignore-region.ts";
import { pageFields, pageInput } from "../capture/page-fields.ts";
import { link, list, pageQuery, region, text, time } from "../fields.ts";
import { CONCLUSIONS } from "../runs/runs.ts";
import type { Action } from "../teams/team-actions.ts";

/** Queries, bodies, and responses of `/v1/ignore-regions`: ignore regions and raised thresholds of pages. */

export const RULE_BOUNDS = {
  /** More would hide the page. */
  regionsOfPage: 50,
  regionsOfProject: 2_000,
  /** Completed runs that a preview looks at. */
  previewRuns: 10,
  /** Changed screenshots that a preview looks at, latest first. */
  previewScreenshots: 100,
  /** Screenshots that a preview lists. */
  previewListed: 20,
} as const;

/** Where a rule applies: a page at its width, the page at all widths, or all pages of the project. */
export const RULE_SCOPES = ["page", "widths", "project"] as const;

export const projectName = z.string().min(1).max(200).describe("Project name, as in the run");

const appliesTo = z
  .enum(RULE_SCOPES)
  .describe(
    "`page` (default): the page at this width. `widths`: the page at all widths. `project`: all pages of the project",
  );
const threshold = z
  .number()
  .gt(0)
  .max(1)
  .describe(
    "Raises the threshold of the page to this share of changed pixels, 0–1, instead of ignoring a region",
  );
const reason = text(500).describe("Name of the rule, or the reason for it");
const { x, y, width, height } = imageRegion.fields;

const ruleFields = {
  project: projectName,
  ...pageInput,
  x: x.optional(),
  y: y.optional(),
  width: width.optional(),
  height: height.optional(),
  threshold: threshold.optional(),
  appliesTo: appliesTo.optional(),
};

type RuleFields = { threshold?: number | undefined; appliesTo?: RuleScope | undefined } & Partial<
  Record<"x" | "y" | "width" | "height", number | undefined>
>;

const isRegionOrThreshold = ({ x, y, width, height, threshold }: RuleFields) => {
  const given = [x, y, width, height].filter(side => side !== undefined).length;
  return threshold === undefined ? given === 4 : given === 0;
};
const neither = { path: ["x"], message: "must be set together with y, width and height, or else threshold" };
const isInBounds = ({ x = 0, y = 0, width = 1, height = 1 }: RuleFields) =>
  imageRegion.isInBounds({ x, y, width, height });
const isOfPage = ({ threshold, appliesTo }: RuleFields) => threshold === undefined || appliesTo !== "project";
const ofProject = {
  path: ["appliesTo"],
  message: "must be page or widths with threshold. Set the threshold of all pages in the configuration",
};

/** Body of `POST /v1/ignore-regions`. */
export const acceptRegionBody = z
  .strictObject({
    ...ruleFields,
    reason: reason.optional(),
    expiresAt: time.optional().describe("When the rule ends. Default: never"),
    runId: z
      .string()
      .max(64)
      .optional()
      .describe(
        "A run whose undecided screenshots are compared again at once. Others follow from the next run on",
      ),
  })
  .refine(isRegionOrThreshold, neither)
  .refine(isInBounds, imageRegion.outOfBounds)
  .refine(isOfPage, ofProject);

/** Body of `POST /v1/ignore-regions/preview`. */
export const previewRuleBody = z
  .strictObject(ruleFields)
  .refine(isRegionOrThreshold, neither)
  .refine(isInBounds, imageRegion.outOfBounds)
  .refine(isOfPage, ofProject);

/** Body of `PATCH /v1/ignore-regions/:id`. */
export const changeRuleBody = z
  .strictObject({
    appliesTo,
    threshold,
    reason: reason.nullable(),
    expiresAt: time.nullable().describe("When the rule ends. A time in the past ends it now. Null: never"),
  })
  .partial();

/** Query of `DELETE /v1/ignore-regions/:id`. */
export const removeRegionQuery = z.strictObject({
  runId: z
    .string()
    .max(64)
    .optional()
    .describe("A run whose undecided screenshots are compared again at once"),
});

/** Query of `GET /v1/ignore-regions`. */
export const listIgnoreRegionsQuery = z.strictObject({
  project: projectName,
  ...pageQuery,
  state: z
    .enum(["active", "ended"])
    .optional()
    .describe("`active` (default), or `ended` for rules that expired or were ended"),
});

/** Query of `GET /v1/ignore-regions/configuration`. */
export const ruleConfigurationQuery = z.strictObject({ project: projectName });

/** A region in which changed pixels don't count, or a page with a raised threshold. */
export const ignoreRegionView = z.object({
  id: z.string(),
  project: z.string(),
  ...pageFields,
  ...region.shape,
  width: z.int().describe("px. 0 for a raised threshold, which ignores no region"),
  threshold: z.number().nullable().describe("The raised threshold, 0–1. Null for a region"),
  appliesTo,
  reason: z.string().nullable(),
  acceptedBy: z.string().describe("Name of the user or API key at that time"),
  acceptedAt: time,
  changedBy: z.string().nullable().describe("Who changed it last. Null if it was never changed"),
  changedAt: time.nullable(),
  expiresAt: time.nullable().describe("When the rule ends or ended. Null: never"),
  isActive: z.boolean(),
});

export const ignoreRegionList = list(ignoreRegionView);

const recompared = z.object({
  runId: z.string(),
  screenshots: z.int().describe("Screenshots that were compared again"),
  unchanged: z.int().describe("Screenshots that are unchanged now"),
  conclusion: z.enum(CONCLUSIONS).describe("The run's conclusion now"),
});

/** Response of `POST /v1/ignore-regions`. */
export const acceptedRegion = ignoreRegionView.extend({
  recompared: recompared
    .nullable()
    .describe("What changed in the run of `runId`. Null without one, or if it couldn't be compared again"),
});

/** Response of `POST /v1/ignore-regions/preview`. */
export const rulePreview = z.object({
  runs: z.int().describe("Completed runs that the preview covers: the last ten of the project"),
  compared: z.int().describe("Changed screenshots of these runs to which the rule applies"),
  isComplete: z.boolean().describe("False if the runs have more of them than a preview looks at"),
  hidden: z.int().describe("Screenshots that would have been unchanged"),
  reduced: z.int().describe("Screenshots that would have been changed with fewer pixels"),
  regions: z.int().describe("Changed regions that would have been hidden"),
  pixels: z.int().describe("Changed pixels that would have been hidden"),
  approved: z
    .int()
    .describe(
      "Hidden screenshots whose change a reviewer approved. The rule would have hidden wanted changes",
    ),
  data: z
    .array(
      z.object({
        id: z.string().describe("The screenshot's id"),
        runId: z.string(),
        at: time.describe("When the run was submitted"),
        ...pageFields,
        image: link,
        imageWidth: z.int().describe("px"),
        imageHeight: z.int().describe("px"),
        outcome: z.enum(["unchanged", "changed"]).describe("Its status with the rule"),
        pixels: z.int().describe("Changed pixels that the rule hides"),
        regions: z.array(region).describe("Changed regions that the rule hides"),
        review: z.enum(["approved", "rejected", "noise"]).nullable().describe("The decision on it"),
      }),
    )
    .describe("At most 20 of these screenshots, latest first"),
});

/** Response of `GET /v1/ignore-regions/configuration`. */
export const ruleConfiguration = z.object({
  text: z.string().describe("Part of `service.config.ts` with the active rules"),
  rules: z.int().describe("Rules in it"),
  left: z
    .array(z.object({ id: z.string(), reason: z.string() }))
    .describe("Rules that a configuration can't express, each with the reason"),
});

export type RuleScope = (typeof RULE_SCOPES)[number];
export type AcceptRegion = z.infer<typeof acceptRegionBody>;
export type PreviewRule = z.infer<typeof previewRuleBody>;
export type ChangeRule = z.infer<typeof changeRuleBody>;
export type ListIgnoreRegionsQuery = z.infer<typeof listIgnoreRegionsQuery>;
export type IgnoreRegionView = z.infer<typeof ignoreRegionView>;
export type IgnoreRegionList = z.infer<typeof ignoreRegionList>;
export type AcceptedRegion = z.infer<typeof acceptedRegion>;
export type Recompared = z.infer<typeof recompared>;
export type RulePreview = z.infer<typeof rulePreview>;
export type RuleConfiguration = z.infer<typeof ruleConfiguration>;

/** Actions of the runs service on ignore rules. */
export interface IgnoreRuleActions {
  "runs.ignoreRegions": Action<{ query: ListIgnoreRegionsQuery }, IgnoreRegionList>;
  /** Adds an ignore rule, for later runs and for undecided screenshots of one run. */
  "runs.acceptRegion": Action<AcceptRegion, AcceptedRegion>;
  /** Returns what a rule would have hidden in the last ten runs. */
  "runs.previewRule": Action<PreviewRule, RulePreview>;
  "runs.changeRule": Action<{ id: string; body: ChangeRule }, IgnoreRegionView>;
  "runs.removeRegion": Action<{ id: string; runId?: string }, null>;
  /** Returns a project's active rules as a part of `service.config.ts`. */
  "runs.ruleConfiguration": Action<{ project: string }, RuleConfiguration>;
}
