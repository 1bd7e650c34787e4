import type { RunView } from "../../../shared/contracts/runs/runs.ts";
import type { Mode } from "../../../shared/report/page/modes.js";
import type { Shot } from "../../api/shot.ts";
import { linkTo } from "../../location.tsx";
import { reviewTexts } from "../../texts/review.ts";
import { runTexts } from "../../texts/run.ts";
import { neighbour, nextWidth } from "../queue.ts";
import type { Viewing } from "./use-viewing.ts";

interface ViewingActs {
  run: RunView;
  shots: readonly Shot[];
  viewing: Viewing;
  mode: Mode;
  say: (text: string) => void;
}

/** Returns the actions that select screenshots, by name. */
export function viewingActs({ run, shots, viewing, mode, say }: ViewingActs): Record<string, () => void> {
  const { shot, queue } = viewing;
  const step = (by: number) => {
    const next = neighbour(queue, shot?.id ?? "", by);
    if (next) viewing.open(next);
    else say(by > 0 ? reviewTexts.lastScreenshot : reviewTexts.firstScreenshot);
  };
  return {
    next: () => step(1),
    previous: () => step(-1),
    minor: () => {
      if (!viewing.showMinor()) say(runTexts.noMinor);
    },
    "next-width": () => {
      const next = shot && nextWidth(shots, shot);
      if (next) viewing.open(next);
      else say(reviewTexts.oneWidth);
    },
    copy: () => {
      const link = linkTo({ page: "review", id: run.id, ...(shot && { shot: shot.id }), mode });
      // Without HTTPS, some browsers have no clipboard.
      navigator.clipboard?.writeText(link).then(
        () => say(reviewTexts.linkCopied),
        () => say(reviewTexts.linkNotCopied),
      ) ?? say(reviewTexts.linkNotCopied);
    },
  };
}
