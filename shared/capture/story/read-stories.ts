import type { BrowserPool } from "../browser/browser-pool.ts";
import type { Lease } from "../browser/lease.ts";
import { openPage } from "../page/open-page.ts";
import { withinBounds } from "../page/within-bounds.ts";
import { withMovingClock } from "../steps/moving-clock.ts";
import { STORYBOOK_ERRORS } from "../texts.ts";
import { type ExtractedStories, extractStories } from "./in-page/extract-stories.ts";
import { openEmptyPreview, type PreviewRequest } from "./kept-preview.ts";
import { RequestedUrls } from "./requested-urls.ts";

const VIEWPORT_PX = 1280;
/** Large Storybooks load hundreds of modules. */
const EXTRACT_MS = 60_000;
/** More than the settings of a story need. */
const MAX_SETTINGS_CHARS = 200_000;

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
  const read = async (lease: Lease) => {
    await openPage(lease, url);
    return await extractIn(lease, ids, EXTRACT_MS);
  };
  const page = { url, viewport: VIEWPORT_PX, options: {} };
  return (await inPage(browsers, isolationKey, { page, signal }, read)).value;
}

/** Reads the parameters and globals of stories from the preview that the page shows. @throws as `readStories` */
export async function extractIn(
  lease: Lease,
  ids: readonly string[],
  timeoutMs: number,
): Promise<{ value: ExtractedStories; livedMs: number }> {
  const tooLarge = STORYBOOK_ERRORS.tooLarge(MAX_SETTINGS_CHARS);
  const asked = { ids, maxChars: MAX_SETTINGS_CHARS, tooLarge };
  return await withMovingClock(lease, timeoutMs, () => lease.page.evaluate(extractStories, asked));
}

/**
 * Opens empty previews in several pages at the same time. They stay warm in the pool, and show the first stories.
 * @param preview without rules of the network, whose pages would need them, too
 * @throws as `readStories`
 */
export async function openPreviews(
  browsers: BrowserPool,
  isolationKey: string,
  { preview, pages }: { preview: PreviewRequest; pages: number },
  signal: AbortSignal,
): Promise<void> {
  const open = async (lease: Lease) => {
    lease.network.requested = new RequestedUrls();
    await openEmptyPreview(lease, preview);
  };
  const each = () => inPage(browsers, isolationKey, { page: preview, signal }, open);
  await Promise.all(Array.from({ length: pages }, each));
}

async function inPage<T>(
  browsers: BrowserPool,
  isolationKey: string,
  { page, signal }: { page: PreviewRequest; signal: AbortSignal },
  work: (lease: Lease) => Promise<T>,
): Promise<T> {
  const { environment = {} } = page;
  const lease = await browsers.lease(isolationKey, { environment, signal });
  try {
    return await withinBounds(lease, () => lease.prepare(page).then(() => work(lease)), signal);
  } finally {
    await lease.release();
  }
}
