import type { PageRecord } from "./track-page.ts";

export interface SettleOptions {
  /** Element that must be visible; null for none. */
  waitForSelector: string | null;
  selectorMs: number;
  settleMs: number;
  /** What a frame of the screen is waited for at most. What scrolling is to show is missed where that is too short. */
  paintMs: number;
  /** Pages are scrolled through down to here, px. */
  maxHeightPx: number;
  /** Scroll through even if nothing in this document is known to wait for it. */
  scroll: boolean;
  /** Whether what the page asks for once it is seen has been waited for. Until then, a page to scroll stops for that. */
  seen: boolean;
  /** How far down it was scrolled by the call before, px; 0 for none. */
  seenPx: number;
  /** Whether the page has asked for something since the call before began. */
  hasNews: boolean;
  /** How often the page may still be scrolled down. Each time but the last stops at the bottom, to be called again. */
  waysDown: number;
}

/** What was still missing when the time was over; nothing when the page came to rest, or stopped on the way. */
export interface Settled {
  missing: "selector" | null;
  invalidSelector: string | null;
  wentDown: boolean;
  /** Where it stopped so that what is loaded there can come: how far it was scrolled, px, and its time left, ms. */
  stop: { seenPx: number; leftMs: number } | null;
}

/**
 * Waits inside the page until it shows all it has: lazy content, images, fonts, short timers, busy regions.
 * It is sent to the page as text: it must use nothing from outside its body.
 */
export async function settlePage(options: SettleOptions): Promise<Settled> {
  const record: PageRecord | undefined = Reflect.get(globalThis, Symbol.for("vrs.page"));
  const sleep = (ms: number): Promise<void> =>
    record?.sleep(ms) ?? new Promise(resolve => setTimeout(resolve, ms));
  // A page in the background of a busy machine may get no frame for a while; the timer is the bound. Intersection
  // observers see a frame only after its callbacks: going on from within one would hide that frame's view from them.
  const frame = () =>
    Promise.race([
      new Promise<void>(resolve => requestAnimationFrame(() => resolve(sleep(0)))),
      sleep(options.paintMs),
    ]);
  const deepAll = (selector: string): Element[] => {
    const roots: ParentNode[] = [document, ...(record?.roots ?? [])];
    return roots.flatMap(root => [...root.querySelectorAll(selector)]);
  };
  const visible = (element: Element): boolean =>
    element.getClientRects().length > 0 && element.checkVisibility({ visibilityProperty: true });
  const loadLazy = (): boolean => {
    const lazy = deepAll("img[loading=lazy],iframe[loading=lazy]");
    for (const element of lazy) element.setAttribute("loading", "eager");
    return lazy.length > 0;
  };

  const settled: Settled = { missing: null, invalidSelector: null, wentDown: false, stop: null };
  if (options.waitForSelector !== null) {
    const giveUp = performance.now() + options.selectorMs;
    try {
      while (!deepAll(options.waitForSelector).some(visible)) {
        if (performance.now() > giveUp) return { ...settled, missing: "selector" };
        await frame();
      }
    } catch {
      return { ...settled, invalidSelector: options.waitForSelector };
    }
  }

  // The page's time to come to rest begins when it shows what was asked for.
  const end = performance.now() + options.settleMs;
  const shortTimers = async (): Promise<void> => {
    for (;;) {
      const due = Math.max(0, ...(record?.timers.values() ?? []));
      if (due === 0 || performance.now() > end) return;
      await sleep(Math.max(1, Math.min(due, end) - performance.now()));
    }
  };
  const leftMs = (): number => Math.max(0, end - performance.now());
  const listens = options.scroll || record?.awaitsScroll || window.onscroll || document.onscroll;
  // Observers are told of a frame soon after it: before a timer that is set once it is over.
  const toldFrame = async (): Promise<void> => {
    await frame();
    await sleep(0);
  };
  if (listens && !options.seen) {
    await toldFrame();
    return { ...settled, stop: { seenPx: 0, leftMs: leftMs() } };
  }
  const scroller = document.scrollingElement ?? document.documentElement;
  const isLazy = loadLazy();
  const watched = listens || isLazy;
  // What came last is laid out by then, and what is observed was seen out of the window: only its coming in is told.
  const isAsSeen = !options.hasNews && scroller.scrollHeight <= options.seenPx;
  if ((watched || options.seenPx > 0) && !isAsSeen) await frame();
  // As it is now: how far a page gets that grows while it is scrolled would be chance.
  const bottom = Math.min(scroller.scrollHeight, options.maxHeightPx);
  const seen = Math.max(innerHeight, options.seenPx);
  const goesDown = options.waysDown > 0 && (watched || options.seenPx > 0) && seen < bottom;
  if (goesDown) {
    settled.wentDown = true;
    // So that all of the page is once within the inner part of the window, where it may have to be to be shown.
    const step = Math.ceil(innerHeight * 0.6);
    // No further than that bottom, which may be the bottom no more when the window gets there.
    const last = bottom - innerHeight;
    for (let y = seen - innerHeight; y < last && performance.now() < end; ) {
      y = Math.min(y + step, last);
      window.scrollTo({ top: y, behavior: "instant" });
      await frame();
    }
    await toldFrame();
    // What listens to scrolling now and then looks again a moment later: it is to find itself at the bottom.
    await shortTimers();
    if (options.waysDown > 1) return { ...settled, stop: { seenPx: bottom, leftMs: leftMs() } };
  }
  if (goesDown || options.seenPx > 0) {
    window.scrollTo({ top: 0, left: 0, behavior: "instant" });
    await frame();
    // Only what begins to wait from now on is worth another way down.
    if (record) record.awaitsScroll = false;
  }

  await shortTimers();
  while (performance.now() < end && deepAll("[aria-busy=true]").some(visible)) await frame();
  const bounded = (work: Promise<unknown>) => Promise.race([work, sleep(leftMs())]);
  // Those that scripts have added meanwhile, too: far from the window they would never come.
  loadLazy();
  const images = deepAll("img").filter(image => image instanceof HTMLImageElement);
  await bounded(
    Promise.all([
      document.fonts.ready,
      ...images.filter(image => image.src !== "").map(image => image.decode().catch(() => {})),
    ]),
  );
  await frame();
  return settled;
}
