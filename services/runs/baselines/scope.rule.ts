import type { Scm } from "../../../shared/contracts/code-host/scm.ts";
import { BASELINE_REASONS } from "../texts.ts";

/** Branches that a project's first run may declare its default by being on one. */
const USUAL_DEFAULTS = new Set(["main", "master", "trunk", "develop"]);

/** The default branch of a project that starts with a run on this branch. */
export function defaultBranchFor(branch: string | null): string {
  return branch !== null && USUAL_DEFAULTS.has(branch) ? branch : "main";
}

/** Where a branch's approvals are kept. */
export function branchScope(branch: string): string {
  return `branch:${branch}`;
}

/**
 * Where approvals of a run go, and which ones carry to it: its pull request, else its branch;
 * a run that names neither speaks for the default branch.
 */
export function scopeOf(run: { branch: string | null; scm: Scm | null }, defaultBranch: string): string {
  if (run.scm?.pr !== undefined) return prScope(run.scm.pr);
  return branchScope(run.branch ?? defaultBranch);
}

/** Where a pull request's approvals are kept. */
export function prScope(pr: number): string {
  return `pr:${pr}`;
}

/** The branch or the pull request of a scope. */
export function branchOrPullRequestOf(scope: string): { branch: string | null; pr: number | null } {
  if (scope.startsWith("pr:")) return { branch: null, pr: Number(scope.slice("pr:".length)) };
  return { branch: scope.slice("branch:".length), pr: null };
}

/** The scope in words: `main`, `pull request #7`. */
export function describeScope(scope: string): string {
  return scope.startsWith("pr:")
    ? BASELINE_REASONS.pullRequest(scope.slice(3))
    : scope.slice("branch:".length);
}

/** The commit that a run shows, by its whole SHA; null where it has none, or only the beginning of one. */
export function commitOf(scm: Scm | null): string | null {
  return scm && /^([0-9a-f]{40}|[0-9a-f]{64})$/i.test(scm.sha) ? scm.sha.toLowerCase() : null;
}

/** What has one baseline in each scope. */
export interface PageKey {
  route: string;
  viewport: number;
}

/** The place as a key. */
export function pageKeyOf({ route, viewport }: PageKey): string {
  return `${viewport} ${route}`;
}
