import { setTimeout as sleep } from "node:timers/promises";
import { type Capture, CaptureError, type CaptureRequest } from "./capture-types.ts";
import { type Lease, VIEWPORT_HEIGHT_PX } from "./lease.ts";
import { openPage } from "./open-page.ts";
import { freeze, settle } from "./stabilise.ts";
import { type Take, takeScreenshot } from "./take-screenshot.ts";

/** A page that is not the baseline's is taken again after these times, until two takes agree. */
const RETAKE_AFTER_MS = [0, 100, 250, 500, 1_000];
/** Wider pages are cut: the widest viewport that can be asked for. */
const MAX_WIDTH_PX = 3840;

/**
 * Takes one full-page screenshot of a page at rest.
 * @throws CaptureError that says what the page's owner can do about it.
 */
export async function capture(lease: Lease, request: CaptureRequest, signal?: AbortSignal): Promise<Capture> {
  const { page, limits, browser } = lease;
  const timings: Record<string, number> = {};
  const timed = async <T>(step: string, work: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    try {
      return await work();
    } finally {
      timings[step] = (timings[step] ?? 0) + performance.now() - start;
    }
  };
  browser.pages++;
  signal?.throwIfAborted();
  await page.setViewportSize({ width: request.viewport, height: VIEWPORT_HEIGHT_PX });
  await timed("load", () => openPage(lease, request));
  await timed("settle", () => settle(lease, request.options));

  const takes: Take[] = [];
  let size = { width: 0, height: 0 };
  for (const delayMs of [0, ...RETAKE_AFTER_MS]) {
    signal?.throwIfAborted();
    if (delayMs > 0) await sleep(delayMs);
    size = await timed("freeze", () => freeze(lease, request.options));
    const width = Math.min(size.width, MAX_WIDTH_PX);
    const height = Math.min(size.height, limits.maxHeightPx);
    const take = await timed("screenshot", () => takeScreenshot(lease.session, width, height));
    const previous = takes.at(-1);
    takes.push(take);
    const stable = take.hash === request.baselineHash || take.hash === previous?.hash;
    if (stable || takes.length > RETAKE_AFTER_MS.length) {
      return {
        ...take,
        width,
        height,
        stable,
        attempts: takes.length,
        moving: [],
        cutFromHeight: size.height > height ? size.height : null,
        browser: browser.version,
        timings,
      };
    }
  }
  throw new CaptureError("timeout", "No screenshot could be taken.");
}
