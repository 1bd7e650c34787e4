import type { PageRecord } from "./track-page.ts";

/** The state of a page. */
export interface PageLook {
  /** Whether an element that matches the selector is visible; true without a selector. */
  isShown: boolean;
  /** The selector, if it is invalid. */
  invalidSelector: string | null;
  /** Whether something on the page reacts to scrolling. */
  awaitsScroll: boolean;
  /** Whether the page marks a visible part of it as still loading. */
  isBusy: boolean;
  /** Number of lazy images and frames, anywhere on the page, that load from now on. */
  lazyLoads: number;
  /** Heights of the scrollable page and of the window, px. */
  pageHeight: number;
  windowHeight: number;
}

/**
 * Returns the state of the page, and makes it load lazy images and frames. It is sent to the page as text: it must use
 * nothing from outside its body.
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
