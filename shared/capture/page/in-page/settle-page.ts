import type { PageRecord } from "./track-page.ts";

/** The state of a page. */
export interface PageState {
  /** Whether an element that matches the selector is visible; true without a selector. */
  isShown: boolean;
  /** The selector, if it is invalid. */
  invalidSelector: string | null;
  /** Whether something on the page reacts to scrolling. */
  reactsToScroll: boolean;
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
export function readPageState(waitForSelector: string | null): PageState {
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
    reactsToScroll: Boolean(record?.reactsToScroll || window.onscroll || document.onscroll),
    isBusy: deepAll("[aria-busy=true]").some(isVisible),
    lazyLoads: lazy.length,
    pageHeight: scroller.scrollHeight,
    windowHeight: innerHeight,
  };
}

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

/**
 * Finishes every finite animation and transition, and waits until the page has received their events. It is sent to the
 * page as text: it must use nothing from outside its body.
 * @returns how many were still running
 */
export async function finishAnimations(): Promise<number> {
  const record: PageRecord | undefined = Reflect.get(globalThis, Symbol.for("vrs.page"));
  // Animations that are over by the page's clock end for its scripts only with the next frame.
  await record?.frame();
  const ownRoots = (record?.roots ?? []).filter(root => root.ownerDocument === document);
  const roots: (Document | ShadowRoot)[] = [document, ...ownRoots];
  const finite = [...new Set(roots.flatMap(root => root.getAnimations()))].filter(animation => {
    const end = animation.effect?.getComputedTiming().endTime;
    return animation.playState === "running" && animation.playbackRate !== 0 && Number.isFinite(end);
  });
  for (const animation of finite) animation.finish();
  // The events come one frame after the pending one. From the compositor's thread, they come one frame later still.
  for (let frames = 0; frames < 3 && finite.length > 0; frames++) await record?.frame();
  return finite.length;
}

/**
 * Waits inside a frame for its images and fonts, including lazy ones. It is sent to the frame as text: it must use
 * nothing from outside its body.
 */
export async function settleFrame(): Promise<void> {
  const record: PageRecord | undefined = Reflect.get(globalThis, Symbol.for("vrs.page"));
  const roots: ParentNode[] = [document, ...(record?.roots ?? [])];
  const images = roots.flatMap(root => [...root.querySelectorAll("img")]);
  for (const image of images) image.loading = "eager";
  const decoded = images.filter(image => image.src !== "").map(image => image.decode().catch(() => {}));
  await Promise.all([document.fonts.ready, ...decoded]);
}
