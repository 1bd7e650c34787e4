import { visibleJson } from "../../shared/text/visible-text.ts";

/**
 * Returns a value as JSON that is safe to print: without characters that control the terminal or reverse
 * text.
 */
export function toJson(value: unknown, space = 2): string {
  return visibleJson(JSON.stringify(value, null, space));
}
