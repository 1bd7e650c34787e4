import type { AlertDecision, CheckOutcome } from "../contracts/monitors/alert-actions.ts";
import { downFingerprintOf, fingerprintOf } from "./fingerprint.rule.ts";

/** What is remembered of a monitor between its checks. */
export interface AlertState {
  /** When the check ended that was reported last. */
  reportedAt: Date | null;
  /** What was alerted and has not gone away: the fingerprint of the pages that are wrong. */
  alerted: string | null;
  alertingSince: Date | null;
  lastAlertAt: Date | null;
  snoozedUntil: Date | null;
}

/** What people are to be told of. */
export type Telling =
  | { kind: "changed" | "down"; about: string; replaces: string | null }
  | { kind: "recovered"; about: string; since: Date | null };

export interface Decided {
  decision: AlertDecision;
  state: AlertState;
  tell: Telling | null;
}

/** What a check found that people are to know. */
export interface Wrong {
  kind: "changed" | "down";
  /** Their fingerprint: equal for the same pages. */
  about: string;
}

/** A finished check. */
export interface Finding {
  at: Date;
  /** Null when nothing is. */
  wrong: Wrong | null;
}

/**
 * Whether anybody is to be told of what a check found. An alert is sent when what is wrong is not what was alerted
 * last; a recovery, once, when nothing is. During a snooze nothing is told and nothing is forgotten, so that the first
 * check after it decides afresh. A check that is older than the last one changes nothing.
 * @param now by which a snooze is over
 */
export function decide(state: AlertState, { at, wrong }: Finding, now: Date): Decided {
  if (state.reportedAt !== null && at < state.reportedAt) return { decision: "none", state, tell: null };
  const seen = { ...state, reportedAt: at };
  if (wrong?.about === state.alerted || (wrong === null && state.alerted === null))
    return { decision: wrong === null ? "none" : "repeated", state: seen, tell: null };
  if (state.snoozedUntil !== null && now < state.snoozedUntil)
    return { decision: "snoozed", state: seen, tell: null };
  if (wrong !== null) {
    return {
      decision: "alerted",
      state: {
        ...seen,
        alerted: wrong.about,
        alertingSince: state.alertingSince ?? now,
        lastAlertAt: now,
      },
      tell: { ...wrong, replaces: state.alerted },
    };
  }
  return {
    decision: "recovered",
    state: { ...seen, alerted: null, alertingSince: null },
    tell: { kind: "recovered", about: state.alerted ?? "", since: state.alertingSince },
  };
}

/** What is wrong by the outcome of a monitor's check. */
export function whatIsWrong(outcome: CheckOutcome): Wrong | null {
  if (outcome.kind === "ok") return null;
  const { kind, regressions } = outcome;
  return kind === "down"
    ? { kind, about: downFingerprintOf(outcome.routes, regressions) }
    : { kind, about: fingerprintOf(regressions) };
}
