import type { RunView } from "../../../shared/contracts/runs/runs.ts";
import type { Mode } from "../../../shared/report/page/modes.js";
import type { Screenshot } from "../../api/screenshot.ts";
import { absoluteUrl } from "../../navigation.tsx";
import { reviewTexts } from "../../texts/review.ts";
import { runTexts } from "../../texts/runs/run.ts";
import { neighbor, nextWidth } from "../queue/queue.ts";
import { formatSpot, type Spot } from "./spot.rule.ts";
import type { Viewing } from "./use-viewing.ts";

interface ViewingActionsInput {
  run: RunView;
  shots: readonly Screenshot[];
  viewing: Viewing;
  mode: Mode;
  /** Returns the visible spot; null without a stage. */
  spot: () => Spot | null;
  showText: (text: string) => void;
}

/** Returns the actions that select screenshots, by name. */
export function viewingActions({
  run,
  shots,
  viewing,
  mode,
  spot,
  showText,
}: ViewingActionsInput): Record<string, () => void> {
  const { shot, queue } = viewing;
  const step = (by: number) => {
    const next = neighbor(queue, shot?.id ?? "", by);
    if (next) viewing.open(next);
    else showText(by > 0 ? reviewTexts.lastScreenshot : reviewTexts.firstScreenshot);
  };
  return {
    next: () => step(1),
    previous: () => step(-1),
    minor: () => {
      if (!viewing.showMinor()) showText(runTexts.noMinor);
    },
    "next-width": () => {
      const next = shot && nextWidth(viewing.inSelection, shot);
      if (next) viewing.open(next);
      else showText(shot && nextWidth(shots, shot) ? reviewTexts.oneWidthSelected : reviewTexts.oneWidth);
    },
    copy: () => {
      const here = shot ? spot() : null;
      const view = { ...(shot && { shot: shot.id }), mode, ...(here && { at: formatSpot(here) }) };
      const link = absoluteUrl({ page: "review", id: run.id, ...view });
      // Without HTTPS, some browsers have no clipboard.
      navigator.clipboard?.writeText(link).then(
        () => showText(reviewTexts.linkCopied),
        () => showText(reviewTexts.linkNotCopied),
      ) ?? showText(reviewTexts.linkNotCopied);
    },
  };
}
