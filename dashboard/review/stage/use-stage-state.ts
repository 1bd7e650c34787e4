import { type RefObject, useRef, useState } from "react";
import { MODES, type Mode, modesOf } from "../../../shared/report/page/modes.js";
import type { Stage } from "../../../shared/report/page/stage.js";
import type { Screenshot } from "../../api/screenshot.ts";
import { sheetOf } from "./stage-view.tsx";
import { type Marks, useMarks } from "./use-marks.ts";

const ZOOM_STEP = 1.25;
const BLEND_STEP = 0.05;
const PAN_STEP_PX = 120;

/** The view of a screenshot. */
export interface StageState {
  mode: Mode;
  /** Modes that the screenshot has images for. */
  modes: readonly Mode[];
  /** Selected mode, which this screenshot may not support. */
  wanted: Mode;
  /** Index of the selected changed region. */
  region: number;
  marks: Marks;
  setMarks: (part: Partial<Marks>) => void;
  zoom: number;
  setZoom: (zoom: number) => void;
  /** Visible share of the new side in swipe and overlay, 0–1. */
  blend: number;
  setBlend: (blend: number) => void;
  stage: RefObject<Stage | null>;
  /** Actions of keys and buttons by name. */
  actions: Record<string, () => void>;
}

/**
 * Returns the view of a screenshot, kept between screenshots. @param shot null if there is none @param first
 * the initial mode
 */
export function useStageState(shot: Screenshot | null, first: Mode): StageState {
  const [wanted, setWanted] = useState(first);
  const [gone, setGone] = useState({ to: 0, of: "" });
  const [marks, setMarks] = useMarks();
  const [zoom, setZoom] = useState(1);
  const [blend, setBlend] = useState(0.5);
  const stage = useRef<Stage | null>(null);
  const modes = shot ? modesOf(sheetOf(shot)) : [];
  const mode = modes.includes(wanted) ? wanted : (modes[0] ?? "new");
  const regions = shot?.regions.length ?? 0;
  const region = gone.of === shot?.id ? gone.to : 0;

  /** Wraps around. */
  const goToRegion = (index: number) => {
    if (shot && regions > 0) setGone({ to: (index + regions) % regions, of: shot.id });
  };
  /** ← and → depend on how the two sides are shown. */
  const towards = (side: "baseline" | "new") => {
    if (mode === "swipe" || mode === "overlay")
      stage.current?.setBlend(stage.current.blend + (side === "new" ? BLEND_STEP : -BLEND_STEP));
    else setWanted(side);
  };
  const actions = {
    ...Object.fromEntries(MODES.map(each => [each, () => setWanted(each)])),
    mask: () => setMarks({ mask: !marks.mask }),
    outline: () => setMarks({ outline: !marks.outline }),
    "next-region": () => goToRegion(region + 1),
    "previous-region": () => goToRegion(region - 1),
    fit: () => stage.current?.fit(),
    actual: () => stage.current?.actual(),
    "zoom-in": () => stage.current?.zoomBy(ZOOM_STEP),
    "zoom-out": () => stage.current?.zoomBy(1 / ZOOM_STEP),
    left: () => towards("baseline"),
    right: () => towards("new"),
    "pan-left": () => stage.current?.panBy(PAN_STEP_PX, 0),
    "pan-right": () => stage.current?.panBy(-PAN_STEP_PX, 0),
    "pan-up": () => stage.current?.panBy(0, PAN_STEP_PX),
    "pan-down": () => stage.current?.panBy(0, -PAN_STEP_PX),
  };
  return { mode, modes, wanted, region, marks, setMarks, zoom, setZoom, blend, setBlend, stage, actions };
}
