import type { ReactNode } from "react";
import { MODES, type Mode } from "../../shared/report/page/modes.js";
import { Icon } from "../ui/icon.tsx";
import type { Marks } from "./use-marks.ts";

const LABELS: Record<Mode, string> = {
  side: "Side",
  swipe: "Swipe",
  overlay: "Overlay",
  baseline: "Baseline",
  new: "New",
  blink: "Blink",
};

interface ToolsProps {
  mode: Mode;
  /** Those that the screenshot has images for. */
  modes: readonly Mode[];
  marks: Marks;
  region: number;
  regions: number;
  zoom: number;
  act: (name: string) => void;
}

/** How the screenshot is looked at; each has a key as well. */
export function Tools({ mode, modes, marks, region, regions, zoom, act }: ToolsProps) {
  return (
    <div className="tools" role="toolbar" aria-label="View">
      <fieldset className="buttons">
        <legend className="hidden">Mode</legend>
        {MODES.map((name, index) => (
          <Tool
            key={name}
            shortcut={String(index + 1)}
            isOn={mode === name}
            isOff={!modes.includes(name)}
            onPress={() => act(name)}
          >
            {LABELS[name]}
          </Tool>
        ))}
      </fieldset>
      {regions > 0 && (
        <fieldset className="buttons">
          <legend className="hidden">Changed regions</legend>
          <button
            type="button"
            aria-label="Previous region"
            aria-keyshortcuts="K"
            onClick={() => act("previous-region")}
          >
            <Icon name="left" />
          </button>
          <output>
            region {region + 1}/{regions}
          </output>
          <button
            type="button"
            aria-label="Next region"
            aria-keyshortcuts="J"
            onClick={() => act("next-region")}
          >
            <Icon name="right" />
          </button>
        </fieldset>
      )}
      <fieldset className="buttons">
        <legend className="hidden">Marks</legend>
        <Tool shortcut="D" isOn={marks.mask} onPress={() => act("mask")}>
          Mask
        </Tool>
        <Tool shortcut="H" isOn={marks.outline} onPress={() => act("outline")}>
          Outline
        </Tool>
      </fieldset>
      <fieldset className="buttons">
        <legend className="hidden">Zoom</legend>
        <button type="button" aria-label="Zoom out" aria-keyshortcuts="-" onClick={() => act("zoom-out")}>
          −
        </button>
        <output className="zoom">{Math.round(zoom * 100)} %</output>
        <button type="button" aria-label="Zoom in" aria-keyshortcuts="+" onClick={() => act("zoom-in")}>
          +
        </button>
        <button type="button" aria-keyshortcuts="Space" onClick={() => act("fit")}>
          Fit
        </button>
        <button type="button" aria-keyshortcuts="0" onClick={() => act("actual")}>
          100 %
        </button>
      </fieldset>
    </div>
  );
}

interface ToolProps {
  shortcut: string;
  isOn: boolean;
  isOff?: boolean;
  onPress: () => void;
  children: ReactNode;
}

function Tool({ shortcut, isOn, isOff = false, onPress, children }: ToolProps) {
  return (
    <button type="button" aria-pressed={isOn} aria-keyshortcuts={shortcut} disabled={isOff} onClick={onPress}>
      <kbd>{shortcut}</kbd>
      {children}
    </button>
  );
}
