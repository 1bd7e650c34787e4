import type { Lease } from "../browser/lease.ts";
import { CaptureError, type CaptureRequest } from "../capture-types.ts";
import { PAGE_ERRORS } from "../texts.ts";
import { askPage, askWithSelectors, livePage, refuseSelector } from "./ask-page.ts";
import { bounded } from "./bounded.ts";
import { childFrames, FRAME_MS, inFrames } from "./in-frames.ts";
import { finishAnimations } from "./in-page/finish-animations.ts";
import { lookAtPage, type PageLook } from "./in-page/look-at-page.ts";
import { scrollPage } from "./in-page/scroll-page.ts";
import { settleFrame } from "./in-page/settle-frame.ts";
import { isSupersededNavigation } from "./load-failures.ts";
import { checkDocument, liveUntilLoaded } from "./open-page.ts";

/** A busy machine paints a page as seldom as that. What scrolling is to show is missed where this is too short. */
const PAINT_MS = 1_000;
/** A list that goes on for ever is followed so often: always as far, however quickly it loads. */
const WAYS_DOWN = 3;

// All of these are of the page's own clock. Together they end before its fifth second, when most carousels turn.
/** From one place of the way down to the next. */
const STEP_MS = 53;
/** At the bottom: what listens to scrolling often looks again a moment later. */
const BOTTOM_MS = 307;
/** From the load on, and at least from the way down on, until animations are ended. */
const LIFE_MS = 3_402;
const AFTER_SCROLL_MS = 1_998;
/** Between looks at what a page is waited for. */
const POLL_MS = 101;
/** For what the ends of animations begin. */
const CHAIN_MS = 101;
/** For chains of animations that each begin the next. With this, counters and entrances have had 2.5 s. */
const CHAINS_MS = 5 * CHAIN_MS;

/**
 * Lets the page live on its own clock until it shows all it has: it is scrolled through, its lazy content is loaded,
 * its timers and animations are over. Requests are waited for as long as `settleMs` after the load, and as much again
 * for what it asks for then. Follows the page to another document when its scripts lead there.
 * @throws CaptureError
 */
export async function settle(lease: Lease, request: CaptureRequest): Promise<void> {
  const way = { left: WAYS_DOWN };
  for (;;) {
    const { navigations } = lease.network;
    const navigated = await settleDocument(lease, request, way).catch((error: unknown) => {
      if (!isSupersededNavigation(error)) throw error;
      return true;
    });
    if (!navigated && lease.network.navigations === navigations) break;
    await liveUntilLoaded(lease, request.url, performance.now() + lease.limits.navigationMs);
  }
  lease.network.giveUp();
}

/** @returns whether the page went on to another document meanwhile */
async function settleDocument(
  lease: Lease,
  request: CaptureRequest,
  way: { left: number },
): Promise<boolean> {
  const { clock, network, limits, page } = lease;
  const { navigations } = network;
  const look = () => askPage(lease, page.evaluate(lookAtPage, null));
  const movedOn = () => network.navigations > navigations;

  clock.patienceEndMs = performance.now() + limits.settleMs;
  await waitForSelector(lease, request.options.waitForSelector ?? null);
  // It is seen before it is scrolled, as it is by everybody.
  await paint(lease, 0);
  await livePage(lease, POLL_MS);
  if (movedOn()) return true;
  // And so is what that has brought in. Observers are told of one frame before the next: both at once they may misread.
  await paint(lease, 0);
  await livePage(lease, STEP_MS);
  const before = await look();
  const scrolledMs = await scrollThrough(lease, before, way);
  await livePage(lease, Math.max(LIFE_MS - scrolledMs, scrolledMs > 0 ? AFTER_SCROLL_MS : 0));
  await settleFrames(lease);
  for (let livedMs = 0; livedMs < limits.settleMs; livedMs += POLL_MS) {
    const last = await look();
    // What scripts have added meanwhile is loaded too: far from the window it would never come.
    if (!last.isBusy && last.lazyLoads === 0) break;
    await livePage(lease, POLL_MS);
  }
  await endAnimations(lease);
  await checkDocument(lease, request.url);
  network.settledAt = navigations;
  return movedOn();
}

