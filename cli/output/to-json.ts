import { visibleJson } from "../../shared/text/visible-text.ts";

/** Returns a value as the JSON that the tool prints: nothing in it moves a cursor or reverses text on a terminal. */
export function toJson(value: unknown, space = 2): string {
  return visibleJson(JSON.stringify(value, null, space));
}
