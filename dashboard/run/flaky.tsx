import { flakiness } from "../../shared/report/describe-screenshot.ts";
import type { Shot } from "../api/shot.ts";
import { runTexts } from "../texts/run.ts";

/** Shows the flake score of a page if it is high. */
export function Flaky({ shot }: { shot: Shot }) {
  const words = flakiness(shot);
  if (words === null) return null;
  return (
    <span className="flaky" data-standing="unstable" title={runTexts.flakyTitle}>
      {words}
    </span>
  );
}
