import type { Frame, Locator, Page } from "playwright";
import { withTimeout } from "../../async.ts";
import type { PageArea } from "../screenshot/capture-area.ts";
import { TEST_PAGE_ERRORS as ERRORS } from "../texts.ts";
import { FRAME_MS, inFrames } from "./in-frames.ts";
import { adoptPage, releasePage } from "./in-page/adopt-page.ts";
import { areaOfWindow } from "./in-page/element-areas.ts";
import { freezePage } from "./in-page/freeze-page.ts";
import { repaintScrollers } from "./in-page/repaint-scrollers.ts";
import { rewindVideos } from "./in-page/rewind-videos.ts";
import { finishAnimations, settleFrame } from "./in-page/settle-page.ts";
import { openTestPageCamera, type TestPageCamera } from "./test-page-camera.ts";

/** What a screenshot of a test's page shows. */
export interface CaptureTarget {
  /** For messages. */
  name: string;
  element: Locator | null;
  /** The frame whose elements are masked and hidden. Default: the page's main frame. */
  frame?: Frame;
  paddingPx: number;
  fullPage: boolean;
  masks: string[];
  hide: string[];
  timeoutMs: number;
}

/** How long images, fonts and videos may take. A page without them is captured as it is. */
const CONTENT_MS = 5_000;
/** Time between two captures that must be equal. */
const INTERVAL_MS = 100;

/** A stable screenshot of a test's page. */
export interface StableCapture {
  image: Buffer;
  /** What reviewers should know about how it was made. Null if vrs captured it as it captures pages. */
  note: string | null;
}

interface Framed {
  page: Page;
  silentFrames: WeakSet<Frame>;
}

/**
 * Captures a page that a test controls, once it is stable: its images and fonts are loaded, animations are finished, and
 * two captures are equal. It doesn't scroll the page, and undoes everything it did to it.
 * @throws Error if the page keeps changing, or the element isn't visible
 */
export async function captureStable(page: Page, target: CaptureTarget): Promise<StableCapture> {
  const camera = await openTestPageCamera(page);
  const framed: Framed = { page, silentFrames: new WeakSet() };
  const { timeoutMs } = target;
  await inAllFrames(framed, timeoutMs, frame => frame.evaluate(adoptPage));
  const release = async () => {
    // A page that the test closed has nothing to undo.
    if (!page.isClosed()) await inAllFrames(framed, timeoutMs, frame => frame.evaluate(releasePage));
  };
  const image = await captureFrozen(framed, camera, target).catch(async (error: unknown) => {
    // A page that doesn't respond fails here, too. The first error says more.
    await release().catch(() => {});
    throw error;
  });
  await release();
  return { image, note: camera.note };
}

async function captureFrozen(framed: Framed, camera: TestPageCamera, target: CaptureTarget): Promise<Buffer> {
  await awaitContent(framed);
  const size = await freezeAll(framed, target);
  return await untilStable(camera, await areaOf(framed.page, target, size), target);
}

/** Runs a script in the main frame, which must respond, and in its other frames. */
async function inAllFrames(
  framed: Framed,
  timeoutMs: number,
  work: (frame: Frame) => Promise<unknown>,
): Promise<void> {
  const late = () => new Error(ERRORS.notResponding(timeoutMs));
  await Promise.all([
    withTimeout(work(framed.page.mainFrame()), timeoutMs, late),
    inFrames(framed, FRAME_MS, work),
  ]);
}

/** Waits for images and fonts, and finishes animations. A server that doesn't respond can't delay it for longer. */
async function awaitContent(framed: Framed): Promise<void> {
  const late = new Error("The page is not responding.");
  const work = async (frame: Frame) => {
    await frame.evaluate(settleFrame);
    await frame.evaluate(finishAnimations);
  };
  const { page } = framed;
  const all = Promise.all([work(page.mainFrame()), inFrames(framed, CONTENT_MS, work)]);
  await withTimeout(all, CONTENT_MS, () => late).catch(error => {
    if (error !== late) throw error;
  });
}

async function freezeAll(
  framed: Framed,
  { frame: masked = framed.page.mainFrame(), masks, hide, timeoutMs }: CaptureTarget,
): Promise<{ width: number; height: number }> {
  const main = framed.page.mainFrame();
  let size = { width: 0, height: 0 };
  let invalidSelector: string | null = null;
  await inAllFrames(framed, timeoutMs, async frame => {
    const selectors = frame === masked ? { masks, hide } : { masks: [], hide: [] };
    const frozen = await frame.evaluate(freezePage, selectors);
    if (frame === masked) ({ invalidSelector } = frozen);
    if (frame === main) size = { width: frozen.width, height: frozen.height };
    if (frozen.hasStoppedVideos) await frame.evaluate(rewindVideos);
    await frame.evaluate(repaintScrollers);
  });
  if (invalidSelector !== null) throw new Error(ERRORS.invalidSelector(invalidSelector));
  return size;
}

/** Returns the area to capture, px from the top left of the page. */
async function areaOf(
  page: Page,
  { element, paddingPx, fullPage }: CaptureTarget,
  size: { width: number; height: number },
): Promise<PageArea> {
  const shown = await page.evaluate(areaOfWindow);
  if (element === null) return fullPage ? { x: 0, y: 0, width: size.width, height: size.height } : shown;
  const box = await element.boundingBox();
  if (box === null) throw new Error(ERRORS.invisible(String(element)));
  const x = Math.max(0, Math.floor(box.x + shown.x - paddingPx));
  const y = Math.max(0, Math.floor(box.y + shown.y - paddingPx));
  const right = Math.min(size.width, Math.ceil(box.x + shown.x + box.width + paddingPx));
  const bottom = Math.min(size.height, Math.ceil(box.y + shown.y + box.height + paddingPx));
  return { x, y, width: Math.max(1, right - x), height: Math.max(1, bottom - y) };
}

/** Captures until two captures in a row are equal. */
async function untilStable(
  camera: TestPageCamera,
  area: PageArea,
  { name, timeoutMs }: CaptureTarget,
): Promise<Buffer> {
  const end = performance.now() + timeoutMs;
  for (let before = await camera.capture(area); ; ) {
    const next = await camera.capture(area);
    if (next.equals(before)) return next;
    if (performance.now() > end) throw new Error(ERRORS.unstable(name, timeoutMs));
    before = next;
    await new Promise(resolve => setTimeout(resolve, INTERVAL_MS));
  }
}
