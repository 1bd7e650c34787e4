import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import type { Region } from "../../shared/compare/comparison.ts";
import { COLOR_THRESHOLD } from "../../shared/compare/pixel-rule.ts";
import type { StoredUpload } from "../../shared/contracts/builds/uploaded-screenshot.ts";
import type { Diagnostics } from "../../shared/contracts/capture/diagnostics.ts";
import type { AppliedRegion, SelectorRegions } from "../../shared/contracts/capture/ignore-region.ts";
import type { ScreenshotKey } from "../../shared/contracts/capture/screenshot-key.ts";
import type { StepResult } from "../../shared/contracts/capture/step-result.ts";
import { REVIEW_STATES } from "../../shared/contracts/reviews/review-view.ts";
import type { Explanation } from "../../shared/contracts/runs/explanation.ts";
import { BLAMES } from "../../shared/contracts/runs/jobs.ts";
import { SCREENSHOT_STATUSES } from "../../shared/contracts/runs/screenshots.ts";
import type { StoredStory } from "../../shared/contracts/runs/stories.ts";
import { newId } from "../../shared/ids.ts";
import type { ChosenBaseline } from "./baselines/choose-baseline.rule.ts";
import type { ProductionMark } from "./looks/production.rule.ts";
import { NameOrNull } from "./name-or-null.entity.ts";
import type { RaisedThreshold } from "./noise/ignore-rule.rule.ts";

/**
 * One page in one run: a route in a state, an environment, and at a viewport width. It waits for its capture, then maybe for its comparison, and then has a
 * status.
 */
