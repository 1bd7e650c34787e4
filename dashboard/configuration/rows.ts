import type { Row } from "./draft.ts";

/** Replaces a row of a list. */
export function replaceRow<R extends Row>(rows: readonly R[], row: R): R[] {
  return rows.map(each => (each.key === row.key ? row : each));
}

/** Removes a row of a list. */
export function removeRow<R extends Row>(rows: readonly R[], { key }: Row): R[] {
  return rows.filter(each => each.key !== key);
}

/** Moves a row by one place. @param by -1 for up, 1 for down */
export function moveRow<R extends Row>(rows: readonly R[], row: R, by: -1 | 1): R[] {
  const from = rows.indexOf(row);
  const moved = rows.toSpliced(from, 1);
  return moved.toSpliced(from + by, 0, row);
}
