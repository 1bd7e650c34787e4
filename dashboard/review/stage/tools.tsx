import type { ReactNode } from "react";
import { MODES, type Mode, type Sides } from "../../../shared/report/page/modes.js";
import { stageTexts } from "../../texts/review.ts";
import { Icon } from "../../ui/icon.tsx";
import type { Marks } from "./use-marks.ts";

const PLUS = "+";
const MINUS = "−";

interface ToolsProps {
  mode: Mode;
  /** Names of the two sides. */
  sides: Sides;
  /** Modes that the screenshot has images for. */
  modes: readonly Mode[];
  marks: Marks;
  /** Whether there is a mask. */
  hasMask: boolean;
  region: number;
  regions: number;
  /** Whether there are regions to outline. */
  hasOutlines: boolean;
  zoom: number;
  /** Whether there is no other screenshot, so that nothing can move: then only usable tools are shown. */
  isAlone?: boolean;
  act: (name: string) => void;
}

/**
 * Shows the view tools, each of which has a key. Unavailable ones are disabled and stay in place, so that
 * nothing moves between screenshots.
 */
export function Tools({
  mode,
  sides,
  modes,
  marks,
  hasMask,
  region,
  regions,
  hasOutlines,
  zoom,
  isAlone = false,
  act,
}: ToolsProps) {
  const hasNothing = modes.length === 0;
  return (
    <div className="tools" role="toolbar" aria-label={stageTexts.toolbar}>
      <fieldset className="buttons" hidden={isAlone && modes.length < 2}>
        <legend className="hidden">{stageTexts.mode}</legend>
        {MODES.map((name, index) => (
          <Tool
            key={name}
            shortcut={String(index + 1)}
            isOn={mode === name && modes.includes(name)}
            isOff={!modes.includes(name)}
            onPress={() => act(name)}
          >
            {stageTexts.modeName(name, sides)}
          </Tool>
        ))}
      </fieldset>
      <fieldset className="buttons" disabled={regions === 0} hidden={isAlone && regions === 0}>
        <legend className="hidden">{stageTexts.regions}</legend>
        <button
          type="button"
          aria-label={stageTexts.previousRegion}
          aria-keyshortcuts="K"
          onClick={() => act("previous-region")}
        >
          <Icon name="left" />
        </button>
        <output className="region">
          <span className="roomy">{stageTexts.region} </span>
          {stageTexts.regionOf(regions === 0 ? 0 : region + 1, regions)}
        </output>
        <button
          type="button"
          aria-label={stageTexts.nextRegion}
          aria-keyshortcuts="J"
          onClick={() => act("next-region")}
        >
          <Icon name="right" />
        </button>
      </fieldset>
      <fieldset className="buttons" hidden={isAlone && !hasMask && !hasOutlines}>
        <legend className="hidden">{stageTexts.highlights}</legend>
        <Tool shortcut="D" isOn={marks.mask && hasMask} isOff={!hasMask} onPress={() => act("mask")}>
          {stageTexts.mask}
        </Tool>
        <Tool
          shortcut="H"
          isOn={marks.outline && hasOutlines}
          isOff={!hasOutlines}
          onPress={() => act("outline")}
        >
          {stageTexts.outline}
        </Tool>
      </fieldset>
      <fieldset className="buttons" disabled={hasNothing}>
        <legend className="hidden">{stageTexts.zoom}</legend>
        <button
          type="button"
          aria-label={stageTexts.zoomOut}
          aria-keyshortcuts="-"
          onClick={() => act("zoom-out")}
        >
          {MINUS}
        </button>
        <output className="zoom">{hasNothing ? stageTexts.noZoom : stageTexts.zoomIs(zoom)}</output>
        <button
          type="button"
          aria-label={stageTexts.zoomIn}
          aria-keyshortcuts="+"
          onClick={() => act("zoom-in")}
        >
          {PLUS}
        </button>
        <button type="button" aria-keyshortcuts="Space" onClick={() => act("fit")}>
          {stageTexts.fit}
        </button>
        <button
          type="button"
          aria-label={stageTexts.actualSizeLabel}
          title={stageTexts.actualSizeTitle}
          aria-keyshortcuts="0"
          onClick={() => act("actual")}
        >
          {stageTexts.actualSize}
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
