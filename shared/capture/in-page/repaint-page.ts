import type { PageRecord } from "./track-page.ts";

/**
 * Has the browser paint the whole page anew. What it painted while fonts and images were still arriving may sit a row
 * beside where it belongs (scrolling boxes at fractions of a pixel do), and stays so however often it is photographed.
 * It is sent to the page as text: it must use nothing from outside its body.
 */
export async function repaintPage(): Promise<void> {
  const record: PageRecord | undefined = Reflect.get(globalThis, Symbol.for("vrs.page"));
  const sleep = (ms: number) => record?.sleep(ms) ?? new Promise(resolve => setTimeout(resolve, ms));
  // A timer after the frame: the frame is painted by then. The other one is the bound for a page that gets no frame.
  const painted = () =>
    Promise.race([new Promise(resolve => requestAnimationFrame(() => resolve(sleep(0)))), sleep(250)]);
  // Opacity alone: hiding the page in another way would take the focus from its element, or its view from observers.
  const clear = new CSSStyleSheet();
  clear.insertRule(":root { opacity: 0 !important; }");
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, clear];
  await painted();
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter(sheet => sheet !== clear);
  await painted();
}
