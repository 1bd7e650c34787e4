import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import type { RunView } from "../../../shared/contracts/runs/runs.ts";
import { CHECK_CONCLUSIONS, type CheckConclusion, type PullHead } from "../code-host/code-host.ts";

/** The reported result of a run, for when the run itself cannot be read. */
export type Outcome = Pick<RunView, "counts"> & { conclusion: CheckConclusion; reportUrl: string };

/** A check of a commit, with one attempt at a time. Each commit of a repository has one, and one for each build of it. */
export const CheckRunEntity = defineEntity({
  name: "CheckRun",
  tableName: "check_run",
  properties: {
    /** Our own id. The code host stores it too, which finds a check run whose creation response was lost. */
    id: p.string().primary(),
    /** The team of the run; null for the app's. */
    teamId: p.string().strictNullable().default(null),
    installationId: p.string(),
    repoId: p.string(),
    owner: p.string(),
    repo: p.string(),
    sha: p.string(),
    /** Name of the build of uploaded screenshots; empty for the check of the preview. */
    name: p.string().default(""),
    /** Null for a commit without a pull request. */
    pull: p.json<Omit<PullHead, "sha">>().strictNullable(),
    /** Whether it is of a merge group, which has no preview and no run. Its pull requests have their own checks. */
    mergeGroup: p.boolean().default(false),
    /** Empty for a merge group. */
    previewUrl: p.string(),
    /** Whether the preview URL comes from the template. Nothing may respond there yet. */
    fromTemplate: p.boolean(),
    /** Counts the runs that were requested for this check. */
    attempt: p.integer(),
    /** The code host's number; null until it has responded. */
    hostId: p.string().strictNullable(),
    /** Null until the run is submitted. */
    runId: p.string().strictNullable(),
    /** The conclusion that the code host has; null while in progress. */
    conclusion: p.enum(CHECK_CONCLUSIONS).strictNullable(),
    /** The result that the callback reported. */
    outcome: p.json<Outcome>().strictNullable(),
    /** The first line of the check run, such as why an approval failed. */
    note: p.string().strictNullable(),
    /** A digest of what the code host shows, so that only changes are reported. */
    lastReportedDigest: p.string().strictNullable(),
    /** Failed advances since the last success. */
    failures: p.integer(),
    createdAt: p.datetime(),
    /** A check that is still open then is closed as timed out. */
    deadlineAt: p.datetime(),
    /** The time of the next check; null for none. */
    nextCheckAt: p.datetime().strictNullable(),
    /** Increases with each lease, so that an earlier holder cannot write anymore. */
    lease: p.integer(),
    leasedAt: p.datetime().strictNullable(),
    leasedUntil: p.datetime().strictNullable(),
    wakeAt: p.datetime().strictNullable(),
  },
});

export type CheckRun = InferEntity<typeof CheckRunEntity>;

/** A preview URL and its source. */
export type Preview = Pick<CheckRun, "previewUrl" | "fromTemplate">;
