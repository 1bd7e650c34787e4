import { withTimeout } from "../../async.ts";
import type { Lease } from "../browser/lease.ts";
import { CaptureError, type CaptureRequest } from "../capture-types.ts";
import { PAGE_ERRORS } from "../texts.ts";
import { childFrames, FRAME_MS, inFrames } from "./in-frames.ts";
import {
  finishAnimations,
  type PageState,
  readPageState,
  scrollPage,
  settleFrame,
} from "./in-page/settle-page.ts";
import { isSupersededNavigation } from "./load-failures.ts";
import { advanceUntilLoaded, checkDocument } from "./open-page.ts";
import { advancePage, awaitPageWork, awaitSelectorWork, refuseSelector } from "./page-work.ts";

/** A busy machine paints as rarely as this. A shorter time would miss what scrolling shows. */
const PAINT_MS = 1_000;
/**
 * How often an endless list is followed. It is a fixed number, so that it does not depend on how fast the list loads.
 */
const MAX_SCROLL_PASSES = 3;

// These durations are on the page's own clock. Together they end before its fifth second, when most carousels turn.
/** From one scroll position to the next. */
const STEP_MS = 53;
/** At the bottom. Scroll listeners often check again a moment later. */
const BOTTOM_MS = 307;
/** From the load, and at least from the start of scrolling, until animations are finished. */
const LIFE_MS = 3_402;
const AFTER_SCROLL_MS = 1_998;
/** Between two checks for what the page is waiting for. */
const POLL_MS = 101;
/** For what the ends of animations start. */
const CHAIN_MS = 101;
/** For chains of animations that each start the next. With it, counters and entrances have had 2.5 s. */
const CHAINS_MS = 5 * CHAIN_MS;

/** The parts of a request that settling depends on. */
type SettleRequest = Pick<CaptureRequest, "url" | "options">;

/**
 * Lets the page live on its own clock until it shows all its content. The page is scrolled through, lazy content is
 * loaded, and timers and animations are over. Requests are awaited for `settleMs` after the load, and as long again for
 * later requests. It follows the page to another document when its scripts navigate.
 * @throws CaptureError
 */
export async function settle(lease: Lease, request: SettleRequest): Promise<void> {
  const passes = { left: MAX_SCROLL_PASSES };
  await followNavigations(lease, request.url, () => settleDocument(lease, request, passes));
  lease.network.recordUnfinished();
}

/**
 * Lets the page live on its own clock until what a step started is over: about half a second, after the half second of
 * the step. It stays where it is scrolled to.
 * @param refusedFrom lowest status that the page must not have
 * @throws CaptureError
 */
export async function settleBriefly(lease: Lease, url: string, refusedFrom?: number): Promise<void> {
  await followNavigations(lease, url, async () => {
    const { clock, network, limits } = lease;
    const { navigations } = network;
    clock.requestDeadlineMs = performance.now() + limits.settleMs;
    await settleContent(lease);
    await checkDocument(lease, url, refusedFrom);
    network.settledNavigations = navigations;
    return network.navigations > navigations;
  });
  lease.network.recordUnfinished();
}

/** @param settleOnce settles a document, and returns whether the page navigated to another one meanwhile */
async function followNavigations(
  lease: Lease,
  url: string,
  settleOnce: () => Promise<boolean>,
): Promise<void> {
  for (;;) {
    const { navigations } = lease.network;
    const navigated = await settleOnce().catch((error: unknown) => {
      if (!isSupersededNavigation(error)) throw error;
      return true;
    });
    if (!navigated && lease.network.navigations === navigations) return;
    await advanceUntilLoaded(lease, url, performance.now() + lease.limits.navigationMs);
  }
}

/** @returns whether the page navigated to another document meanwhile */
async function settleDocument(
  lease: Lease,
  request: SettleRequest,
  passes: { left: number },
): Promise<boolean> {
  const { clock, network, limits, page } = lease;
  const { navigations } = network;
  const hasNavigated = () => network.navigations > navigations;

  clock.requestDeadlineMs = performance.now() + limits.settleMs;
  await waitForSelector(lease, request.options.waitForSelector ?? null);
  // The page is painted before it is scrolled, as for every visitor.
  await paint(lease, 0);
  await advancePage(lease, POLL_MS);
  if (hasNavigated()) return true;
  // The content that the first paint loaded is painted too. Observers are notified of one frame before the next: they
  // may misread both at once.
  await paint(lease, 0);
  await advancePage(lease, STEP_MS);
  const before = await awaitPageWork(lease, page.evaluate(readPageState, null));
  const scrolledMs = await scrollThrough(lease, before, passes);
  await advancePage(lease, Math.max(LIFE_MS - scrolledMs, scrolledMs > 0 ? AFTER_SCROLL_MS : 0));
  await settleContent(lease);
  await checkDocument(lease, request.url);
  network.settledNavigations = navigations;
  return hasNavigated();
}

