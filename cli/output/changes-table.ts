import type { ScreenshotKey } from "../../shared/contracts/capture/screenshot-key.ts";
import { visibleLine } from "../../shared/text/visible-text.ts";
import type { Paint } from "../terminal.ts";
import { RESULT_TEXTS } from "../texts/check.ts";
import { shareOf } from "./format.ts";
import { shortenName, visibleName } from "./shorten-name.ts";
import { padEnd, padStart, widthOf, wrap } from "./text-width.ts";

/** A screenshot in the table. */
export interface TableScreenshot extends ScreenshotKey {
  status: string;
  /** 0–1; null without a comparison. */
  diffRatio: number | null;
  regions: readonly unknown[];
  /** The reason of a failure, or other remarks. */
  note: string | null;
}

interface Layout {
  /** Width of a line, in cells. */
  columns: number;
  paint: Paint;
  /** Maximum of rows. A line says how many more there are. */
  limit?: number;
}

/** A few windows high. The report has all rows. */
const ROWS = 60;
const INDENT = 2;
const GAP = 2;
const NARROWEST_ROUTE = 10;

const STYLES = new Map<string, { mark: string; style: Parameters<Paint>[0] }>([
  ["changed", { mark: "±", style: "yellow" }],
  ["new", { mark: "+", style: "blue" }],
  ["removed", { mark: "−", style: "magenta" }],
  ["failed", { mark: "✗", style: "red" }],
  ["minor", { mark: "≈", style: "yellow" }],
  ["unchanged", { mark: "✓", style: "dim" }],
]);

/** A status with its mark, since color alone isn't accessible. */
const markOf = (status: string) => `${STYLES.get(status)?.mark ?? "·"} ${status}`;

/** Returns a text in the color of a status. */
export const paintAs = (status: string, paint: Paint, text: string) =>
  paint(STYLES.get(status)?.style ?? "dim", text);

/**
 * Returns a table of the screenshots that aren't unchanged, with its head first. Empty if all are unchanged.
 * On narrow lines, drops the last columns, then shortens the routes.
 */
export function changesTable(
  shots: readonly TableScreenshot[],
  { columns, paint, limit = ROWS }: Layout,
): string[] {
  const all = shots.filter(({ status }) => status !== "unchanged");
  if (all.length === 0) return [];
  const shown = all.slice(0, limit);
  const head = RESULT_TEXTS.columns(shown.map(({ route }) => route));
  const cells = [head, ...shown.map(cellsOf)];
  const widths = columnsIn(cells, columns - INDENT);
  const lines = shown.flatMap((shot, index) => {
    const [, ...others] = cells[index + 1] ?? [];
    const line = lineOf([shortenName(shot, widths[ROUTE] ?? 0), ...others], widths, (text, column) =>
      column === STATUS ? paintAs(shot.status, paint, text) : text,
    );
    const note = shot.note === null ? [] : wrap(visibleLine(shot.note), columns - 2 * INDENT);
    return [line, ...note.map(text => " ".repeat(2 * INDENT) + text)];
  });
  const more = all.length - shown.length;
  return [
    paint("dim", lineOf(head, widths)),
    ...lines,
    ...(more > 0 ? [paint("dim", " ".repeat(INDENT) + RESULT_TEXTS.more(more))] : []),
  ];
}

const ROUTE = 0;
const STATUS = 2;
/** Right-aligned columns. */
const NUMBERS = new Set([1, 3, 4]);

function cellsOf({ status, diffRatio, regions, ...page }: TableScreenshot): string[] {
  return [
    visibleName(page),
    String(page.viewport),
    markOf(status),
    shareOf(diffRatio),
    regions.length === 0 ? "" : String(regions.length),
  ];
}

/** Returns the column widths that fit. 0 for a column that is dropped or empty. */
function columnsIn(cells: readonly string[][], room: number): number[] {
  const [head = [], ...rows] = cells;
  const widths = head.map((_, column) =>
    rows.some(row => row[column]) ? Math.max(...cells.map(row => widthOf(row[column] ?? ""))) : 0,
  );
  const total = (some: number[]) => some.reduce((sum, width) => sum + (width && width + GAP), -GAP);
  const [route = 0, ...others] = total(widths) <= room ? widths : [...widths.slice(0, -1), 0];
  return [Math.min(route, Math.max(room - total(others) - GAP, NARROWEST_ROUTE)), ...others];
}

function lineOf(
  cells: string[],
  widths: number[],
  painted: (text: string, column: number) => string = text => text,
): string {
  const line = widths.flatMap((width, column) => {
    if (width === 0) return [];
    const text = cells[column] ?? "";
    return painted(NUMBERS.has(column) ? padStart(text, width) : padEnd(text, width), column);
  });
  return `${" ".repeat(INDENT)}${line.join(" ".repeat(GAP))}`.trimEnd();
}
