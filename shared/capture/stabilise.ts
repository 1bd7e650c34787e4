import type { Frame } from "playwright";
import type { CaptureOptions } from "../contracts/capture-options.ts";
import { bounded } from "./bounded.ts";
import { CaptureError, type CaptureRequest } from "./capture-types.ts";
import { freezePage } from "./in-page/freeze-page.ts";
import { type Settled, type SettleOptions, settlePage } from "./in-page/settle-page.ts";
import type { Lease } from "./lease.ts";
import { isSupersededNavigation } from "./load-failures.ts";
import { checkDocument, untilLoaded } from "./open-page.ts";

/** A frame that leaves a script of ours waiting for longer is captured as it is. */
const FRAME_MS = 1_000;
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
 * Waits, within `settleMs`, until the page shows all it has and asks for nothing more; follows it to another document
 * when its scripts lead there. What still moves afterwards is found by comparing takes.
 * @throws CaptureError
 */
export async function settle(lease: Lease, request: CaptureRequest): Promise<void> {
  const { network, limits } = lease;
  let end = performance.now() + limits.settleMs;
  const ways: Ways = { down: WAYS_DOWN, seen: false };
  for (;;) {
    await network.quiet(end - performance.now());
    const { begun, navigations } = network;
    const settled = await settleFrames(lease, request.options, Math.max(0, end - performance.now()), ways);
    if (settled === "navigated" || network.navigations > navigations) {
      await untilLoaded(lease, request.url, performance.now() + limits.navigationMs);
      end = performance.now() + limits.settleMs;
      ways.seen = false;
      continue;
    }
    await checkDocument(lease, request.url);
    judge(settled, request.options, limits.selectorMs);
    if (network.open.length === 0 && network.begun === begun) return;
    if (performance.now() >= end) return network.giveUp();
  }
}

async function settleFrames(
  lease: Lease,
  options: CaptureOptions,
  settleMs: number,
  ways: Ways,
): Promise<Settled | "navigated"> {
  const { selectorMs, maxHeightPx } = lease.limits;
  const settling = { settleMs, selectorMs, maxHeightPx, seenPx: 0 };
  const own = { ...settling, waitForSelector: options.waitForSelector ?? null, paintMs: PAINT_MS };
  try {
    // The page is scrolled first: that is what brings lazy frames in.
    const settled = await settleMain(lease, { ...own, scroll: childFrames(lease).length > 0 }, ways);
    const alone = { waitForSelector: null, scroll: false, waysDown: 1, seen: true, paintMs: INNER_PAINT_MS };
    const child = { ...settling, ...alone };
    await inFrames(lease, settleMs, frame => frame.evaluate(settlePage, child));
    return settled;
  } catch (error) {
    if (isSupersededNavigation(error)) return "navigated";
    throw error;
  }
}

/** Scrolls down, and further where the page has grown by what it loaded at the bottom; then lets it come to rest. */
async function settleMain(
  lease: Lease,
  options: Omit<SettleOptions, "waysDown" | "seen">,
  ways: Ways,
): Promise<Settled> {
  const { down: waysDown, seen } = ways;
  const work = lease.page.evaluate(settlePage, { ...options, waysDown, seen });
  const settled = await answering(lease, options.settleMs + options.selectorMs, work);
  if (settled.wentDown) ways.down--;
  if (settled.stop === null) return settled;
  ways.seen = true;
  const end = performance.now() + settled.stop.leftMs;
  await lease.network.quiet(settled.stop.leftMs);
  const { seenPx } = settled.stop;
  const settleMs = Math.max(0, end - performance.now());
  return settleMain(lease, { ...options, waitForSelector: null, seenPx, settleMs }, ways);
}

/**
 * Stops motion in every frame, applies masks and hidden selectors.
 * @returns the page's whole size, px; null when the page went on to another document meanwhile.
 * @throws CaptureError
 */
export async function freeze(
  lease: Lease,
  options: CaptureOptions,
): Promise<{ width: number; height: number } | null> {
  const { masks = [], hide = [] } = options;
  try {
    await inFrames(lease, FRAME_MS, frame => frame.evaluate(freezePage, { masks: [], hide: [] }));
    const frozen = await answering(lease, 0, lease.page.evaluate(freezePage, { masks, hide }));
    judge(frozen, options, lease.limits.selectorMs);
    return { width: frozen.width, height: frozen.height };
  } catch (error) {
    if (isSupersededNavigation(error)) return null;
    throw error;
  }
}

function childFrames({ page, silentFrames }: Lease): Frame[] {
  const main = page.mainFrame();
  // A frame without a URL has no document that a script could run in.
  return page.frames().filter(frame => frame !== main && frame.url() !== "" && !silentFrames.has(frame));
}

/** Frames come and go, and one that does not answer must not cost the page its screenshot. */
async function inFrames(
  lease: Lease,
  timeoutMs: number,
  work: (frame: Frame) => Promise<unknown>,
): Promise<void> {
  const late = new Error("The frame does not answer.");
  await Promise.all(
    childFrames(lease).map(async frame => {
      await bounded(work(frame), timeoutMs, () => late).catch(error => {
        if (error === late) lease.silentFrames.add(frame);
      });
    }),
  );
}

async function answering<T>(lease: Lease, timeoutMs: number, work: Promise<T>): Promise<T> {
  const boundMs = timeoutMs + lease.limits.busyMs;
  return await bounded(work, boundMs, () => {
    const seconds = boundMs / 1000;
    return new CaptureError(
      "timeout",
      `${lease.page.url()} did not respond for ${seconds} s: its scripts keep the browser busy.`,
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
