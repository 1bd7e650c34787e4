import type { Merged, MergedInto } from "../../../shared/contracts/code-host/scm-actions.ts";
import type { MirroredReply, MirroredThreads } from "../../../shared/contracts/reviews/mirror.ts";
import type { ListRunsQuery, RunView } from "../../../shared/contracts/runs/runs.ts";
import type { ScreenshotView } from "../../../shared/contracts/runs/screenshots.ts";
import type { SubmitRunInput } from "../../../shared/contracts/runs/submit-run.ts";
import type { Actor } from "../../../shared/contracts/teams/caller.ts";
import { ERRORS } from "../../../shared/errors.ts";

/** The result of an approval. */
export interface ApprovalResult {
  /** Whether the member's approval counts. */
  isRecorded: boolean;
  /** Why that failed or was not enough; null on success. */
  note: string | null;
}

/** The API of the installation that does the app's runs: this one, or another one by its URL. */
export interface CloudApi {
  /** Submits a run. The same idempotency key returns the same run. @returns its id */
  submit(run: SubmitRunInput, key: string): Promise<string>;
  /** Returns null if the run was deleted. */
  run(id: string): Promise<RunView | null>;
  /** Returns the latest matching runs, newest first. */
  latestRuns(of: Pick<ListRunsQuery, "project" | "branch" | "status" | "limit">): Promise<RunView[]>;
  screenshots(runId: string): Promise<ScreenshotView[]>;
  /** Cancels a run that is no longer needed, unless it has ended. */
  cancel(runId: string): Promise<void>;
  /** Approves a run as the member with this account at the code host. */
  approve(runId: string, account: Account): Promise<ApprovalResult>;
  /** Returns a page of the threads that a run's pull request shows. Null if they stay in the dashboard. */
  threads(runId: string, after: string | null): Promise<MirroredThreads | null>;
  /** Adds a reply from a pull request to its thread, or changes its text. @returns whether it was written */
  putReply(reply: Omit<MirroredReply, "teamId">): Promise<boolean>;
  /** Deletes a reply that was deleted on the pull request. */
  deleteReply(id: string): Promise<void>;
  /** Resolves or reopens a thread, as at the code host. @param by login of the person there; null to reopen it */
  resolveThread(threadId: string, by: string | null): Promise<void>;
  /** Carries the approvals of a merged pull request to the branch that it was merged into. */
  carryApprovals(project: string, merged: Merged, into: MergedInto): Promise<void>;
}

export interface Account {
  id: string;
  login: string;
}

/** The actor of the app's own actions. */
export const APP_ACTOR: Actor = { kind: "key", id: "key_code_host_app", name: "code-host app" };

/** Returns the code of a service error, from this installation or another one. */
export function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if ("code" in error && typeof error.code === "string") return error.code;
  return "type" in error && typeof error.type === "string" ? error.type : null;
}

/**
 * Returns the message of an error if people may read it: one of the error catalogue, from this installation or another
 * one. Returns null for others, whose messages can have addresses, statements and pages of proxies.
 */
export function publicMessageOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  return Object.hasOwn(ERRORS, codeOf(error) ?? "") ? error.message : null;
}

/**
 * Returns whether a retry of the same run cannot succeed. An error of the API key is not final, because operators can
 * replace the key.
 */
export function isFinal(error: unknown): boolean {
  return ["plan_limit_exceeded", "invalid_request", "payload_too_large"].includes(codeOf(error) ?? "");
}
