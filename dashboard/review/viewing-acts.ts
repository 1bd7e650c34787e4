import type { RunView } from "../../shared/contracts/http.ts";
import type { Mode } from "../../shared/report/page/modes.js";
import type { Shot } from "../api/shot.ts";
import { linkTo } from "../location.tsx";
import { neighbour, nextWidth } from "./queue.ts";
import type { Viewing } from "./use-viewing.ts";

interface ViewingActs {
  run: RunView;
  shots: readonly Shot[];
  viewing: Viewing;
  mode: Mode;
  say: (text: string) => void;
}

/** What keys and buttons do to which screenshot is looked at, by name. */
export function viewingActs({ run, shots, viewing, mode, say }: ViewingActs): Record<string, () => void> {
  const { shot, queue } = viewing;
  const step = (by: number) => {
    const next = neighbour(queue, shot?.id ?? "", by);
    if (next) viewing.open(next);
    else say(by > 0 ? "That was the last screenshot." : "This is the first screenshot.");
  };
  return {
    next: () => step(1),
    previous: () => step(-1),
    minor: () => {
      if (!viewing.showMinor()) say("This run has no minor changes.");
    },
    "next-width": () => {
      const next = shot && nextWidth(shots, shot);
      if (next) viewing.open(next);
      else say("This page has one width only.");
    },
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
