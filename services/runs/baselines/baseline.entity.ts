import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import type { SelectorRegions } from "../../../shared/contracts/capture/ignore-region.ts";
import { NameOrNull } from "../name-or-null.entity.ts";
import type { StoryNames } from "../stories/removed-story.ts";

/**
 * An approval of pixels. Rows are only added. The latest row of a scope and page is the current baseline.
 */
export const BaselineEntity = defineEntity({
  name: "Baseline",
  tableName: "baseline",
  properties: {
    id: p.string().primary(),
    projectId: p.string(),
    scope: p.string(),
    route: p.string(),
    /** Null for the page's own screenshot. */
    state: p.type(NameOrNull).$type<string | null>(),
    /** Null for the default environment. */
    environment: p.type(NameOrNull).$type<string | null>(),
    viewport: p.integer(),
    /** Null if the removal of the page was approved. The page has no baseline then. */
    hash: p.string().strictNullable(),
    width: p.integer().strictNullable(),
    height: p.integer().strictNullable(),
    browser: p.string().strictNullable(),
    /** Id of the browser's rendering fingerprint. Null in approvals from before it was stored. */
    rendering: p.string().strictNullable(),
    /** Where the elements of ignore regions are in the image. Null without such regions. */
    selectorRegions: p.json<SelectorRegions[]>().strictNullable(),
    /** Names of the story that the page is. Null for other pages. */
    story: p.json<StoryNames>().strictNullable(),
    runId: p.string(),
    /** Commit of the scope's branch that looks like this. Null if unknown. */
    sha: p.string().strictNullable(),
    screenshotId: p.string(),
    /** Fingerprint of the approved change. Null if there was no baseline to compare with. */
    fingerprint: p.string().strictNullable(),
    /** Run of the original approval, if this one was carried from there. */
    originRunId: p.string().strictNullable(),
    originScreenshotId: p.string().strictNullable(),
    /** Names of the reviewers who approved it. */
    approvers: p.json<string[]>(),
    approvedBy: p.string(),
    approvedAt: p.datetime(),
  },
});

export type Baseline = InferEntity<typeof BaselineEntity>;
