import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import { sealedJson } from "../../mixins/database.ts";
import type { RunOptions } from "../../shared/contracts/capture/capture-options.ts";
import type { Scm } from "../../shared/contracts/code-host/scm.ts";
import type { ConfiguredBy } from "../../shared/contracts/configuration/configured-by.ts";
import type { RunCause } from "../../shared/contracts/runs/explanation.ts";
import type { Intent } from "../../shared/contracts/runs/intent.ts";
import type { RunWarning } from "../../shared/contracts/runs/run-warning.ts";
import { CONCLUSIONS, RUN_KINDS, RUN_SOURCES, RUN_STATUSES } from "../../shared/contracts/runs/runs.ts";
import type { SkippedStories } from "../../shared/contracts/runs/stories.ts";
import type { WorkOrigin } from "../../shared/tracing/work-scope.ts";
import type { RunTally } from "./capture/conclude.rule.ts";
import type { SubmittedFields } from "./submission/submitted-fields.ts";

export const RunEntity = defineEntity({
  name: "Run",
  tableName: "run",
  properties: {
    id: p.string().primary(),
    kind: p.enum(RUN_KINDS),
    /** How it gets its screenshots. */
    source: p.enum(RUN_SOURCES),
    teamId: p.string(),
    projectId: p.string(),
    /** The project's name. It is duplicated here because every answer about a run includes it. */
    project: p.string(),
    /** Empty for a build without a URL. */
    url: p.string(),
    /** Null for pull requests without a known branch. */
    branch: p.string().strictNullable(),
    /** The scope that approvals of this run go to and are carried from. See scope.rule.ts. */
    scope: p.string(),
    /** Scope of the project's default branch at submission. */
    defaultScope: p.string(),
    scm: p.json<Scm>().strictNullable(),
    threshold: p.float(),
    /** Largest number of screenshots of a capture job. It bounds the rows that a dispatch reads. */
    screenshotsPerJob: p.integer(),
    /** Key of the tunnel to its local application. Null for a site that the service reaches by itself. */
    tunnel: p.string().strictNullable(),
    /** The archive that it shows. Null for a site at a URL. */
    archive: p.string().strictNullable(),
    /** What a repetition of the run needs. Null for builds, and in runs from before it was stored. */
    submitted: p.json<SubmittedFields>().strictNullable(),
    /** Kept until the run ends, and apart from the run for some days. Loaded only on request, since it can be 1 MiB large. */
    options: p.type(sealedJson("capture options")).$type<RunOptions>().lazy(),
    status: p.enum(RUN_STATUSES),
    conclusion: p.enum(CONCLUSIONS).strictNullable(),
    error: p.string().strictNullable(),
    /** What the run continued without, recorded at submission. */
    warnings: p.json<RunWarning[]>(),
    /** Which stories it has skipped. Null if it captures all. */
    stories: p.json<SkippedStories>().strictNullable(),
    /** Fields that configurations set at submission. */
    configuredBy: p.json<ConfiguredBy>(),
    /**
     * Digest of the deployment's URL and commit. Null without a commit, or if a repeated submission should start a new
     * run.
     */
    dedupeKey: p.string().strictNullable(),
    idempotencyKey: p.string().strictNullable(),
    /** Digest of the submitted body. The same idempotency key with another body is refused. */
    bodyDigest: p.string(),
    /** Whether it confirms the result of an earlier run of a monitor. It shares no browser state with that run. */
    isConfirmation: p.boolean(),
    /** Stored when the run ends. Until then, screenshots are counted on request. */
    tally: p.json<RunTally>().strictNullable(),
    /** Causes of its changes, most frequent first. Recorded when the run ends. */
    causes: p.json<RunCause[]>(),
    /** What it was meant to change. Null if its submitter did not say. */
    intent: p.json<Intent>().strictNullable(),
    /** Number of times that its links were revoked. Links of an earlier generation open nothing. */
    linkGeneration: p.integer(),
    createdBy: p.string(),
    /** Id that the submitter counts as: the user, or a key without a user. Null in runs from before it was stored. */
    createdAs: p.string().strictNullable(),
    /** The submitter's name at submission. Null in runs from before it was stored. */
    submitter: p.string().strictNullable(),
    /** The request that submitted it. Null in runs from before it was stored, and in repetitions. */
    origin: p.json<WorkOrigin>().strictNullable(),
    createdAt: p.datetime(),
    /**
     * Rendering fingerprints of its browsers by region, each fixed by the region's first job or capture. Screenshots
     * without a region have ''. See rendering-fleet.ts.
     */
    renderings: p.json<Record<string, string>>(),
    /** When its screenshots were released to be captured again, because no such browser was left. */
    recapturedAt: p.datetime().strictNullable(),
    startedAt: p.datetime().strictNullable(),
    completedAt: p.datetime().strictNullable(),
  },
});

export type RunWithOptions = InferEntity<typeof RunEntity>;
export type Run = Omit<RunWithOptions, "options">;
