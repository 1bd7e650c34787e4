import type { Mode } from "../../shared/report/page/modes.js";
import { BLINK_MS, type Marks } from "./use-marks.ts";

interface StageSlidersProps {
  mode: Mode;
  /** How much of the new side is seen in swipe and overlay, 0–1. */
  blend: number;
  setBlend: (blend: number) => void;
  marks: Marks;
  setMarks: (part: Partial<Marks>) => void;
}

/** What can be set of how it is looked at, over the stage so that nothing else moves when it comes. */
export function StageSliders({ mode, blend, setBlend, marks, setMarks }: StageSlidersProps) {
  const blends = mode === "swipe" || mode === "overlay";
  const blinks = mode === "blink";
  if (!blends && !blinks && !marks.mask) return null;
  return (
    <div className="blend sliders">
      {blends && (
        <label>
          {mode === "swipe" ? "New side" : "Opacity"}
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
          Pause
          <input
            type="range"
            min={BLINK_MS.least}
            max={BLINK_MS.most}
            step="50"
            value={marks.blinkMs}
            onChange={event => setMarks({ blinkMs: Number(event.currentTarget.value) })}
          />
          <span>{(marks.blinkMs / 1000).toFixed(2)} s</span>
        </label>
      )}
      {marks.mask && <MaskLook marks={marks} setMarks={setMarks} />}
    </div>
  );
}

function MaskLook({ marks, setMarks }: Pick<StageSlidersProps, "marks" | "setMarks">) {
  return (
    <>
      <label>
        Mask
        <input
          type="color"
          aria-label="Colour of the mask"
          value={marks.color}
          onChange={event => {
            setMarks({ color: event.currentTarget.value });
            // Keys are the review's again.
            event.currentTarget.blur();
          }}
        />
      </label>
      <input
        type="range"
        aria-label="Opacity of the mask"
        min="10"
        max="100"
        value={Math.round(marks.opacity * 100)}
        onChange={event => setMarks({ opacity: Number(event.currentTarget.value) / 100 })}
      />
    </>
  );
}
