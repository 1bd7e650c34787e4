import type { Mode } from "../../../shared/report/page/modes.js";
import { stageTexts } from "../../texts/review.ts";
import { BLINK_MS, type Marks } from "./use-marks.ts";

interface StageSlidersProps {
  mode: Mode;
  /** Visible share of the new side in swipe and overlay, 0–1. */
  blend: number;
  setBlend: (blend: number) => void;
  marks: Marks;
  setMarks: (part: Partial<Marks>) => void;
}

/** Shows the settings of the mode over the stage, so that nothing moves. */
export function StageSliders({ mode, blend, setBlend, marks, setMarks }: StageSlidersProps) {
  const blends = mode === "swipe" || mode === "overlay";
  const blinks = mode === "blink";
  if (!blends && !blinks && !marks.mask) return null;
  return (
    <div className="blend sliders">
      {blends && (
        <label>
          {mode === "swipe" ? stageTexts.newSide : stageTexts.opacity}
          <input
            type="range"
            min="0"
            max="100"
            value={Math.round(blend * 100)}
            onChange={event => setBlend(Number(event.currentTarget.value) / 100)}
          />
        </label>
      )}
      {blinks && (
        <label>
          {stageTexts.blinkInterval}
          <input
            type="range"
            min={BLINK_MS.least}
            max={BLINK_MS.most}
            step="50"
            value={marks.blinkMs}
            onChange={event => setMarks({ blinkMs: Number(event.currentTarget.value) })}
          />
          <span>{stageTexts.seconds(marks.blinkMs)}</span>
        </label>
      )}
      {marks.mask && <MaskSettings marks={marks} setMarks={setMarks} />}
    </div>
  );
}

function MaskSettings({ marks, setMarks }: Pick<StageSlidersProps, "marks" | "setMarks">) {
  return (
    <>
      <label>
        {stageTexts.mask}
        <input
          type="color"
          aria-label={stageTexts.maskColor}
          value={marks.color}
          onChange={event => {
            setMarks({ color: event.currentTarget.value });
            // Returns the keyboard to the review.
            event.currentTarget.blur();
          }}
        />
      </label>
      <input
        type="range"
        aria-label={stageTexts.maskOpacity}
        min="10"
        max="100"
        value={Math.round(marks.opacity * 100)}
        onChange={event => setMarks({ opacity: Number(event.currentTarget.value) / 100 })}
      />
    </>
  );
}
