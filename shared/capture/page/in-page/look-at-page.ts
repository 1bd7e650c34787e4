import type { PageRecord } from "./track-page.ts";

/** How a page stands. */
export interface PageLook {
  /** Whether an element that matches the selector is visible; true without a selector. */
  isShown: boolean;
  /** The selector, if it is none. */
  invalidSelector: string | null;
  /** Whether something on the page waits to be scrolled to. */
  awaitsScroll: boolean;
  /** Whether the page itself says that a visible part of it is still being loaded. */
  isBusy: boolean;
  /** Lazy images and frames that load from now on, wherever they are. */
  lazyLoads: number;
  /** Height of all that can be scrolled to, and of the window, px. */
  pageHeight: number;
  windowHeight: number;
}

/**
 * Looks at the page, and has it load lazy images and frames.
 * It is sent to the page as text: it must use nothing from outside its body.
 */
export function lookAtPage(waitForSelector: string | null): PageLook {
  const record: PageRecord | undefined = Reflect.get(globalThis, Symbol.for("vrs.page"));
  const roots: ParentNode[] = [document, ...(record?.roots ?? [])];
  const deepAll = (selector: string): Element[] =>
    roots.flatMap(root => [...root.querySelectorAll(selector)]);
  const isVisible = (element: Element): boolean =>
    element.getClientRects().length > 0 && element.checkVisibility({ visibilityProperty: true });

  let isShown = waitForSelector === null;
  let invalidSelector: string | null = null;
  try {
    if (waitForSelector !== null) isShown = deepAll(waitForSelector).some(isVisible);
  } catch {
    invalidSelector = waitForSelector;
  }
  const lazy = deepAll("img[loading=lazy],iframe[loading=lazy]");
  for (const element of lazy) element.setAttribute("loading", "eager");
  const scroller = document.scrollingElement ?? document.documentElement;
  return {
    isShown,
    invalidSelector,
    awaitsScroll: Boolean(record?.awaitsScroll || window.onscroll || document.onscroll),
    isBusy: deepAll("[aria-busy=true]").some(isVisible),
    lazyLoads: lazy.length,
    pageHeight: scroller.scrollHeight,
    windowHeight: innerHeight,
  };
}
