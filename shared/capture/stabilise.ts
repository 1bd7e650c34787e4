import type { CaptureOptions } from "../contracts/capture-options.ts";
import { bounded } from "./bounded.ts";
import { CaptureError, type CaptureRequest } from "./capture-types.ts";
import { childFrames, FRAME_MS, inFrames } from "./in-frames.ts";
import { freezePage } from "./in-page/freeze-page.ts";
import { repaintPage } from "./in-page/repaint-page.ts";
import { type Settled, type SettleOptions, settlePage } from "./in-page/settle-page.ts";
import type { Lease } from "./lease.ts";
import { isSupersededNavigation } from "./load-failures.ts";
import { checkDocument, untilLoaded } from "./open-page.ts";
import { shownUrl } from "./shown-url.ts";

/** A busy machine paints a page as seldom as that. */
const PAINT_MS = 1_000;
/** One of another site's within it is not painted at all while it is out of the window. */
const INNER_PAINT_MS = 250;
/** A list that goes on for ever is followed so often: always as far, however quickly it loads. */
const WAYS_DOWN = 3;

/** How a page may still be scrolled, and whether it was seen before that. */
interface Ways {
  down: number;
  seen: boolean;
}

/**
 * Waits until the page shows all it has and asks for nothing more, or its time is over: `settleMs` for what it asks for
 * when it loads, and as much again for itself and what it asks for then. Follows it to another document when its
 * scripts lead there. What still moves afterwards is found by comparing takes.
 * @throws CaptureError
 */
export async function settle(lease: Lease, request: CaptureRequest): Promise<void> {
  const ways: Ways = { down: WAYS_DOWN, seen: false };
  while ((await comeToRest(lease, request, ways)) === "navigated") {
    await untilLoaded(lease, request.url, performance.now() + lease.limits.navigationMs);
    ways.seen = false;
  }
  lease.network.giveUp();
}

async function comeToRest(
  lease: Lease,
  { url, options }: CaptureRequest,
  ways: Ways,
): Promise<"navigated" | "rested"> {
  const { network, limits } = lease;
  // What is not answered by then is waited for no more: the page would never be scrolled for one poll that is kept open.
  await network.quiet(limits.settleMs);
  const end = performance.now() + limits.settleMs;
  for (;;) {
    const { begun, navigations } = network;
    const settled = await settleFrames(lease, options, end, ways);
    if (settled === "navigated" || network.navigations > navigations) return "navigated";
    await checkDocument(lease, url);
    judge(settled, options, limits.selectorMs);
    network.settledAt = navigations;
    if (network.open.length === 0 && network.begun === begun) return "rested";
    if (performance.now() >= end) return "rested";
    await network.quiet(end - performance.now());
  }
}

async function settleFrames(
  lease: Lease,
  options: CaptureOptions,
  end: number,
  ways: Ways,
): Promise<Settled | "navigated"> {
  const { selectorMs, maxHeightPx } = lease.limits;
  const settleMs = Math.max(0, end - performance.now());
  const settling = { settleMs, selectorMs, maxHeightPx, seenPx: 0, hasNews: true };
  const own = { ...settling, waitForSelector: options.waitForSelector ?? null, paintMs: PAINT_MS };
  try {
    // The page is scrolled first: that is what brings lazy frames in.
    const settled = await settleMain(lease, { ...own, scroll: childFrames(lease).length > 0 }, end, ways);
    const alone = { waitForSelector: null, scroll: false, waysDown: 1, seen: true, paintMs: INNER_PAINT_MS };
    // One that takes all its time has some left to say so.
    const child = { ...settling, ...alone, settleMs: Math.max(0, settleMs - FRAME_MS) };
    await inFrames(lease, Math.max(FRAME_MS, settleMs), frame => frame.evaluate(settlePage, child));
    return settled;
  } catch (error) {
    if (isSupersededNavigation(error)) return "navigated";
    throw error;
  }
}

/**
 * Scrolls down, and further where the page has grown by what it loaded at the bottom; then lets it come to rest. What it
 * loads on the way is waited for until `end`, at no cost of the time that it has for itself.
 */
async function settleMain(
  lease: Lease,
  options: Omit<SettleOptions, "waysDown" | "seen">,
  end: number,
  ways: Ways,
): Promise<Settled> {
  const { down: waysDown, seen } = ways;
  const { begun } = lease.network;
  const work = lease.page.evaluate(settlePage, { ...options, waysDown, seen });
  const settled = await answering(lease, options.settleMs + options.selectorMs, work);
  if (settled.wentDown) ways.down--;
  if (settled.stop === null) return settled;
  ways.seen = true;
  await lease.network.quiet(end - performance.now());
  const { seenPx, leftMs: settleMs } = settled.stop;
  const hasNews = lease.network.begun > begun;
  return settleMain(lease, { ...options, waitForSelector: null, seenPx, settleMs, hasNews }, end, ways);
}

/**
 * Stops motion in every frame, applies masks and hidden selectors.
 * @returns the page's whole size, px; null when the page went on to another document since it came to rest.
 * @throws CaptureError
 */
export async function freeze(
  lease: Lease,
  options: CaptureOptions,
): Promise<{ width: number; height: number } | null> {
  const { masks = [], hide = [] } = options;
  return await unlessMovedOn(lease, async () => {
    await inFrames(lease, FRAME_MS, frame => frame.evaluate(freezePage, { masks: [], hide: [] }));
    const frozen = await answering(lease, 0, lease.page.evaluate(freezePage, { masks, hide }));
    judge(frozen, options, lease.limits.selectorMs);
    return { width: frozen.width, height: frozen.height };
  });
}

/**
 * Has the browser paint the whole page anew.
 * @returns false when the page went on to another document since it came to rest.
 * @throws CaptureError
 */
export async function repaint(lease: Lease): Promise<boolean> {
  const work = () => answering(lease, 0, lease.page.evaluate(repaintPage));
  return (await unlessMovedOn(lease, work)) !== null;
}

/** Of another document nothing is known yet: whether it is the page at all, what it loads, what scrolling shows of it. */
async function unlessMovedOn<T>({ network }: Lease, work: () => Promise<T>): Promise<T | null> {
  if (network.navigations > network.settledAt) return null;
  try {
    return await work();
  } catch (error) {
    if (isSupersededNavigation(error)) return null;
    throw error;
  }
}

async function answering<T>(lease: Lease, timeoutMs: number, work: Promise<T>): Promise<T> {
  const boundMs = timeoutMs + lease.limits.busyMs;
  return await bounded(work, boundMs, () => {
    const seconds = boundMs / 1000;
    return new CaptureError(
      "timeout",
      `${shownUrl(lease.page.url())} did not respond for ${seconds} s: its scripts keep the browser busy.`,
    );
  });
}

function judge(
  found: { invalidSelector: string | null; missing?: "selector" | null },
  options: CaptureOptions,
  selectorMs: number,
): void {
  if (found.invalidSelector !== null) {
    throw new CaptureError("selector_invalid", `"${found.invalidSelector}" is not a valid CSS selector.`);
  }
  if (found.missing === "selector") {
    throw new CaptureError(
      "selector_missing",
      `Nothing that matches waitForSelector "${options.waitForSelector}" became visible within ${selectorMs / 1000} s.`,
    );
  }
}
