import type { RefObject } from "react";
import type { RunView } from "../../shared/contracts/http.ts";
import { MODES } from "../../shared/report/page/modes.js";
import type { Stage } from "../../shared/report/page/stage.js";
import type { Shot } from "../api/shot.ts";
import { linkTo } from "../location.tsx";
import { neighbour, nextWidth } from "./queue.ts";
import type { Viewing } from "./use-viewing.ts";

const ZOOM_STEP = 1.25;
const BLEND_STEP = 0.05;
const PAN_STEP_PX = 120;

interface ViewingActs {
  run: RunView;
  shots: readonly Shot[];
  viewing: Viewing;
  stage: RefObject<Stage | null>;
  say: (text: string) => void;
}

/** What keys and buttons do to what is looked at, by name. */
export function viewingActs({ run, shots, viewing, stage, say }: ViewingActs): Record<string, () => void> {
  const { shot, queue, mode, region } = viewing;
  const step = (by: number) => {
    const next = neighbour(queue, shot?.id ?? "", by);
    if (next) viewing.open(next);
    else say(by > 0 ? "That was the last screenshot." : "This is the first screenshot.");
  };
  /** Where ← and → go depends on how the two sides are shown. */
  const towards = (side: "baseline" | "new") => {
    if (mode === "swipe" || mode === "overlay")
      stage.current?.setBlend(stage.current.blend + (side === "new" ? BLEND_STEP : -BLEND_STEP));
    else viewing.setMode(side);
  };
  return {
    ...Object.fromEntries(MODES.map(each => [each, () => viewing.setMode(each)])),
    next: () => step(1),
    previous: () => step(-1),
    "next-region": () => viewing.goToRegion(region + 1),
    "previous-region": () => viewing.goToRegion(region - 1),
    "next-width": () => {
      const next = shot && nextWidth(shots, shot);
      if (next) viewing.open(next);
      else say("This page has one width only.");
    },
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
    copy: () => {
      const link = linkTo({ page: "review", id: run.id, ...(shot && { shot: shot.id }), mode });
      // Not every browser gives a page without https the clipboard.
      navigator.clipboard?.writeText(link).then(
        () => say("Link copied."),
        () => say("Could not reach the clipboard. The address bar has the link."),
      ) ?? say("Could not reach the clipboard. The address bar has the link.");
    },
  };
}
