import type { Frame } from "playwright";
import type { CaptureOptions } from "../../contracts/capture/capture-options.ts";
import type { Lease } from "../browser/lease.ts";
import { FRAME_MS, inFrames } from "./in-frames.ts";
import { freezePage, unfreezePage } from "./in-page/freeze-page.ts";
import { repaintScrollers } from "./in-page/repaint-scrollers.ts";
import { rewindVideos } from "./in-page/rewind-videos.ts";
import { isSupersededNavigation } from "./load-failures.ts";
import { awaitPageWork, awaitSelectorWork, refuseSelector } from "./page-work.ts";

/** How long seeking may take. On a busy machine, it takes half a second. */
const REWIND_MS = 2_000;

/**
 * Stops motion in every frame, and applies masks and hidden selectors.
 * @returns the page's whole size, px; null when the page navigated to another document since it settled
 * @throws CaptureError
 */
export async function freeze(
  lease: Lease,
  options: Pick<CaptureOptions, "masks" | "hide">,
): Promise<{ width: number; height: number } | null> {
  const { masks = [], hide = [] } = options;
  return await unlessNavigated(lease, async () => {
    const framesToRewind: Frame[] = [];
    await inFrames(lease, FRAME_MS, async frame => {
      const { hasStoppedVideos } = await frame.evaluate(freezePage, { masks: [], hide: [] });
      if (hasStoppedVideos) framesToRewind.push(frame);
    });
    const awaitWork = masks.length + hide.length > 0 ? awaitSelectorWork : awaitPageWork;
    const frozen = await awaitWork(lease, lease.page.evaluate(freezePage, { masks, hide }));
    refuseSelector(frozen.invalidSelector);
    if (frozen.hasStoppedVideos) framesToRewind.push(lease.page.mainFrame());
    if (framesToRewind.length > 0) await rewindStopped(lease, framesToRewind);
    await inFrames(lease, FRAME_MS, frame => frame.evaluate(repaintScrollers));
    await awaitPageWork(lease, lease.page.evaluate(repaintScrollers));
    return { width: frozen.width, height: frozen.height };
  });
}

/** Undoes `freeze`, so that steps can go on. @throws CaptureError */
export async function unfreeze(lease: Lease): Promise<void> {
  await inFrames(lease, FRAME_MS, frame => frame.evaluate(unfreezePage));
  await awaitPageWork(lease, lease.page.evaluate(unfreezePage));
}

/** Rewinds stopped videos. A video whose server does not respond stays at its position. */
async function rewindStopped({ clock }: Lease, frames: Frame[]): Promise<void> {
  const work = Promise.allSettled(frames.map(frame => frame.evaluate(rewindVideos)));
  await clock.advanceBrowser(work, REWIND_MS);
}

/**
 * Returns null when the page navigated. The new document is unknown: whether it is the page, what it loads, and what
 * scrolling shows of it.
 */
async function unlessNavigated<T>({ network }: Lease, work: () => Promise<T>): Promise<T | null> {
  if (network.navigations > network.settledNavigations) return null;
  try {
    return await work();
  } catch (error) {
    if (isSupersededNavigation(error)) return null;
    throw error;
  }
}
