import { useState } from "react";
import type { Mine, Shot } from "../../api/shot.ts";
import { commonTexts } from "../../texts/common.ts";
import { outcomeText, reviewTexts } from "../../texts/review.ts";
import { useSay } from "../../ui/say.tsx";
import { groupOf, nextOpen } from "../queue.ts";
import type { Viewing } from "../stage/use-viewing.ts";
import { type Decision, isDecidable, isOpen, isUndecided, rejection } from "./decision.ts";
import { type Decisions, useDecisions } from "./use-decisions.ts";

export interface Deciding {
  /** Approves the approvable ones of these. */
  approve: (some: readonly Shot[]) => void;
  acts: Record<string, () => void>;
  /** Screenshots whose rejection waits for a reason; null if none. */
  rejecting: readonly Shot[] | null;
  reject: (reason: string | null, isNoise: boolean) => void;
  stopRejecting: () => void;
  say: (text: string) => void;
  decisions: Decisions;
}

/** Connects keys and buttons to decisions, and shows the next screenshot afterward. */
export function useDeciding(
  runId: string,
  shots: readonly Shot[],
  viewing: Viewing,
  mayDecide: boolean,
): Deciding {
  const decisions = useDecisions(runId);
  const { decide, undo } = decisions;
  const sayIt = useSay();
  const say = (text: string) => sayIt({ text });
  const [rejecting, setRejecting] = useState<readonly Shot[] | null>(null);
  const { shot, queue, sections } = viewing;

  const undoLast = () => {
    const ids = undo();
    const first = shots.find(({ id }) => id === ids[0]);
    if (first) viewing.open(first);
    say(first ? reviewTexts.undone : reviewTexts.nothingToUndo);
  };
  const settle = (some: readonly Shot[], said: Omit<Decision, "ids" | "verdict"> & Pick<Mine, "verdict">) => {
    const { verdict } = said;
    const ids = some.filter(each => isDecidable(each, verdict)).map(({ id }) => id);
    const after = decide({ ids, ...said });
    // The decided group may not be the visible one.
    const isMeant = some.some(({ id }) => id === shot?.id);
    const next = isMeant && shot ? nextOpen(queue, shot.id, new Set(ids)) : null;
    if (next) viewing.open(next);
    const left = [...shots.filter(isOpen), ...queue.filter(isUndecided)];
    const isLast = left.every(({ id }) => ids.includes(id));
    sayIt({
      text: [outcomeText(after, verdict), ...(isLast ? [lastText(shots, after)] : [])].join(" "),
      act: { label: commonTexts.undo, run: undoLast },
    });
  };
  /** Returns whether the verdict has an effect on any of these, and shows a message if not. */
  const isPossible = (some: readonly Shot[], verdict: "approved" | "rejected"): boolean => {
    const isAny = some.some(each => isDecidable(each, verdict));
    if (!mayDecide) say(reviewTexts.onlyReviewers);
    else if (!isAny) say(verdict === "approved" ? reviewTexts.nothingToApprove : reviewTexts.nothingToReject);
    return mayDecide && isAny;
  };
  const approve = (some: readonly Shot[]) => {
    if (isPossible(some, "approved")) settle(some, { verdict: "approved", reason: null });
  };
  const askWhy = (some: readonly Shot[]) => {
    if (isPossible(some, "rejected")) setRejecting(some.filter(each => isDecidable(each, "rejected")));
  };
  const one = shot ? [shot] : [];
  const group = () => groupOf(sections, shot?.id ?? "");
  return {
    approve,
    acts: {
      approve: () => approve(one),
      reject: () => askWhy(one),
      "approve-group": () => approve(group()),
      "reject-group": () => askWhy(group()),
      undo: undoLast,
    },
    rejecting,
    reject(reason, isNoise) {
      setRejecting(null);
      if (rejecting) settle(rejecting, { verdict: "rejected", ...rejection(reason, isNoise) });
    },
    stopRejecting: () => setRejecting(null),
    say,
    decisions,
  };
}

function lastText(shots: readonly Shot[], after: readonly Shot[]): string {
  const latest = new Map(after.map(shot => [shot.id, shot]));
  const waits = shots.some(shot => (latest.get(shot.id) ?? shot).review?.state === "pending");
  return waits ? reviewTexts.nothingLeftForYou : reviewTexts.allDecided;
}
