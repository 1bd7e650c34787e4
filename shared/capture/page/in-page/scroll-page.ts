import type { PageRecord } from "./track-page.ts";

/**
 * Scrolls the page, and resolves once the browser has painted it there. It is sent to the page as text: it must use
 * nothing from outside its body.
 * @param top px
 */
export async function scrollPage(top: number): Promise<void> {
  const record: PageRecord | undefined = Reflect.get(globalThis, Symbol.for("vrs.page"));
  window.scrollTo({ top, left: 0, behavior: "instant" });
  await record?.frame();
}
