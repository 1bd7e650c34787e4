import type { Merged, MergedInto } from "../../../shared/contracts/code-host/scm-actions.ts";
import type { ListRunsQuery, RunView, ScreenshotView } from "../../../shared/contracts/runs/runs.ts";
import type { SubmitRunInput } from "../../../shared/contracts/runs/submit-run.ts";
import type { Actor } from "../../../shared/contracts/teams/caller.ts";

/** Where the app's runs are done: this installation, or another by its address. */
export interface CloudApi {
  /** Asks for a run; the same key asks for the same one. @returns its id */
  submit(run: SubmitRunInput, key: string): Promise<string>;
  /** Null when there is no such run any more. */
  run(id: string): Promise<RunView | null>;
  /** The latest runs of these, the newest first. */
  latestRuns(of: Pick<ListRunsQuery, "project" | "branch" | "status" | "limit">): Promise<RunView[]>;
  screenshots(runId: string): Promise<ScreenshotView[]>;
  /** Ends a run of which nobody needs anything any more, unless it has ended. */
  cancel(runId: string): Promise<void>;
  /** Approves all of a run as somebody whose account at the code host has this number. @returns why that is not enough or may not be, null when it is done */
  approve(runId: string, account: Account): Promise<string | null>;
  /** A pull request was merged: what was approved on it holds on the branch that it was merged into. */
  carryApprovals(project: string, merged: Merged, into: MergedInto): Promise<void>;
}

export interface Account {
  id: string;
  login: string;
}

/** Who does what the app itself does. */
export const APP_ACTOR: Actor = { kind: "key", id: "key_code_host_app", name: "code-host app" };

/** The code of an error of the service's catalogue, from here or from far. */
export function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if ("code" in error && typeof error.code === "string") return error.code;
  return "type" in error && typeof error.type === "string" ? error.type : null;
}

/** Whether asking for the same run again could not go otherwise. A key may be about to be replaced, so that is none. */
export function isFinal(error: unknown): boolean {
  return ["plan_limit_exceeded", "invalid_request", "payload_too_large"].includes(codeOf(error) ?? "");
}
