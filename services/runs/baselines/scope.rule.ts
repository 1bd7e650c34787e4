import type { Scm } from "../../../shared/contracts/code-host/scm.ts";
import { BASELINE_REASONS } from "../texts/runs.ts";

/** Branch names that make the branch of a project's first run its default branch. */
const USUAL_DEFAULTS = new Set(["main", "master", "trunk", "develop"]);

/** Returns the default branch of a project whose first run is on this branch. */
export function defaultBranchFor(branch: string | null): string {
  return branch !== null && USUAL_DEFAULTS.has(branch) ? branch : "main";
}

/** Default branch of a project until its first run: trials have no branch. */
export const TRIAL_BRANCH = defaultBranchFor(null);

/** Returns the scope of a branch's approvals. */
export function branchScope(branch: string): string {
  return `branch:${branch}`;
}

/**
 * Returns the scope that a run's approvals go to and are carried from: its pull request, else its branch. A run with
 * neither belongs to the default branch.
 */
export function scopeOf(run: { branch: string | null; scm: Scm | null }, defaultBranch: string): string {
  if (run.scm?.pr !== undefined) return prScope(run.scm.pr);
  return branchScope(run.branch ?? defaultBranch);
}

/** Returns the scope of a pull request's approvals. */
export function prScope(pr: number): string {
  return `pr:${pr}`;
}

/** Returns the branch or the pull request of a scope. */
export function branchOrPullRequestOf(scope: string): { branch: string | null; pr: number | null } {
  if (scope.startsWith("pr:")) return { branch: null, pr: Number(scope.slice("pr:".length)) };
  return { branch: scope.slice("branch:".length), pr: null };
}

/** Describes the scope, such as `main` or `pull request #7`. */
export function describeScope(scope: string): string {
  return scope.startsWith("pr:")
    ? BASELINE_REASONS.pullRequest(scope.slice(3))
    : scope.slice("branch:".length);
}

/** Returns the full SHA of a run's commit. Null if it has none or an abbreviated one. */
export function commitOf(scm: Scm | null): string | null {
  return scm && /^([0-9a-f]{40}|[0-9a-f]{64})$/i.test(scm.sha) ? scm.sha.toLowerCase() : null;
}