/** Waits for frames, for content that the page marks as loading, and for animations. */
async function settleContent(lease: Lease): Promise<void> {
  await settleFrames(lease);
  for (let livedMs = 0; livedMs < lease.limits.settleMs; livedMs += POLL_MS) {
    const last = await awaitPageWork(lease, lease.page.evaluate(readPageState, null));
    // Content that scripts have added meanwhile is loaded too. Far from the window, it would never load.
    if (!last.isBusy && last.lazyLoads === 0) break;
    await advancePage(lease, POLL_MS);
  }
  await endAnimations(lease);
}

async function waitForSelector(lease: Lease, selector: string | null): Promise<void> {
  if (selector === null) return;
  const { limits, page } = lease;
  const end = performance.now() + limits.selectorMs;
  // The page's own clock runs ahead of the wall clock, so which of two limits ends first would be chance.
  for (let livedMs = 0; ; livedMs += POLL_MS) {
    const readState = awaitSelectorWork(lease, page.evaluate(readPageState, selector));
    const { isShown, invalidSelector } = await readState;
    refuseSelector(invalidSelector);
    if (isShown) return;
    if (livedMs >= limits.selectorMs && performance.now() >= end) break;
    await advancePage(lease, POLL_MS);
  }
  throw new CaptureError("selector_missing", PAGE_ERRORS.selectorMissing(selector, limits.selectorMs / 1000));
}

/**
 * Scrolls down, further when content that loaded at the bottom made the page taller, and back to the top.
 * @returns how long that took on the page's clock, ms; 0 when nothing reacts to scrolling
 */
async function scrollThrough(lease: Lease, readState: PageState, passes: { left: number }): Promise<number> {
  const { maxHeightPx } = lease.limits;
  let { reactsToScroll, pageHeight, windowHeight } = readState;
  reactsToScroll ||= readState.lazyLoads > 0 || childFrames(lease).length > 0;
  let livedMs = 0;
  const live = async (ms: number) => {
    await advancePage(lease, ms);
    livedMs += ms;
  };
  let seenPx = windowHeight;
  while (reactsToScroll && passes.left > 0 && seenPx < Math.min(pageHeight, maxHeightPx)) {
    passes.left--;
    // The height is read once. How far a page grows while it is scrolled would be chance.
    const bottom = Math.min(pageHeight, maxHeightPx);
    // Every part of the page must once be within the inner part of the window, where some pages show their content.
    const stepPx = Math.ceil(windowHeight * 0.6);
    const last = bottom - windowHeight;
    for (let top = seenPx - windowHeight; top < last; ) {
      top = Math.min(top + stepPx, last);
      await paint(lease, top);
      await live(STEP_MS);
    }
    await live(BOTTOM_MS);
    seenPx = bottom;
    ({ pageHeight } = await awaitPageWork(lease, lease.page.evaluate(readPageState, null)));
  }
  if (seenPx > windowHeight) {
    await paint(lease, 0);
    await live(STEP_MS);
  }
  return livedMs;
}

/** Continues when the page does not paint in time. */
async function paint(lease: Lease, top: number): Promise<void> {
  const late = new Error("The page was not painted.");
  await withTimeout(lease.page.evaluate(scrollPage, top), PAINT_MS, () => late).catch(error => {
    if (error !== late) throw error;
  });
}

/**
 * Finishes animations, and what their ends start. The page lives equally long for any number of animations. A busy
 * machine paints too rarely to finish all, and the page's timers must not depend on that.
 */
async function endAnimations(lease: Lease): Promise<void> {
  const end = () => awaitPageWork(lease, lease.page.evaluate(finishAnimations));
  for (let leftMs = CHAINS_MS; leftMs > 0; ) {
    const stepMs = (await end()) === 0 ? leftMs : CHAIN_MS;
    await advancePage(lease, stepMs);
    leftMs -= stepMs;
  }
  await end();
}

/** Settles frames of other sites, which use the wall clock. */
async function settleFrames(lease: Lease): Promise<void> {
  if (childFrames(lease).length === 0) return;
  const work = inFrames(lease, FRAME_MS, frame => frame.evaluate(settleFrame));
  await Promise.all([work, advancePage(lease, POLL_MS)]);
}
