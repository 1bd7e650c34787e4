import { useMemo } from "react";
import type { BaselineEntry } from "../../shared/contracts/baselines.ts";
import type { Sides } from "../../shared/report/page/modes.js";
import "../review/review.css";
import { ShotStage } from "../review/shot-stage.tsx";
import { useKeys } from "../review/use-keys.ts";
import { useLooking } from "../review/use-looking.ts";
import { comparisonOf } from "./comparison.ts";

/** Nothing here is new: each was approved at its time. */
const SIDES: Sides = {
  baseline: "Before",
  noBaseline: "Nothing before",
  current: "Approved",
  noCurrent: "Removed",
};

interface CompareStageProps {
  entries: readonly BaselineEntry[];
  entry: BaselineEntry;
  /** Goes so many entries on. */
  onStep: (by: number) => void;
}

/** One approval beside the one before it, looked at as in the review. */
export function CompareStage({ entries, entry, onStep }: CompareStageProps) {
  const shot = useMemo(() => comparisonOf(entries, entry), [entries, entry]);
  const looking = useLooking(shot, "side");
  useKeys({ ...looking.acts, next: () => onStep(1), previous: () => onStep(-1) });
  return (
    <>
      <ShotStage shot={shot} looking={looking} sides={SIDES} />
      <p className="quiet history-why">
        {shot.baseline
          ? `Beside ${shot.baseline.reason}.`
          : "The first approval here: there is nothing before it."}
      </p>
    </>
  );
}
