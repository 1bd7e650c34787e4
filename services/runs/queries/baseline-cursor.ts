import { z } from "zod";
import { strangeCursor } from "../../../shared/pagination.ts";
import { parseJson } from "../../../shared/parse-json.ts";

const place = z.tuple([z.string(), z.int()]);

/** Where a part of a list by route and width begins: after that place. @throws ServiceError for a cursor that no list handed out */
export function placeIn(cursor: string | undefined): { route: string; viewport: number } | null {
  if (cursor === undefined) return null;
  const { success, data } = place.safeParse(parseJson(Buffer.from(cursor, "base64url").toString("utf8")));
  // What no route has, and no text of PostgreSQL holds.
  if (!success || data[0].includes("\0") || !data[0].isWellFormed()) throw strangeCursor();
  return { route: data[0], viewport: data[1] };
}

/** The cursor of the part that follows this place. */
export function cursorOf({ route, viewport }: { route: string; viewport: number }): string {
  return Buffer.from(JSON.stringify([route, viewport])).toString("base64url");
}