export const ScreenshotEntity = defineEntity({
  name: "Screenshot",
  tableName: "screenshot",
  properties: {
    id: p.string().primary(),
    runId: p.string(),
    position: p.integer(),
    route: p.string(),
    /** Null for the page's own screenshot. */
    state: p.type(NameOrNull).$type<string | null>(),
    /** Null for the default environment. */
    environment: p.type(NameOrNull).$type<string | null>(),
    viewport: p.integer(),
    /** Region whose renderers capture it. Null for any. Its name is part of the environment. */
    region: p.string().strictNullable(),
    /** px. It doesn't identify the page. */
    viewportHeight: p.integer(),
    threshold: p.float(),
    /** Set if an ignore rule raised the threshold. */
    raised: p.json<RaisedThreshold>().strictNullable(),
    /** Difference below which two colors count as equal, 0–1. */
    colorThreshold: p.float(),
    status: p.enum(SCREENSHOT_STATUSES),

    /** The baseline, chosen at submission or by a carried approval. */
    baselineHash: p.string().strictNullable(),
    baselineRunId: p.string().strictNullable(),
    baselineReason: p.string().strictNullable(),
    baselineWidth: p.integer().strictNullable(),
    baselineHeight: p.integer().strictNullable(),
    baselineBrowser: p.string().strictNullable(),
    /** Id of the browser's rendering fingerprint. Null in captures from before it was stored. */
    baselineRendering: p.string().strictNullable(),
    /** Where the elements of ignore regions were in the baseline's screenshot. Null if unknown. */
    baselineSelectorRegions: p.json<SelectorRegions[]>().strictNullable(),
    /** The baseline chosen at submission, if a carried approval replaced it. A move to other renderers restores it. */
    replacedBaseline: p.json<ChosenBaseline>().strictNullable(),

    hash: p.string().strictNullable(),
    width: p.integer().strictNullable(),
    height: p.integer().strictNullable(),
    stable: p.boolean().strictNullable(),
    moving: p.json<string[]>(),
    /** Where the screenshots of one capture differed, outside of ignore regions, in px. */
    movingRegions: p.json<Region[]>(),
    /** Resources that the page failed to load. */
    missing: p.json<string[]>(),
    /** Steps that ran before the screenshot. */
    steps: p.json<StepResult[]>(),
    /** What went wrong in the page. Null if unknown, as before the capture. */
    diagnostics: p.json<Diagnostics>().strictNullable(),
    attempts: p.integer(),
    cutFromHeight: p.integer().strictNullable(),
    browser: p.string().strictNullable(),
    rendering: p.string().strictNullable(),
    timings: p.json<Record<string, number>>().strictNullable(),

    diffPixels: p.integer().strictNullable(),
    diffRatio: p.float().strictNullable(),
    /** Pixels that differ by less than the color threshold, if no others do. */
    faintPixels: p.integer(),
    regions: p.json<Region[]>(),
    maskHash: p.string().strictNullable(),
    /**
     * Regions in which changed pixels don't count: those of rules at submission, then those of the run's options. Since
     * the capture, those of selectors too. A rule that was made from this run is added to them.
     */
    ignoreRegions: p.json<AppliedRegion[]>(),
    /** Where the elements of ignore regions are in the image. Null before the capture, and without such regions. */
    selectorRegions: p.json<SelectorRegions[]>().strictNullable(),
    /** Number of changed pixels in each ignore region. Empty until the comparison. */
    ignoredPixels: p.json<number[]>(),
    /** Share of the page's recent captures that were noise, 0–1, at the end of the run. */
    flakeScore: p.float(),
    /** Whether the page's recent screenshots all differ. Known once the run has ended. */
    flaky: p.boolean(),
    fingerprint: p.string().strictNullable(),
    /** Why it differs from the baseline. Null if unknown. */
    explanation: p.json<Explanation>().strictNullable(),
    /** Since when production has the change. Null if it doesn't, or if that is unknown. */
    production: p.json<ProductionMark>().strictNullable(),
    error: p.string().strictNullable(),
    /** Metadata of an uploaded screenshot. Null for captured ones. */
    upload: p.json<StoredUpload>().strictNullable(),
    /** The story that the page is. Null for other pages. */
    story: p.json<StoredStory>().strictNullable(),
    /** The page at its failed step or login. */
    failureHash: p.string().strictNullable(),
    /** Cause of the failure. Null without a failure, and for failures of the service that it detected later. */
    blame: p.enum(BLAMES).strictNullable(),

    /** State of its reviews. See review-state.rule.ts. */
    review: p.enum(REVIEW_STATES).strictNullable(),
    approvals: p.integer(),
    /** Approvals that the team required at the last review. */
    requiredApprovals: p.integer().strictNullable(),
    /** Number of its review rows. */
    reviews: p.integer(),
    /** The approval of the same change that was carried here. */
    carriedRunId: p.string().strictNullable(),
    carriedScreenshotId: p.string().strictNullable(),
    carriedBy: p.json<string[]>().strictNullable(),
    carriedAt: p.datetime().strictNullable(),

    /** When its job was last queued, and how often. A lost job is queued again. */
    dispatchedAt: p.datetime().strictNullable(),
    dispatches: p.integer(),
    capturedAt: p.datetime().strictNullable(),
    comparedAt: p.datetime().strictNullable(),
  },
});

export type Screenshot = InferEntity<typeof ScreenshotEntity>;

/** Returns an uncaptured screenshot. */
export function blankScreenshot(
  runId: string,
  position: number,
): Omit<Screenshot, keyof ScreenshotKey | "viewportHeight" | "threshold" | `baseline${string}`> {
  return {
    id: newId("shot"),
    runId,
    position,
    region: null,
    raised: null,
    colorThreshold: COLOR_THRESHOLD,
    status: "pending",
    replacedBaseline: null,
    hash: null,
    width: null,
    height: null,
    stable: null,
    moving: [],
    movingRegions: [],
    missing: [],
    steps: [],
    diagnostics: null,
    attempts: 0,
    cutFromHeight: null,
    browser: null,
    rendering: null,
    timings: null,
    diffPixels: null,
    diffRatio: null,
    faintPixels: 0,
    regions: [],
    maskHash: null,
    ignoreRegions: [],
    selectorRegions: null,
    ignoredPixels: [],
    flakeScore: 0,
    flaky: false,
    fingerprint: null,
    explanation: null,
    production: null,
    error: null,
    upload: null,
    story: null,
    failureHash: null,
    blame: null,
    review: null,
    approvals: 0,
    requiredApprovals: null,
    reviews: 0,
    carriedRunId: null,
    carriedScreenshotId: null,
    carriedBy: null,
    carriedAt: null,
    dispatchedAt: null,
    dispatches: 0,
    capturedAt: null,
    comparedAt: null,
  };
}
