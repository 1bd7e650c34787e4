import type { EntityManager } from "../../../mixins/database.ts";
import type { Scm } from "../../../shared/contracts/code-host/scm.ts";
import type { SubmitRun } from "../../../shared/contracts/runs/submit-run.ts";
import { tunnelKey } from "../../../shared/contracts/runs/tunnels.ts";
import { type Caller, countsAs } from "../../../shared/contracts/teams/caller.ts";
import { newId } from "../../../shared/ids.ts";
import { currentScope, originOf } from "../../../shared/tracing/work-scope.ts";
import {
  branchOrPullRequestOf,
  branchScope,
  defaultBranchFor,
  scopeOf,
  TRIAL_BRANCH,
} from "../baselines/scope.rule.ts";
import type { Project } from "../project.entity.ts";
import type { Run, RunWithOptions } from "../run.entity.ts";
import { findOrCreateProject, setFirstBranch } from "../run.store.ts";
import { type FollowedProject, followDefaultBranch } from "./follow-default-branch.ts";

/** The fields of a submission that its run keeps. */
type Submission = Pick<SubmitRun, "url" | "branch" | "scm" | "threshold" | "options" | "tunnel"> &
  Partial<Pick<SubmitRun, "archive" | "intent">>;

/** The fields that identify a run. */
export type RunKeys = Pick<Run, "id" | "dedupeKey" | "idempotencyKey" | "bodyDigest" | "isConfirmation">;

/**
 * Finds the project of a submission: by name.
 * Only admins can change a project's default branch, because all runs are compared with it. The code-host app submits
 * as an admin. For others, the default branch counts only if the project has no run but trials.
 */
export async function findProjectFor(
  em: EntityManager,
  { teamId, role }: Caller,
  name: string,
  submission: Pick<Submission, "branch" | "scm">,
): Promise<FollowedProject> {
  const { scm } = submission;
  const defaultBranch =
    scm?.defaultBranch ?? defaultBranchFor(scm?.pr === undefined ? branchOf(submission) : null);
  const found = await findOrCreateProject(em, {
    id: newId("proj"),
    teamId,
    name,
    nullReruns: false,
    defaultBranch,
    createdAt: new Date(),
  });
  const project =
    found.defaultBranch === TRIAL_BRANCH ? await setFirstBranch(em, found, defaultBranch) : found;
  return followDefaultBranch(em, project, role === "admin" ? scm?.defaultBranch : undefined);
}

/** Returns the name of a submission's project. Without one, it is the repository, or the host. */
export function projectNameOf({ project, scm, url }: SubmitRun): string {
  return project ?? (scm ? `${scm.owner}/${scm.repo}` : new URL(url).host);
}

function branchOf({ branch, scm }: Pick<Submission, "branch" | "scm">): string | null {
  return branch ?? scm?.branch ?? null;
}

function storedScm({
  missingShas: _missingShas,
  changedFiles: _changedFiles,
  ...scm
}: NonNullable<SubmitRun["scm"]>): Scm {
  return scm;
}

/** Returns the row of a new run in its project. */
export function newRun(
  caller: Caller,
  body: Submission,
  project: Project,
  keys: RunKeys,
): Omit<RunWithOptions, "warnings" | "screenshotsPerJob"> {
  const source = { branch: branchOf(body), scm: body.scm ? storedScm(body.scm) : null };
  const scope = scopeOf(source, project.defaultBranch);
  return {
    kind: "run",
    source: "capture",
    teamId: caller.teamId,
    projectId: project.id,
    project: project.name,
    url: body.url,
    ...source,
    // Named now, because a later default branch isn't this run's.
    branch: source.branch ?? branchOrPullRequestOf(scope).branch,
    scope,
    defaultScope: branchScope(project.defaultBranch),
    threshold: body.threshold,
    tunnel: body.tunnel === undefined ? null : tunnelKey(caller.teamId, body.tunnel),
    archive: body.archive ?? null,
    options: body.options ?? {},
    submitted: null,
    configuredBy: { repository: [], project: [] },
    status: "queued",
    conclusion: null,
    error: null,
    ...keys,
    tally: null,
    causes: [],
    stories: null,
    intent: body.intent ? { ...body.intent, intended: null, unintended: null } : null,
    linkGeneration: 0,
    createdBy: caller.actor.id,
    createdAs: countsAs(caller),
    submitter: caller.actor.name,
    origin: originOf(currentScope()),
    createdAt: new Date(),
    renderings: {},
    recapturedAt: null,
    startedAt: null,
    completedAt: null,
  };
}
