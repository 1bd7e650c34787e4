import type { PageRecord } from "./track-page.ts";

/**
 * Clears the page's session storage. It also stops the events for resizing and leaving, in which the page could store
 * something for the next page. It is sent to the page as text: it must use nothing from outside its body.
 */
export function leavePage(): void {
  const record: PageRecord | undefined = Reflect.get(globalThis, Symbol.for("vrs.page"));
  record?.leave();
  window.name = "";
  sessionStorage.clear();
}
