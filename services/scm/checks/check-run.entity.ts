import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import type { RunView } from "../../../shared/contracts/runs/runs.ts";
import { CHECK_CONCLUSIONS, type CheckConclusion } from "../code-host/repository-checks.ts";
import type { PullHead } from "../code-host/repository-host.ts";

/** What the check says of its run when the run itself cannot be asked. */
export type Outcome = Pick<RunView, "counts"> & { conclusion: CheckConclusion; reportUrl: string };

/** A check of a commit: one of a commit in a repository, which another attempt begins anew. */
export const CheckRunEntity = defineEntity({
  name: "CheckRun",
  tableName: "check_run",
  properties: {
    /** Of our own; the code host keeps it beside its number, so that a check is found again whose answer got lost. */
    id: p.string().primary(),
    /** The team whose run it is; null for the app's. */
    teamId: p.string().strictNullable().default(null),
    installationId: p.string(),
    repoId: p.string(),
    owner: p.string(),
    repo: p.string(),
    sha: p.string(),
    /** Null for a commit of no pull request. */
    pull: p.json<Omit<PullHead, "sha">>().strictNullable(),
    /** Whether it is of a merge group, whose pull requests are checked by themselves: it has no preview and no run. */
    mergeGroup: p.boolean().default(false),
    /** Empty for a merge group. */
    previewUrl: p.string(),
    /** Nobody told of that address: it is the template's, where nothing may answer yet. */
    fromTemplate: p.boolean(),
    /** Counts up each time that somebody asks for another run. */
    attempt: p.integer(),
    /** The code host's number; null until it has answered. */
    hostId: p.string().strictNullable(),
    /** Null until it is submitted. */
    runId: p.string().strictNullable(),
    /** What the code host was told; null while in progress. */
    conclusion: p.enum(CHECK_CONCLUSIONS).strictNullable(),
    /** What the callback said. */
    outcome: p.json<Outcome>().strictNullable(),
    /** Said above all else, such as why somebody could not approve. */
    note: p.string().strictNullable(),
    /** Digest of what the code host shows, so that it is told what is new and nothing else. */
    told: p.string().strictNullable(),
    /** Looks that failed since the last that did not. */
    tries: p.integer(),
    createdAt: p.datetime(),
    /** A check that is still open then is ended with the reason. */
    giveUpAt: p.datetime(),
    /** When its run is to be looked at; null for never again by itself. */
    lookAt: p.datetime().strictNullable(),
    /** Counts up each time that somebody takes it, so that who took it before writes nothing any more. */
    claim: p.integer(),
    claimedAt: p.datetime().strictNullable(),
    claimedUntil: p.datetime().strictNullable(),
    nudgedAt: p.datetime().strictNullable(),
  },
});

export type CheckRun = InferEntity<typeof CheckRunEntity>;

/** Where a commit can be seen, and how that is known. */
export type Preview = Pick<CheckRun, "previewUrl" | "fromTemplate">;
