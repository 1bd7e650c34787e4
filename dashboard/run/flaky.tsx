import { flakiness } from "../../shared/report/words.ts";
import type { Shot } from "../api/shot.ts";

/** Says how flaky the page is, where that is worth a word. */
export function Flaky({ shot }: { shot: Shot }) {
  const words = flakiness(shot);
  if (words === null) return null;
  return (
    <span
      className="flaky"
      data-standing="unstable"
      title="Share of the page's recent captures that were noise"
    >
      {words}
    </span>
  );
}
