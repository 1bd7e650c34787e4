import type { Frame, Page } from "playwright";
import { withTimeout } from "../../async.ts";

/** A frame that does not respond to a script for longer is captured as it is. */
export const FRAME_MS = 1_000;

interface Framed {
  page: Page;
  /** Frames that do not respond. */
  silentFrames: WeakSet<Frame>;
}

/** Returns all frames of the page except its main frame. */
export function childFrames({ page, silentFrames }: Framed): Frame[] {
  const main = page.mainFrame();
  // A frame without a URL has no document to run a script in.
  return page.frames().filter(frame => frame !== main && frame.url() !== "" && !silentFrames.has(frame));
}

/**
 * Runs a script in the frames. Frames come and go, and a silent one must not fail the page's capture. So a frame that
 * does not respond in time is skipped from then on.
 */
export async function inFrames(
  framed: Framed,
  timeoutMs: number,
  work: (frame: Frame) => Promise<unknown>,
): Promise<void> {
  const late = new Error("The frame is not responding.");
  await Promise.all(
    childFrames(framed).map(async frame => {
      await withTimeout(work(frame), timeoutMs, () => late).catch(error => {
        if (error === late) framed.silentFrames.add(frame);
      });
    }),
  );
}
