import { useMemo, useRef, useState } from "react";
import type { BaselineEntry } from "../../shared/contracts/baselines.ts";
import { MODES, type Mode, modesOf, type Sides } from "../../shared/report/page/modes.js";
import type { Stage } from "../../shared/report/page/stage.js";
import "../review/review.css";
import { StageSliders } from "../review/stage-sliders.tsx";
import { StageView, sheetOf } from "../review/stage-view.tsx";
import { Tools } from "../review/tools.tsx";
import { useKeys } from "../review/use-keys.ts";
import { useMarks } from "../review/use-marks.ts";
import { comparisonOf } from "./comparison.ts";

/** Nothing here is new: each was approved at its time. */
const SIDES: Sides = {
  baseline: "Before",
  noBaseline: "Nothing before",
  current: "Approved",
  noCurrent: "Removed",
};

const ZOOM_STEP = 1.25;

interface CompareStageProps {
  entries: readonly BaselineEntry[];
  entry: BaselineEntry;
  /** Goes so many entries on. */
  onStep: (by: number) => void;
}

/** One approval beside the one before it, looked at as in the review. */
export function CompareStage({ entries, entry, onStep }: CompareStageProps) {
  const shot = useMemo(() => comparisonOf(entries, entry), [entries, entry]);
  const [wanted, setWanted] = useState<Mode>("side");
  const [marks, setMarks] = useMarks();
  const [region, setRegion] = useState({ of: "", index: 0 });
  const [zoom, setZoom] = useState(1);
  const [blend, setBlend] = useState(0.5);
  const stage = useRef<Stage | null>(null);
  const modes = modesOf(sheetOf(shot));
  const mode = modes.includes(wanted) ? wanted : (modes[0] ?? "new");
  const regions = shot.regions.length;
  const at = region.of === shot.id ? region.index : 0;
  const goToRegion = (index: number) =>
    regions > 0 && setRegion({ of: shot.id, index: (index + regions) % regions });
  const acts: Record<string, () => void> = {
    ...Object.fromEntries(MODES.map(each => [each, () => modes.includes(each) && setWanted(each)])),
    mask: () => setMarks({ mask: !marks.mask }),
    outline: () => setMarks({ outline: !marks.outline }),
    "next-region": () => void goToRegion(at + 1),
    "previous-region": () => void goToRegion(at - 1),
    fit: () => stage.current?.fit(),
    actual: () => stage.current?.actual(),
    "zoom-in": () => stage.current?.zoomBy(ZOOM_STEP),
    "zoom-out": () => stage.current?.zoomBy(1 / ZOOM_STEP),
    next: () => onStep(1),
    previous: () => onStep(-1),
  };
  useKeys(acts);
  return (
    <>
      <div className="stage-frame">
        <StageView
          shot={shot}
          mode={mode}
          sides={SIDES}
          marks={marks}
          region={at}
          stage={stage}
          onZoom={setZoom}
          onBlend={setBlend}
        />
        <StageSliders
          mode={mode}
          blend={blend}
          setBlend={value => stage.current?.setBlend(value)}
          marks={marks}
          setMarks={setMarks}
        />
      </div>
      {modes.length > 0 && (
        <Tools
          mode={mode}
          sides={SIDES}
          modes={modes}
          marks={marks}
          hasMask={shot.images.diff !== null}
          region={at}
          regions={regions}
          zoom={zoom}
          act={name => acts[name]?.()}
        />
      )}
      <p className="quiet history-why">
        {shot.baseline
          ? `Beside ${shot.baseline.reason}.`
          : "The first approval here: there is nothing before it."}
      </p>
    </>
  );
}
