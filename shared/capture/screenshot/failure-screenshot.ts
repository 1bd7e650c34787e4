import type { Frame, JSHandle } from "playwright";
import { endsWithin, withTimeout } from "../../async.ts";
import type { Lease } from "../browser/lease.ts";
import type { FailureScreenshot } from "../capture-types.ts";
import {
  type CoveredElements,
  coverSecrets,
  findShownTexts,
  hideFrame,
  uncover,
} from "../page/in-page/cover-secrets.ts";
import { areaOfWindow } from "../page/in-page/element-areas.ts";
import type { SecretValues } from "../sessions/secret-values.ts";
import { hashOf } from "./take-screenshot.ts";

/** A page that failed may also be too busy to respond. */
const SCREENSHOT_MS = 3_000;
const FRAME_MS = 500;
/** A page with more frames gets no image. */
const MAX_FRAMES = 50;

/**
 * Captures the viewport of a page whose step or login failed. Fields for passwords and one-time codes, and everything
 * that shows a secret, are covered meanwhile: later states are captured from the same page.
 * @returns null if the page shows nothing, has too many frames, or does not respond
 */
export async function captureFailure(lease: Lease, secrets: SecretValues): Promise<FailureScreenshot | null> {
  if (!/^https?:/.test(lease.page.url())) return null;
  const late = () => new Error("The page is not responding.");
  return await withTimeout(capture(lease, secrets), SCREENSHOT_MS, late).catch(() => null);
}

async function capture({ page, driver }: Lease, secrets: SecretValues): Promise<FailureScreenshot | null> {
  const main = page.mainFrame();
  const children = page.frames().filter(frame => frame !== main);
  if (children.length > MAX_FRAMES) return null;
  const covered: JSHandle<CoveredElements>[] = [];
  try {
    await Promise.all(children.map(frame => coverFrame(frame, secrets, covered)));
    await cover(main, secrets, covered);
    const png = await driver.capture(await page.evaluate(areaOfWindow));
    return { png, hash: hashOf(png) };
  } finally {
    const uncovering = Promise.allSettled(covered.map(elements => elements.evaluate(uncover)));
    await endsWithin(uncovering, FRAME_MS);
  }
}

/** Covers what a frame must not show. A frame that does not respond is hidden. */
async function coverFrame(
  frame: Frame,
  secrets: SecretValues,
  covered: JSHandle<CoveredElements>[],
): Promise<void> {
  const late = () => new Error("The frame is not responding.");
  await withTimeout(cover(frame, secrets, covered), FRAME_MS, late).catch(async () => {
    if (frame.isDetached()) return;
    const element = await frame.frameElement();
    covered.push(await element.evaluateHandle(hideFrame));
  });
}

/** The page gets no secrets for that: it may belong to someone else. */
async function cover(
  frame: Frame,
  secrets: SecretValues,
  covered: JSHandle<CoveredElements>[],
): Promise<void> {
  const shown = await frame.evaluateHandle(findShownTexts);
  const texts = await shown.evaluate(({ texts }) => texts);
  const indexes = texts.flatMap((text, index) => (secrets.mask(text) === text ? [] : [index]));
  covered.push(await shown.evaluateHandle(coverSecrets, indexes));
}
