import { invalidField, type ServiceError } from "./errors.ts";

const ID = /^[a-z]+_[0-9a-z]{26}$/;

/**
 * Returns the id after which a page starts.
 * @param list name of the list, which its cursors contain, with the id of its parent if there is one
 * @param form pattern of the list's ids
 * @throws ServiceError for a cursor of another list
 */
export function decodeCursor(list: string, cursor: string | undefined, form = ID): string | undefined {
  if (cursor === undefined) return undefined;
  const text = Buffer.from(cursor, "base64url").toString("utf8");
  const start = `${list} `;
  const id = text.slice(start.length);
  if (!text.startsWith(start) || !form.test(id)) throw invalidCursor();
  return id;
}

export function invalidCursor(): ServiceError {
  return invalidField(
    "cursor",
    "is not a cursor of this list. Send nextCursor of the previous page unchanged",
  );
}

/**
 * Returns a page of rows. The rows include one more than `limit` if there is a next page.
 * @param list name of the list, as in `decodeCursor`
 */
export function pageOf<Row extends { id: string }, View>(
  list: string,
  rows: Row[],
  limit: number,
  view: (row: Row) => View,
): { data: View[]; nextCursor: string | null } {
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    data: page.map(view),
    nextCursor: last ? Buffer.from(`${list} ${last.id}`).toString("base64url") : null,
  };
}
