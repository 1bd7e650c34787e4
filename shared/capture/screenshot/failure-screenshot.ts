import type { Frame } from "playwright";
import { withTimeout } from "../../async.ts";
import type { Lease } from "../browser/lease.ts";
import type { FailureScreenshot } from "../capture-types.ts";
import { coverSecrets, findShownTexts } from "../page/in-page/cover-secrets.ts";
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
 * that shows a secret, are covered.
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
  await Promise.all(children.map(frame => coverFrame(frame, secrets)));
  await cover(main, secrets);
  const png = await driver.capture(await page.evaluate(areaOfWindow));
  return { png, hash: hashOf(png) };
}

/** Covers what a frame must not show. A frame that does not respond is hidden. */
async function coverFrame(frame: Frame, secrets: SecretValues): Promise<void> {
  const late = () => new Error("The frame is not responding.");
  await withTimeout(cover(frame, secrets), FRAME_MS, late).catch(async () => {
    if (frame.isDetached()) return;
    const element = await frame.frameElement();
    await element.evaluate(node => node instanceof HTMLElement && node.style.setProperty("display", "none"));
  });
}

/** The page gets no secrets for that: it may belong to someone else. */
async function cover(frame: Frame, secrets: SecretValues): Promise<void> {
  const shown = await frame.evaluateHandle(findShownTexts);
  const texts = await shown.evaluate(({ texts }) => texts);
  const indexes = texts.flatMap((text, index) => (secrets.mask(text) === text ? [] : [index]));
  await shown.evaluate(coverSecrets, indexes);
}
