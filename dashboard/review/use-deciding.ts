import { useState } from "react";
import type { Shot } from "../api/shot.ts";
import { useSay } from "../ui/say.tsx";
import { isDecidable, isOpen, outcomeInWords } from "./decision.ts";
import { groupOf, nextOpen } from "./queue.ts";
import { type Decisions, useDecisions } from "./use-decisions.ts";
import type { Viewing } from "./use-viewing.ts";

export interface Deciding {
  /** Approves what of these can be. */
  approve: (some: readonly Shot[]) => void;
  acts: Record<string, () => void>;
  /** What the reason is being asked for; null while it is not. */
  rejecting: readonly Shot[] | null;
  reject: (reason: string) => void;
  stopRejecting: () => void;
  say: (text: string) => void;
  decisions: Decisions;
}

/** What keys and buttons decide, and what is shown after that. */
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

  const takeBack = () => {
    const ids = undo();
    const first = shots.find(({ id }) => id === ids[0]);
    if (first) viewing.open(first);
    say(first ? "Taken back." : "There is nothing to take back.");
  };
  const settle = (some: readonly Shot[], verdict: "approved" | "rejected", reason: string | null) => {
    const ids = some.map(({ id }) => id);
    const after = decide({ ids, verdict, reason });
    const next = shot && nextOpen(queue, shot.id, new Set(ids));
    if (next) viewing.open(next);
    const isLast = !shots.some(each => isOpen(each) && !ids.includes(each.id));
    sayIt({
      text: `${outcomeInWords(after, verdict)}${isLast ? lastInWords(shots, after) : ""}`,
      act: { label: "Undo", run: takeBack },
    });
  };
  /** Of these, what the verdict means something for; says so when it is nothing. */
  const meant = (some: readonly Shot[], verdict: "approved" | "rejected"): readonly Shot[] | null => {
    const possible = some.filter(each => isDecidable(each, verdict));
    if (!mayDecide) say("Only reviewers decide, and only on a run that is completed.");
    else if (possible.length === 0)
      say(verdict === "approved" ? "There is nothing here to approve." : "There is nothing here to reject.");
    else return possible;
    return null;
  };
  const approve = (some: readonly Shot[]) => {
    const possible = meant(some, "approved");
    if (possible) settle(possible, "approved", null);
  };
  const one = shot ? [shot] : [];
  const group = () => groupOf(sections, shot?.id ?? "");
  return {
    approve,
    acts: {
      approve: () => approve(one),
      reject: () => setRejecting(meant(one, "rejected")),
      "approve-group": () => approve(group()),
      "reject-group": () => setRejecting(meant(group(), "rejected")),
      undo: takeBack,
    },
    rejecting,
    reject(reason) {
      setRejecting(null);
      if (rejecting) settle(rejecting, "rejected", reason);
    },
    stopRejecting: () => setRejecting(null),
    say,
    decisions,
  };
}

function lastInWords(shots: readonly Shot[], after: readonly Shot[]): string {
  const latest = new Map(after.map(shot => [shot.id, shot]));
  const waits = shots.some(shot => (latest.get(shot.id) ?? shot).review?.state === "pending");
  return waits ? " Nothing is left for you." : " Everything is decided.";
}
