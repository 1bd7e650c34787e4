import type { AlertDecision, CheckOutcome } from "../contracts/monitors/alert-actions.ts";
import { downFingerprintOf, fingerprintOf } from "./fingerprint.rule.ts";

/** The alert state that is stored between a monitor's checks. */
export interface AlertState {
  /** Time at which the last reported check ended. */
  reportedAt: Date | null;
  /** Fingerprint of the pages with an open alert. */
  alerted: string | null;
  alertingSince: Date | null;
  lastAlertAt: Date | null;
  snoozedUntil: Date | null;
}

/** A notification that is due. */
export type DueNotification =
  | { kind: "changed" | "down"; about: string; replaces: string | null }
  | { kind: "recovered"; about: string; since: Date | null };

export interface DecisionResult {
  decision: AlertDecision;
  state: AlertState;
  notification: DueNotification | null;
}

/** A problem that a check found. */
export interface Problem {
  kind: "changed" | "down";
  /** Fingerprint of the pages. Equal for the same pages. */
  about: string;
}

/** A completed check. */
export interface Finding {
  at: Date;
  /** Null if the check found no problem. */
  problem: Problem | null;
}

/**
 * Decides whether a notification is due for a check. An alert is due if the problem is not the one that was
 * alerted last. A recovery is due once if there is no problem anymore. During a snooze, nothing is sent and the
 * state stays, so that the first check after it decides again. A check that is older than the last one changes
 * nothing.
 * @param now the time that ends a snooze
 */
export function decide(state: AlertState, { at, problem }: Finding, now: Date): DecisionResult {
  if (state.reportedAt !== null && at < state.reportedAt)
    return { decision: "none", state, notification: null };
  const seen = { ...state, reportedAt: at };
  if (problem?.about === state.alerted || (problem === null && state.alerted === null))
    return { decision: problem === null ? "none" : "repeated", state: seen, notification: null };
  if (state.snoozedUntil !== null && now < state.snoozedUntil)
    return { decision: "snoozed", state: seen, notification: null };
  if (problem !== null) {
    return {
      decision: "alerted",
      state: {
        ...seen,
        alerted: problem.about,
        alertingSince: state.alertingSince ?? now,
        lastAlertAt: now,
      },
      notification: { ...problem, replaces: state.alerted },
    };
  }
  return {
    decision: "recovered",
    state: { ...seen, alerted: null, alertingSince: null },
    notification: { kind: "recovered", about: state.alerted ?? "", since: state.alertingSince },
  };
}

/** Returns the problem that a monitor's check found. Null if it found none. */
export function problemOf(outcome: CheckOutcome): Problem | null {
  if (outcome.kind === "ok") return null;
  const { kind, regressions } = outcome;
  return kind === "down"
    ? { kind, about: downFingerprintOf(outcome.routes, regressions) }
    : { kind, about: fingerprintOf(regressions) };
}
