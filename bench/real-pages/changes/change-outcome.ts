import type { PlannedCapture } from "../corpus/plan-captures.ts";
import { CHANGE_KINDS, type ChangeKind } from "./page-change.ts";

/** The outcome of one drawn change. It has no kind when the page allowed none. */
export type ChangeOutcome = { planned: PlannedCapture; kind: ChangeKind | null } & (
  | {
      state: "found" | "missed";
      /** Selector of the changed element, for readers. */
      selector: string;
      /** The greatest step of a color channel, 0–255, between two bare screenshots before and after the change. */
      truthStep: number;
      /** Differing pixels between these two. */
      truthPixels: number;
      /** Differing pixels between the baseline and the capture of the changed page. */
      foundPixels: number;
    }
  /** Not counted: the two bare screenshots are equal. */
  | { state: "invisible" }
  /** Not counted either. */
  | { state: "not judged"; reason: string }
);

/**
 * Of 255. People don't see smaller steps of a color. Bare screenshots differ by a few steps when only the order of
 * layers changed.
 */
export const VISIBLE_STEP = 16;

export interface ChangeTally {
  kind: ChangeKind | null;
  found: number;
  visible: number;
  /** Number found, and number in total, of changes by fewer steps than people see. */
  faintFound: number;
  faint: number;
  invisible: number;
  notEvaluated: number;
}

/** Returns whether a change was made that people see. */
export function isVisible(one: ChangeOutcome): boolean {
  return (one.state === "found" || one.state === "missed") && one.truthStep >= VISIBLE_STEP;
}

/** Counts the outcomes of changes by kind, and then in total with the kind null. */
export function tallyChanges(outcomes: readonly ChangeOutcome[]): ChangeTally[] {
  const tally = (kind: ChangeKind | null, own: readonly ChangeOutcome[]): ChangeTally => {
    const count = (state: ChangeOutcome["state"], of = own) => of.filter(one => one.state === state).length;
    const visible = own.filter(isVisible);
    return {
      kind,
      found: count("found", visible),
      visible: visible.length,
      faintFound: count("found") - count("found", visible),
      faint: count("found") + count("missed") - visible.length,
      invisible: count("invisible"),
      notEvaluated: count("not judged"),
    };
  };
  const byKind = CHANGE_KINDS.map(kind =>
    tally(
      kind,
      outcomes.filter(one => one.kind === kind),
    ),
  );
  return [...byKind, tally(null, outcomes)];
}
