import type { Ref } from "react";
import { RUN_SIDES, type Sides } from "../../../shared/report/page/modes.js";
import type { Screenshot } from "../../api/screenshot.ts";
import type { Spot } from "./spot.rule.ts";
import { StageSliders } from "./stage-sliders.tsx";
import { StageView } from "./stage-view.tsx";
import { Tools } from "./tools.tsx";
import type { StageState } from "./use-stage-state.ts";

interface ScreenshotStageProps {
  shot: Screenshot;
  stageState: StageState;
  /** Names of the two sides, if they differ from a run's. */
  sides?: Sides;
  /** Whether there is no other screenshot to go to. */
  isAlone?: boolean;
  frame?: Ref<HTMLDivElement>;
  /** The spot to show first. */
  spot?: Spot | null;
}

/** Shows a screenshot with all its tools. */
export function ScreenshotStage(props: ScreenshotStageProps) {
  const { shot, stageState, sides = RUN_SIDES, isAlone = false, frame, spot = null } = props;
  const { mode, modes, region, marks, setMarks, zoom, setZoom, blend, setBlend, stage, actions } = stageState;
  return (
    <>
      <div className="stage-frame" ref={frame}>
        <StageView
          shot={shot}
          mode={mode}
          sides={sides}
          marks={marks}
          region={region}
          stage={stage}
          spot={spot}
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
      <Tools
        mode={mode}
        sides={sides}
        modes={modes}
        marks={marks}
        hasMask={shot.images.diff !== null}
        region={region}
        regions={shot.regions.length}
        hasOutlines={shot.regions.length + (shot.ignored?.regions.length ?? 0) > 0}
        zoom={zoom}
        isAlone={isAlone}
        act={name => actions[name]?.()}
      />
    </>
  );
}
