import type { ScreenshotKey } from "../../shared/contracts/capture/screenshot-key.ts";
import type { Explanation } from "../../shared/contracts/runs/explanation.ts";
import { countCauses, describeRunCause, leadingCauses } from "../../shared/report/describe-explanation.ts";
import { formatDifference } from "../../shared/report/describe-screenshot.ts";
import { plainText } from "../../shared/text/code-spans.ts";
import { visibleLine } from "../../shared/text/visible-text.ts";
import type { Paint } from "../terminal.ts";
import { RESULT_TEXTS } from "../texts/check.ts";
import { paintAs } from "./changes-table.ts";
import { shortenName, visibleName } from "./shorten-name.ts";
import { padEnd, padStart, widthOf, wrap } from "./text-width.ts";

/** A screenshot in the lines. */
export interface MinorScreenshot extends ScreenshotKey {
  diffRatio: number | null;
  diffPixels: number | null;
  faintPixels: number;
  explanation?: Explanation | null;
}

/** Enough for an impression. The report shows all of them. */
const SHOWN = 5;

/** Returns the number of minor changes, the largest of them, and their causes; empty if there are none. */
export function minorLines(
  minor: readonly MinorScreenshot[],
  { columns, paint }: { columns: number; paint: Paint },
): string[] {
  if (minor.length === 0) return [];
  const shown = minor.toSorted((a, b) => (b.diffRatio ?? 0) - (a.diffRatio ?? 0)).slice(0, SHOWN);
  const rows = shown.map(shot => ({
    shot,
    width: String(shot.viewport),
    amount: formatDifference(shot),
  }));
  const widest = (texts: string[]) => Math.max(...texts.map(widthOf));
  const [width, amount] = [widest(rows.map(row => row.width)), widest(rows.map(row => row.amount))];
  const room = Math.max(10, columns - width - amount - "    ".length - 2 * "  ".length);
  const page = Math.min(widest(shown.map(visibleName)), room);
  const more = minor.length - shown.length;
  return [
    `${paintAs("minor", paint, `≈ ${RESULT_TEXTS.minorChanges(minor.length)}`)}, ${RESULT_TEXTS.withinThreshold}`,
    ...rows.map(
      row => `    ${padEnd(shortenName(row.shot, page), page)}  ${padStart(row.width, width)}  ${row.amount}`,
    ),
    ...(more > 0 ? [paint("dim", `    ${RESULT_TEXTS.more(more)}`)] : []),
    ...leadingCauses(countCauses(minor)).flatMap(cause =>
      wrap(visibleLine(plainText(describeRunCause(cause))), columns - 2).map(line => `  ${line}`),
    ),
  ];
}
