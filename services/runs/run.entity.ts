import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import { sealedJson } from "../../mixins/database.ts";
import type { Scm } from "../../shared/contracts/code-host/scm.ts";
import type { RunOptions } from "../../shared/contracts/runs/capture-options.ts";
import type { RunWarning } from "../../shared/contracts/runs/run-warning.ts";
import { CONCLUSIONS, RUN_KINDS, RUN_STATUSES } from "../../shared/contracts/runs/runs.ts";
import type { RunTally } from "./capture/conclude.rule.ts";

export const RunEntity = defineEntity({
  name: "Run",
  tableName: "run",
  properties: {
    id: p.string().primary(),
    kind: p.enum(RUN_KINDS),
    teamId: p.string(),
    projectId: p.string(),
    /** The project's name, here too because every answer about a run says it. */
    project: p.string(),
    url: p.string(),
    /** Null for a pull request's run of which no branch is known. */
    branch: p.string().strictNullable(),
    /** Where approvals of this run go, and which ones carry to it: see scope.rule.ts. */
    scope: p.string(),
    /** The project's default branch's scope when the run was submitted. */
    defaultScope: p.string(),
    scm: p.json<Scm>().strictNullable(),
    threshold: p.float(),
    /** Until it ends. Read by who asks for it alone: it may be a mebibyte. */
    options: p.type(sealedJson("capture options")).$type<RunOptions>().lazy(),
    status: p.enum(RUN_STATUSES),
    conclusion: p.enum(CONCLUSIONS).strictNullable(),
    error: p.string().strictNullable(),
    /** What it had to do without, since its submission. */
    warnings: p.json<RunWarning[]>(),
    /** Digest of the deployment's URL and commit; null where there is none, or where this run's outcome is of no use to a repeat. */
    dedupeKey: p.string().strictNullable(),
    idempotencyKey: p.string().strictNullable(),
    /** Digest of the submitted body: the same idempotency key with another body is refused. */
    bodyDigest: p.string(),
    /** Whether it confirms what an earlier run of a monitor found: nothing that one left may show in it. */
    isConfirmation: p.boolean(),
    /** The screenshots counted when the run ended; until then they are counted when somebody asks. */
    tally: p.json<RunTally>().strictNullable(),
    /** How often its links were revoked: those of an earlier time open nothing. */
    linkGeneration: p.integer(),
    createdBy: p.string(),
    /** Whom its submitter counts as: the person, or the key that is nobody's. Null in runs from before that was kept. */
    createdAs: p.string().strictNullable(),
    /** The submitter's name, as named then. Null in runs from before that was kept. */
    submitter: p.string().strictNullable(),
    createdAt: p.datetime(),
    /** The fingerprint of the browsers that capture it, fixed with its first job or capture; see rendering-fleet.ts. */
    rendering: p.string().strictNullable(),
    /** When its screenshots were captured again because no such browser was left. */
    recapturedAt: p.datetime().strictNullable(),
    startedAt: p.datetime().strictNullable(),
    completedAt: p.datetime().strictNullable(),
  },
});

export type RunWithOptions = InferEntity<typeof RunEntity>;
export type Run = Omit<RunWithOptions, "options">;
