import type { PageRecord } from "./track-page.ts";

/**
 * Repaints scrollable boxes. Chromium draws the last row and the rounded corners of such a box with the background from
 * when its layer was created. That background depends by chance on how far the page had loaded. It is sent to the page
 * as text: it must use nothing from outside its body.
 */
export async function repaintScrollers(): Promise<void> {
  const record: PageRecord | undefined = Reflect.get(globalThis, Symbol.for("vrs.page"));
  const openRoots = [...document.querySelectorAll("*")].flatMap(element => element.shadowRoot ?? []);
  const ownRoots = [...openRoots, ...(record?.roots ?? [])].filter(root => root.ownerDocument === document);
  const isScroller = (element: Element) =>
    (element.scrollHeight > element.clientHeight || element.scrollWidth > element.clientWidth) &&
    element !== document.documentElement &&
    /auto|scroll/.test(getComputedStyle(element).overflow);
  const roots = [document, ...new Set(ownRoots)].filter(root =>
    [...root.querySelectorAll("*")].some(isScroller),
  );
  if (roots.length === 0) return;

  const sheet = new CSSStyleSheet();
  // A transition would show the change in progress and send events to the page's scripts.
  sheet.replaceSync("* { background-color: #010203 !important; transition: none !important; }");
  for (const root of roots) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  // The first frame starts before the change is painted, the second one after.
  await record?.frame();
  await record?.frame();
  sheet.replaceSync("* { transition: none !important; }");
  // Computes styles without the color while transitions are off.
  void document.documentElement.offsetHeight;
  for (const root of roots)
    root.adoptedStyleSheets = root.adoptedStyleSheets.filter(adopted => adopted !== sheet);
}
