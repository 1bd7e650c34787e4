import { useState } from "react";
import type { OwnDecision, Screenshot } from "../../api/screenshot.ts";
import { commonTexts } from "../../texts/common.ts";
import { outcomeText, reviewTexts } from "../../texts/review.ts";
import { useToast } from "../../ui/toast.tsx";
import { groupOf, nextUndecided } from "../queue/queue.ts";
import type { Viewing } from "../stage/use-viewing.ts";
import { type Decision, isDecidable, isOpen, isUndecided, rejection } from "./decision.ts";
import { type Decisions, useDecisions } from "./use-decisions.ts";

export interface DecisionActions {
  /** Approves the approvable ones of these. */
  approve: (some: readonly Screenshot[]) => void;
  actions: Record<string, () => void>;
  /** Screenshots whose rejection waits for a reason; null if none. */
  rejecting: readonly Screenshot[] | null;
  reject: (reason: string | null, isNoise: boolean) => void;
  stopRejecting: () => void;
  /** Screenshots whose approval waits for a note; null if none. */
  noting: readonly Screenshot[] | null;
  approveWithNote: (note: string) => void;
  stopNoting: () => void;
  showText: (text: string) => void;
  decisions: Decisions;
}

/** Connects keys and buttons to decisions, and shows the next screenshot afterward. */
export function useDeciding(
  runId: string,
  shots: readonly Screenshot[],
  viewing: Viewing,
  mayDecide: boolean,
): DecisionActions {
  const decisions = useDecisions(runId);
  const { decide, undo } = decisions;
  const showToast = useToast();
  const showText = (text: string) => showToast({ text });
  const [rejecting, setRejecting] = useState<readonly Screenshot[] | null>(null);
  const [noting, setNoting] = useState<readonly Screenshot[] | null>(null);
  const { shot, queue, sections } = viewing;

  const undoLast = () => {
    const ids = undo();
    const first = viewing.inSelection.find(({ id }) => ids.includes(id));
    if (first) viewing.open(first);
    showText(ids.length > 0 ? reviewTexts.undone : reviewTexts.nothingToUndo);
  };
  const decideAll = (
    some: readonly Screenshot[],
    given: Omit<Decision, "ids" | "verdict"> & Pick<OwnDecision, "verdict">,
  ) => {
    const { verdict } = given;
    const ids = some.filter(each => isDecidable(each, verdict)).map(({ id }) => id);
    const after = decide({ ids, ...given });
    // The decided group may not be the visible one.
    const isVisible = some.some(({ id }) => id === shot?.id);
    const next = isVisible && shot ? nextUndecided(queue, shot.id, new Set(ids)) : null;
    if (next) viewing.open(next);
    const isLeft = ({ id }: Screenshot) => !ids.includes(id);
    const left = shots.filter(isOpen).filter(isLeft);
    const isLast = !queue.filter(isUndecided).some(isLeft);
    const last = left.length === 0 ? lastText(shots, after) : leftOutside(left, viewing);
    showToast({
      text: [outcomeText(after, verdict), ...(isLast && last ? [last] : [])].join(" "),
      action: { label: commonTexts.undo, run: undoLast },
    });
  };
  /** Returns whether the verdict has an effect on any of these, and shows a message if not. */
  const isPossible = (some: readonly Screenshot[], verdict: "approved" | "rejected"): boolean => {
    const isAny = some.some(each => isDecidable(each, verdict));
    if (!mayDecide) showText(reviewTexts.onlyReviewers);
    else if (some.length === 0 && shot && !viewing.isMatch) showText(reviewTexts.outsideSearch);
    else if (!isAny)
      showText(verdict === "approved" ? reviewTexts.nothingToApprove : reviewTexts.nothingToReject);
    return mayDecide && isAny;
  };
  const approve = (some: readonly Screenshot[]) => {
    if (isPossible(some, "approved")) decideAll(some, { verdict: "approved", reason: null });
  };
  const askNote = (some: readonly Screenshot[]) => {
    if (isPossible(some, "approved")) setNoting(some.filter(each => isDecidable(each, "approved")));
  };
  const askReason = (some: readonly Screenshot[]) => {
    if (isPossible(some, "rejected")) setRejecting(some.filter(each => isDecidable(each, "rejected")));
  };
  // Nothing outside of the filter is decided, also if it is still open.
  const one = shot && viewing.isMatch ? [shot] : [];
  const group = () => groupOf(sections, shot?.id ?? "");
  return {
    approve,
    actions: {
      approve: () => approve(one),
      "approve-with-note": () => askNote(one),
      reject: () => askReason(one),
      "approve-group": () => approve(group()),
      "reject-group": () => askReason(group()),
      undo: undoLast,
    },
    rejecting,
    reject(reason, isNoise) {
      setRejecting(null);
      if (rejecting) decideAll(rejecting, { verdict: "rejected", ...rejection(reason, isNoise) });
    },
    stopRejecting: () => setRejecting(null),
    noting,
    approveWithNote(note) {
      setNoting(null);
      if (noting) decideAll(noting, { verdict: "approved", reason: note });
    },
    stopNoting: () => setNoting(null),
    showText,
    decisions,
  };
}

/** Returns a text if the filter hides all that is left. */
function leftOutside(left: readonly Screenshot[], { inSelection }: Viewing): string | null {
  const selected = new Set(inSelection.map(({ id }) => id));
  return left.some(({ id }) => selected.has(id)) ? null : reviewTexts.leftOutside(left.length);
}

function lastText(shots: readonly Screenshot[], after: readonly Screenshot[]): string {
  const latest = new Map(after.map(shot => [shot.id, shot]));
  const waits = shots.some(shot => (latest.get(shot.id) ?? shot).review?.state === "pending");
  return waits ? reviewTexts.nothingLeftForYou : reviewTexts.allDecided;
}
