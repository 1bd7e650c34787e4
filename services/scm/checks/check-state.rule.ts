import { type Backoff, backoffMs } from "../../../shared/backoff.ts";
import type { Conclusion, RunStatus, RunView, ScreenshotView } from "../../../shared/contracts/runs/runs.ts";
import type { ConfigFailure } from "../../../shared/project-config/failure.ts";
import type { CheckConclusion } from "../code-host/repository-checks.ts";
import type { Outcome } from "./check-run.entity.ts";

/** What a check has to say. */
export type CheckState =
  /** Its run is not accepted yet. */
  | { kind: "waiting" }
  | { kind: "running"; run: RunView }
  | { kind: "settled"; run: RunView; screenshots: ScreenshotView[] }
  /** The Cloud API told how the run ended, and the run itself cannot be read. */
  | { kind: "told"; outcome: Outcome }
  | { kind: "refused"; reason: string }
  /** The repository's configuration cannot be read as it is, so that nobody knows what is to be checked. */
  | { kind: "misconfigured"; path: string; faults: ConfigFailure[] }
  /** It is of a merge group: there is nothing to run. */
  | { kind: "grouped" }
  | { kind: "gone" }
  | { kind: "overdue" };

const OF_CONCLUSION: Record<Conclusion, CheckConclusion> = {
  passed: "success",
  approved: "success",
  changed: "action_required",
  // Nobody has seen these pages yet: that is not the same as that they are right.
  new: "action_required",
  rejected: "failure",
};

/** How a check ends; null while it has not. Nothing but pages as approved makes it green. */
export function conclusionOf(state: CheckState): CheckConclusion | null {
  switch (state.kind) {
    case "waiting":
    case "running":
      return null;
    case "settled":
      return ofRun(state.run.status, state.run.conclusion);
    case "told":
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

/** Of a run's outcome in the words of the Cloud API. */
export function ofRun(status: RunStatus, conclusion: Conclusion | null): CheckConclusion | null {
  if (status === "failed") return "failure";
  if (status === "canceled") return "cancelled";
  return conclusion && OF_CONCLUSION[conclusion];
}

/** Seldom enough to be no burden on the code host, often enough for who waits. */
const PROGRESS_EVERY_MS = 10_000;
/** A review is told at once; these are for one that was not: of what waits for it, and of what was decided. */
const REVIEW_EVERY_MS = 10 * 60_000;
const CHANGE_OF_MIND_EVERY_MS = 3_600_000;
const REVIEWABLE = new Set<CheckConclusion>(["action_required", "success", "failure"]);
const REVIEWED_WITHIN_MS = 14 * 24 * 3_600_000;
const RETRIES: Backoff = { firstMs: 2_000, longestMs: 5 * 60_000 };

/** When a check is to be looked at again, ms; null for never by itself. */
export function nextLookMs(conclusion: CheckConclusion | null, ageMs: number): number | null {
  if (conclusion === null) return PROGRESS_EVERY_MS;
  if (ageMs >= REVIEWED_WITHIN_MS || !REVIEWABLE.has(conclusion)) return null;
  return conclusion === "action_required" ? REVIEW_EVERY_MS : CHANGE_OF_MIND_EVERY_MS;
}

/** When it is to be tried again after so many failures in a row, ms. */
export function nextTryMs(failures: number): number {
  return backoffMs(failures + 1, RETRIES);
}
