import type { ScreenshotKey } from "../../shared/contracts/capture/screenshot-key.ts";

/**
 * The columns that identify a page within its project. A page without a state or an environment stores '' there, because
 * unique indexes would treat two nulls as different.
 */
const COLUMNS = ["route", "state", "environment", "viewport"] as const;

/** The columns of a page in the definition of a recordset. */
export const PAGE_RECORD = "route text, state text, environment text, viewport int";

/** Returns SQL of a page's columns, as they are stored. */
export function pageColumns(row?: string): string {
  return COLUMNS.map(column => columnOf(row, column)).join(", ");
}

/** Returns SQL that selects the fields of a `ScreenshotKey`. */
export function pageFields(row?: string): string {
  const [route, state, environment, viewport] = COLUMNS.map(column => columnOf(row, column));
  return [route, `nullif(${state}, '') as state`, `nullif(${environment}, '') as environment`, viewport].join(
    ", ",
  );
}

/** Returns SQL that tells whether two rows are of the same page. */
export function isSamePage(one: string, other: string): string {
  return COLUMNS.map(column => `${one}.${column} = ${other}.${column}`).join(" and ");
}

/**
 * Returns SQL that tells whether a row that a region's renderers captured is of the same page as another row. Environments
 * of regions end with `@` and the region.
 */
export function isSamePageFrom(regional: string, other: string): string {
  const environment = `split_part(${regional}.environment, '@', 1)`;
  return COLUMNS.map(column =>
    column === "environment"
      ? `${environment} = ${other}.${column}`
      : `${regional}.${column} = ${other}.${column}`,
  ).join(" and ");
}

/** Returns a page's columns as they are stored, for a recordset or to sort by them. */
export function pageRowOf({ route, state, environment, viewport }: ScreenshotKey): StoredPage {
  return { route, state: state ?? "", environment: environment ?? "", viewport };
}

/** Returns SQL that tells whether a row is of one page. Its parameters are `pageValues`. */
export function isPage(row: string): string {
  return COLUMNS.map(column => `${row}.${column} = ?`).join(" and ");
}

/** Returns the parameters of `isPage`, or of `pageColumns` in an insert. */
export function pageValues(page: ScreenshotKey): (string | number)[] {
  return Object.values(pageRowOf(page));
}

type StoredPage = Record<"route" | "state" | "environment", string> & { viewport: number };

function columnOf(row: string | undefined, column: string): string {
  return row === undefined ? column : `${row}.${column}`;
}
