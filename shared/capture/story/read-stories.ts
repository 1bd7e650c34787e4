import type { BrowserPool } from "../browser/browser-pool.ts";
import { openPage } from "../page/open-page.ts";
import { withinBounds } from "../page/within-bounds.ts";
import { withMovingClock } from "../steps/moving-clock.ts";
import { type ExtractedStories, extractStories } from "./in-page/extract-stories.ts";

const VIEWPORT_PX = 1280;
/** Large Storybooks load hundreds of modules. */
const EXTRACT_MS = 60_000;

/**
 * Reads the parameters and globals of stories from a Storybook's preview.
 * @param url of the preview without a story
 * @throws CaptureError, StepTimeout, errors of the preview; NoBrowserError
 */
export async function readStories(
  browsers: BrowserPool,
  isolationKey: string,
  { url, ids }: { url: string; ids: readonly string[] },
  signal: AbortSignal,
): Promise<ExtractedStories> {
  const lease = await browsers.lease(isolationKey, { signal });
  try {
    const read = async () => {
      await lease.prepare({ url, viewport: VIEWPORT_PX, options: {} });
      await openPage(lease, url);
      return await withMovingClock(lease, EXTRACT_MS, () => lease.page.evaluate(extractStories, ids));
    };
    const { value } = await withinBounds(lease, read, signal);
    return value;
  } finally {
    await lease.release();
  }
}