async function waitForSelector(lease: Lease, selector: string | null): Promise<void> {
  if (selector === null) return;
  const { limits, page } = lease;
  const end = performance.now() + limits.selectorMs;
  // The page's own clock runs ahead of the wall's: whichever is over first would be chance.
  for (let livedMs = 0; ; livedMs += POLL_MS) {
    const look = askWithSelectors(lease, page.evaluate(lookAtPage, selector));
    const { isShown, invalidSelector } = await look;
    refuseSelector(invalidSelector);
    if (isShown) return;
    if (livedMs >= limits.selectorMs && performance.now() >= end) break;
    await livePage(lease, POLL_MS);
  }
  throw new CaptureError("selector_missing", PAGE_ERRORS.selectorMissing(selector, limits.selectorMs / 1000));
}

/**
 * Scrolls down, and further where the page has grown by what it loaded at the bottom, and back to the top.
 * @returns how long that took on the page's clock, ms; 0 where nothing waits to be scrolled to
 */
async function scrollThrough(lease: Lease, look: PageLook, way: { left: number }): Promise<number> {
  const { maxHeightPx } = lease.limits;
  let { awaitsScroll, pageHeight, windowHeight } = look;
  awaitsScroll ||= look.lazyLoads > 0 || childFrames(lease).length > 0;
  let livedMs = 0;
  const live = async (ms: number) => {
    await livePage(lease, ms);
    livedMs += ms;
  };
  let seenPx = windowHeight;
  while (awaitsScroll && way.left > 0 && seenPx < Math.min(pageHeight, maxHeightPx)) {
    way.left--;
    // As it is now: how far a page gets that grows while it is scrolled would be chance.
    const bottom = Math.min(pageHeight, maxHeightPx);
    // So that all of the page is once within the inner part of the window, where it may have to be to be shown.
    const stepPx = Math.ceil(windowHeight * 0.6);
    const last = bottom - windowHeight;
    for (let top = seenPx - windowHeight; top < last; ) {
      top = Math.min(top + stepPx, last);
      await paint(lease, top);
      await live(STEP_MS);
    }
    await live(BOTTOM_MS);
    seenPx = bottom;
    ({ pageHeight } = await askPage(lease, lease.page.evaluate(lookAtPage, null)));
  }
  if (seenPx > windowHeight) {
    await paint(lease, 0);
    await live(STEP_MS);
  }
  return livedMs;
}

/** One that does not paint in time is gone on with. */
async function paint(lease: Lease, top: number): Promise<void> {
  const late = new Error("The page was not painted.");
  await bounded(lease.page.evaluate(scrollPage, top), PAINT_MS, () => late).catch(error => {
    if (error !== late) throw error;
  });
}

/**
 * Ends animations, and what their ends begin. The page lives on equally long however many there are: a busy machine
 * paints too seldom for all of them to be over, and what the page's timers do must not depend on that.
 */
async function endAnimations(lease: Lease): Promise<void> {
  const end = () => askPage(lease, lease.page.evaluate(finishAnimations));
  for (let leftMs = CHAINS_MS; leftMs > 0; ) {
    const stepMs = (await end()) === 0 ? leftMs : CHAIN_MS;
    await livePage(lease, stepMs);
    leftMs -= stepMs;
  }
  await end();
}

/** Frames of other sites have a clock of their own, which is the wall's. */
async function settleFrames(lease: Lease): Promise<void> {
  if (childFrames(lease).length === 0) return;
  const work = inFrames(lease, FRAME_MS, frame => frame.evaluate(settleFrame));
  await Promise.all([work, livePage(lease, POLL_MS)]);
}
