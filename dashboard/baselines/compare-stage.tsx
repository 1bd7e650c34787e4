import { useMemo } from "react";
import type { BaselineEntry } from "../../shared/contracts/runs/baselines.ts";
import type { Sides } from "../../shared/report/page/modes.js";
import { historyTexts } from "../texts/baselines.ts";
import "../review/review.css";
import { ScreenshotStage } from "../review/stage/screenshot-stage.tsx";
import { useStageState } from "../review/stage/use-stage-state.ts";
import { useKeys } from "../review/use-keys.ts";
import { comparisonOf } from "./comparison.ts";

/** Both sides were approved, so none is new. */
const SIDES: Sides = historyTexts.sides;

interface CompareStageProps {
  entries: readonly BaselineEntry[];
  entry: BaselineEntry;
  /** Moves by a number of entries. */
  onStep: (by: number) => void;
}

/** Compares an approval with the one before it, with the tools of a review. */
export function CompareStage({ entries, entry, onStep }: CompareStageProps) {
  const shot = useMemo(() => comparisonOf(entries, entry), [entries, entry]);
  const stageState = useStageState(shot, "side");
  useKeys({ ...stageState.actions, next: () => onStep(1), previous: () => onStep(-1) });
  return (
    <>
      <ScreenshotStage shot={shot} stageState={stageState} sides={SIDES} isAlone={entries.length === 1} />
      <p className="quiet history-why">
        {shot.baseline ? historyTexts.comparedWith(shot.baseline.reason) : historyTexts.firstApproval}
      </p>
    </>
  );
}
