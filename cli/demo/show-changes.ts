import type { ScreenshotView } from "../../shared/contracts/http.ts";

type Shown = Pick<ScreenshotView, "route" | "viewport" | "status" | "diffRatio" | "regions" | "error">;

/** The screenshots that are not unchanged, as lines of a table with its head first; none when all are unchanged. */
export function changesTable(screenshots: Shown[]): string[] {
  const rows = screenshots
    .filter(({ status }) => status !== "unchanged")
    .map(({ route, viewport, status, diffRatio, regions, error }) => [
      route,
      String(viewport),
      error ? `${status}: ${error}` : status,
      percent(diffRatio),
      regions.length === 0 ? "" : String(regions.length),
    ]);
  if (rows.length === 0) return [];
  const table = [["route", "width", "status", "percent", "regions"], ...rows];
  const widths = [0, 1, 2, 3, 4].map(column => Math.max(...table.map(row => row[column]?.length ?? 0)));
  return table.map(row =>
    row
      .map((cell, column) => pad(cell, widths[column] ?? 0, NUMBERS.has(column)))
      .join("   ")
      .trimEnd(),
  );
}

/** Columns whose digits stand under one another. */
const NUMBERS = new Set([1, 3, 4]);

const pad = (cell: string, width: number, isNumber: boolean) =>
  isNumber ? cell.padStart(width) : cell.padEnd(width);

/** A ratio in per cent. A change too small for two decimals must not read as none. */
export function percent(ratio: number | null): string {
  if (ratio === null) return "";
  const value = ratio * 100;
  return value > 0 && value < 0.01 ? "< 0.01 %" : `${value.toFixed(2)} %`;
}

/** In the order of what a reader wants to know first. */
const STATUSES = ["changed", "new", "removed", "failed", "pending", "unchanged"] as const;

export interface Verdict {
  ok: boolean;
  line: string;
}

/**
 * Whether the second run found every edit, and nothing where there was none.
 *
 * @param expected how many edits each screenshot must show, by `route viewport`; each is a region of its own
 */
export function judge(screenshots: Shown[], expected: Map<string, number>): Verdict {
  const tally = STATUSES.map(
    status => [screenshots.filter(shot => shot.status === status).length, status] as const,
  )
    .filter(([count]) => count > 0)
    .map(([count, status]) => `${count} ${status}`)
    .join(", ");
  const found = new Map(
    screenshots
      .filter(({ status }) => status !== "unchanged")
      .map(({ route, viewport, regions }) => [`${route} ${viewport}`, regions.length]),
  );
  const missed = [...expected].filter(([name, edits]) => (found.get(name) ?? 0) < edits);
  const surplus = [...found.keys()].filter(name => !expected.has(name));
  if (missed.length + surplus.length === 0) {
    return { ok: true, line: `${tally}: just what the new version touches` };
  }
  const faults = [
    ...missed.map(([name, edits]) => `${name} shows ${found.get(name) ?? 0} of at least ${edits} changes`),
    ...surplus.map(name => `${name} was not to change`),
  ];
  return { ok: false, line: `${tally}; ${faults.join("; ")}` };
}
