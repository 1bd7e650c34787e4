import { visibleLine } from "../../shared/text/visible-text.ts";
import { RESULT_TEXTS } from "../texts/check.ts";
import { shareOf } from "./describe-check.ts";
import type { Paint } from "./paint.ts";
import { padEnd, padStart, shorten, widthOf, wrap } from "./text-width.ts";

/** What the table says of a screenshot. */
export interface TableShot {
  route: string;
  /** px */
  viewport: number;
  status: string;
  /** 0–1; null where there was nothing to compare. */
  diffRatio: number | null;
  regions: readonly unknown[];
  /** Why it failed, or what else is to be said of it. */
  note: string | null;
}

interface Layout {
  /** Cells in a line. */
  columns: number;
  paint: Paint;
  /** Rows at most; a line says how many more there are. */
  limit?: number;
}

/** Fits the height of a few windows; the report has them all. */
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

/** A status with its mark: not by color alone. */
const markOf = (status: string) => `${STYLES.get(status)?.mark ?? "·"} ${status}`;

/** A text in the color of a status. */
export const paintAs = (status: string, paint: Paint, text: string) =>
  paint(STYLES.get(status)?.style ?? "dim", text);

/**
 * The screenshots that are not unchanged, as lines of a table with its head first; none when all are unchanged. Where a
 * line is too short for all columns the last is left out, and then routes are shortened.
 */
export function changesTable(
  shots: readonly TableShot[],
  { columns, paint, limit = ROWS }: Layout,
): string[] {
  const all = shots.filter(({ status }) => status !== "unchanged");
  if (all.length === 0) return [];
  const shown = all.slice(0, limit);
  const cells = [HEAD, ...shown.map(cellsOf)];
  const widths = columnsIn(cells, columns - INDENT);
  const lines = shown.flatMap((shot, index) => {
    const line = lineOf(cells[index + 1] ?? [], widths, (text, column) =>
      column === STATUS ? paintAs(shot.status, paint, text) : text,
    );
    const note = shot.note === null ? [] : wrap(visibleLine(shot.note), columns - 2 * INDENT);
    return [line, ...note.map(text => " ".repeat(2 * INDENT) + text)];
  });
  const more = all.length - shown.length;
  return [
    paint("dim", lineOf(HEAD, widths)),
    ...lines,
    ...(more > 0 ? [paint("dim", " ".repeat(INDENT) + RESULT_TEXTS.more(more))] : []),
  ];
}

const HEAD = RESULT_TEXTS.columns;
const ROUTE = 0;
const STATUS = 2;
/** Columns whose digits stand under one another. */
const NUMBERS = new Set([1, 3, 4]);

function cellsOf({ route, viewport, status, diffRatio, regions }: TableShot): string[] {
  return [
    visibleLine(route),
    String(viewport),
    markOf(status),
    shareOf(diffRatio),
    regions.length === 0 ? "" : String(regions.length),
  ];
}

/** Widths of the columns that there is room for; 0 for one that is left out, as is one that says nothing. */
function columnsIn(cells: readonly string[][], room: number): number[] {
  const [, ...rows] = cells;
  const widths = HEAD.map((_, column) =>
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
    const text = column === ROUTE ? shorten(cells[column] ?? "", width) : (cells[column] ?? "");
    return painted(NUMBERS.has(column) ? padStart(text, width) : padEnd(text, width), column);
  });
  return `${" ".repeat(INDENT)}${line.join(" ".repeat(GAP))}`.trimEnd();
}
