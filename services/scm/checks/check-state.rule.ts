import { type Backoff, backoffMs } from "../../../shared/backoff.ts";
import type { Conclusion, RunStatus, RunView } from "../../../shared/contracts/runs/runs.ts";
import type { ScreenshotView } from "../../../shared/contracts/runs/screenshots.ts";
import type { ConfigFailure } from "../../../shared/project-config/failure.ts";
import type { CheckConclusion } from "../code-host/code-host.ts";
import type { Outcome } from "./check-run.entity.ts";

/** The state that a check run shows. */
export type CheckState =
  /** The run is not accepted yet. */
  | { kind: "waiting" }
  | { kind: "running"; run: RunView }
  | { kind: "ended"; run: RunView; screenshots: ScreenshotView[] }
  /** The Cloud API reported the end of the run, and the run itself cannot be read. */
  | { kind: "reported"; outcome: Outcome }
  | { kind: "refused"; reason: string }
  /** The repository's configuration has errors. */
  | { kind: "misconfigured"; path: string; faults: ConfigFailure[] }
  /** A merge group has nothing to run. */
  | { kind: "grouped" }
  | { kind: "gone" }
  | { kind: "overdue" };

const CHECK_CONCLUSIONS: Record<Conclusion, CheckConclusion> = {
  passed: "success",
  approved: "success",
  changed: "action_required",
  // No one has reviewed these pages yet, so this is no success.
  new: "action_required",
  rejected: "failure",
};

/** Returns the conclusion of a check, or null while it is open. Only approved pages make it green. */
export function conclusionOf(state: CheckState): CheckConclusion | null {
  switch (state.kind) {
    case "waiting":
    case "running":
      return null;
    case "ended":
      return conclusionOfRun(state.run.status, state.run.conclusion);
    case "reported":
      return state.outcome.conclusion;
    case "refused":
    case "misconfigured":
    case "gone":
      return "failure";
    case "grouped":
      return "neutral";
    case "overdue":
      return "timed_out";
  }
}

/** Returns the check conclusion of a run's status and conclusion. */
export function conclusionOfRun(status: RunStatus, conclusion: Conclusion | null): CheckConclusion | null {
  if (status === "failed") return "failure";
  if (status === "canceled") return "cancelled";
  return conclusion && CHECK_CONCLUSIONS[conclusion];
}

/** A compromise between the load on the code host and the delay for readers. */
const PROGRESS_INTERVAL_MS = 10_000;
/** Reviews are reported at once. These intervals recover lost reports, of open and of decided reviews. */
const PENDING_REVIEW_INTERVAL_MS = 10 * 60_000;
const DECIDED_REVIEW_INTERVAL_MS = 3_600_000;
const REVIEWABLE = new Set<CheckConclusion>(["action_required", "success", "failure"]);
const REVIEW_PERIOD_MS = 14 * 24 * 3_600_000;
const RETRIES: Backoff = { firstMs: 2_000, longestMs: 5 * 60_000 };

/** Returns the time until the next check, or null for none. */
export function nextCheckMs(conclusion: CheckConclusion | null, ageMs: number): number | null {
  if (conclusion === null) return PROGRESS_INTERVAL_MS;
  if (ageMs >= REVIEW_PERIOD_MS || !REVIEWABLE.has(conclusion)) return null;
  return conclusion === "action_required" ? PENDING_REVIEW_INTERVAL_MS : DECIDED_REVIEW_INTERVAL_MS;
}

/** Returns the backoff after some failures in a row. */
export function failureBackoffMs(failures: number): number {
  return backoffMs(failures + 1, RETRIES);
}
