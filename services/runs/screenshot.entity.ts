import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import type { Region } from "../../shared/compare/comparison.ts";
import { BLAMES } from "../../shared/contracts/runs/jobs.ts";
import { REVIEW_STATES } from "../../shared/contracts/runs/review-view.ts";
import { SCREENSHOT_STATUSES } from "../../shared/contracts/runs/runs.ts";

/** One route at one width in one run. It waits for its capture, then perhaps for its comparison, then it has a status. */
export const ScreenshotEntity = defineEntity({
  name: "Screenshot",
  tableName: "screenshot",
  properties: {
    id: p.string().primary(),
    runId: p.string(),
    position: p.integer(),
    route: p.string(),
    viewport: p.integer(),
    threshold: p.float(),
    /** How far apart two colours may be and still count as one, 0–1. */
    colorThreshold: p.float(),
    status: p.enum(SCREENSHOT_STATUSES),

    /** The baseline as chosen at submission, or by an approval that carried. */
    baselineHash: p.string().strictNullable(),
    baselineRunId: p.string().strictNullable(),
    baselineReason: p.string().strictNullable(),
    baselineWidth: p.integer().strictNullable(),
    baselineHeight: p.integer().strictNullable(),
    baselineBrowser: p.string().strictNullable(),
    /** How the browser draws that captured it: the fingerprint's id. Null in captures from before that was kept. */
    baselineRendering: p.string().strictNullable(),

    hash: p.string().strictNullable(),
    width: p.integer().strictNullable(),
    height: p.integer().strictNullable(),
    stable: p.boolean().strictNullable(),
    moving: p.json<string[]>(),
    /** Where its own takes differed from each other outside of ignore regions, px. */
    movingRegions: p.json<Region[]>(),
    /** What the page asked for and did not get. */
    missing: p.json<string[]>(),
    attempts: p.integer(),
    cutFromHeight: p.integer().strictNullable(),
    browser: p.string().strictNullable(),
    rendering: p.string().strictNullable(),
    timings: p.json<Record<string, number>>().strictNullable(),

    diffPixels: p.integer().strictNullable(),
    diffRatio: p.float().strictNullable(),
    regions: p.json<Region[]>(),
    maskHash: p.string().strictNullable(),
    /** Changed pixels in these do not count; accepted ones, as of the run's submission, then those of its options. */
    ignoreRegions: p.json<Region[]>(),
    /** Changed pixels in each of these; empty until it is compared. */
    ignoredPixels: p.json<number[]>(),
    /** Share of the page's recent captures that were noise, 0–1, at the run's end. */
    flakeScore: p.float(),
    /** Whether the page has looked different each time of late; known once the run has ended. */
    flaky: p.boolean(),
    fingerprint: p.string().strictNullable(),
    error: p.string().strictNullable(),
    /** Whose fault that is; null where nothing failed, and for failures of the service itself that it found out later. */
    blame: p.enum(BLAMES).strictNullable(),

    /** What its reviews come to: see review-state.rule.ts. */
    review: p.enum(REVIEW_STATES).strictNullable(),
    approvals: p.integer(),
    /** How many the team asked for at the last review. */
    requiredApprovals: p.integer().strictNullable(),
    /** How many rows of reviews there are. */
    reviews: p.integer(),
    /** The approval of the same change that holds here too. */
    carriedRunId: p.string().strictNullable(),
    carriedScreenshotId: p.string().strictNullable(),
    carriedBy: p.json<string[]>().strictNullable(),
    carriedAt: p.datetime().strictNullable(),

    /** When its job was queued last, and how often: a job that got lost is queued again. */
    dispatchedAt: p.datetime().strictNullable(),
    dispatches: p.integer(),
    capturedAt: p.datetime().strictNullable(),
    comparedAt: p.datetime().strictNullable(),
  },
});

export type Screenshot = InferEntity<typeof ScreenshotEntity>;
