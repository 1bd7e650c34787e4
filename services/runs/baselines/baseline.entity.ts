import { defineEntity, type InferEntity, p } from "@mikro-orm/core";

/** An approval of pixels. Rows are only added: the latest of a scope, route and viewport is the baseline there. */
export const BaselineEntity = defineEntity({
  name: "Baseline",
  tableName: "baseline",
  properties: {
    id: p.string().primary(),
    projectId: p.string(),
    scope: p.string(),
    route: p.string(),
    viewport: p.integer(),
    /** Null: the removal of the page was approved, so that there is no baseline any more. */
    hash: p.string().strictNullable(),
    width: p.integer().strictNullable(),
    height: p.integer().strictNullable(),
    browser: p.string().strictNullable(),
    /** How that browser draws: the fingerprint's id. Null in approvals from before that was kept. */
    rendering: p.string().strictNullable(),
    runId: p.string(),
    /** The commit of the scope's branch that looks like this; null where that is not known. */
    sha: p.string().strictNullable(),
    screenshotId: p.string(),
    /** The change that was approved; null where there was nothing to compare with. */
    fingerprint: p.string().strictNullable(),
    /** Where the approval was made, if it was carried from there. */
    originRunId: p.string().strictNullable(),
    originScreenshotId: p.string().strictNullable(),
    /** Names of who approved it. */
    approvers: p.json<string[]>(),
    approvedBy: p.string(),
    approvedAt: p.datetime(),
  },
});

export type Baseline = InferEntity<typeof BaselineEntity>;
