import { type RefObject, useEffect, useRef, useState } from "react";
import { labelsOf, type Mode, modesOf, type Sides } from "../../../shared/report/page/modes.js";
import type { Screenshot as SheetScreenshot } from "../../../shared/report/page/sheet.js";
import { Stage } from "../../../shared/report/page/stage.js";
import type { Screenshot } from "../../api/screenshot.ts";
import { commonTexts } from "../../texts/common.ts";
import { stageTexts } from "../../texts/review.ts";
import type { Spot } from "./spot.rule.ts";
import type { Marks } from "./use-marks.ts";

interface StageViewProps {
  shot: Screenshot;
  mode: Mode;
  /** Names of the two sides. */
  sides: Sides;
  marks: Marks;
  /** Index of the selected changed region. */
  region: number;
  /** Lets the page move the view; null until rendered. */
  stage: RefObject<Stage | null>;
  /** The spot to show first. */
  spot: Spot | null;
  onZoom: (zoom: number) => void;
  onBlend: (blend: number) => void;
}

/** Wraps the report's stage in React. */
export function StageView(props: StageViewProps) {
  const { shot, mode, sides, marks, region, stage, spot, onZoom, onBlend } = props;
  const [first] = useState({ id: shot.id, spot });
  const frame = useRef<HTMLDivElement>(null);
  const { current, baseline, diff } = shot.images;
  const { mask, outline, color, opacity, blinkMs } = marks;

  useEffect(() => {
    const element = document.createElement("div");
    element.className = "stage";
    frame.current?.append(element);
    stage.current = new Stage(element, onZoom, onBlend);
    stage.current.isTinted = true;
    return () => {
      stage.current = null;
      element.remove();
    };
  }, [stage, onZoom, onBlend]);

  // Not at every reload of the run: the URLs identify the images, and sizes and regions belong to them.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    const sheet = sheetOf(shot);
    const addresses = new Map(Object.entries({ current, baseline, diff }));
    if (modesOf(sheet).length > 0) stage.current?.load(sheet, kind => addresses.get(kind) ?? null);
    else stage.current?.clear(stageTexts.noImage);
  }, [stage, shot.id, shot.status, current, baseline, diff]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a reloaded screenshot is shown in the same mode
  useEffect(() => {
    const { element } = stage.current ?? {};
    if (!element) return;
    stage.current?.setMode(mode, labelsOf(sheetOf(shot), mode, sides));
    element.dataset.blink = "new";
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (mode !== "blink" || still) return;
    const timer = setInterval(() => {
      element.dataset.blink = element.dataset.blink === "new" ? "baseline" : "new";
    }, blinkMs);
    return () => clearInterval(timer);
  }, [stage, mode, sides, blinkMs, shot.id, shot.status, current, baseline, diff]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the same as above
  useEffect(() => {
    stage.current?.goToRegion(shot.regions[region], region);
    if (first.spot && first.id === shot.id && region === 0) stage.current?.goToSpot(first.spot);
  }, [stage, region, shot.id, shot.status, current, baseline, diff]);

  useEffect(() => {
    const { element } = stage.current ?? {};
    element?.classList.toggle("with-mask", mask);
    element?.classList.toggle("with-outline", outline);
    element?.style.setProperty("--diff", color);
    element?.style.setProperty("--diff-opacity", String(opacity));
  }, [stage, mask, outline, color, opacity]);

  return <div ref={frame} className="stage-place" />;
}

/** Converts a screenshot for the stage. */
export function sheetOf(shot: Screenshot): SheetScreenshot {
  const { baseline, width, height, images } = shot;
  return {
    anchor: shot.id,
    title: commonTexts.pageAt(shot),
    why: baseline?.reason ?? null,
    current: images.current !== null && width !== null && height !== null ? { width, height } : null,
    baseline:
      images.baseline !== null && baseline ? { width: baseline.width, height: baseline.height } : null,
    regions: shot.regions,
    ignored: shot.ignored?.regions ?? [],
  };
}
