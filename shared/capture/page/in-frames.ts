import type { Frame, Page } from "playwright";
import { bounded } from "./bounded.ts";

/** A frame that leaves a script of ours waiting for longer is captured as it is. */
export const FRAME_MS = 1_000;

interface Framed {
  page: Page;
  /** Frames that do not answer. */
  silentFrames: WeakSet<Frame>;
}

/** All frames of the page but its own. */
export function childFrames({ page, silentFrames }: Framed): Frame[] {
  const main = page.mainFrame();
  // A frame without a URL has no document that a script could run in.
  return page.frames().filter(frame => frame !== main && frame.url() !== "" && !silentFrames.has(frame));
}

/** Frames come and go, and one that does not answer in time must not cost the page its screenshot: it is asked no more. */
export async function inFrames(
  framed: Framed,
  timeoutMs: number,
  work: (frame: Frame) => Promise<unknown>,
): Promise<void> {
  const late = new Error("The frame is not responding.");
  await Promise.all(
    childFrames(framed).map(async frame => {
      await bounded(work(frame), timeoutMs, () => late).catch(error => {
        if (error === late) framed.silentFrames.add(frame);
      });
    }),
  );
}
