import type { PageRecord } from "./track-page.ts";

/**
 * Forgets what the page keeps for its tab, and has it hear no more of being resized and left, when it could write
 * something for the next page to find. It is sent to the page as text: it must use nothing from outside its body.
 */
export function leavePage(): void {
  const record: PageRecord | undefined = Reflect.get(globalThis, Symbol.for("vrs.page"));
  record?.leave();
  window.name = "";
  sessionStorage.clear();
}
