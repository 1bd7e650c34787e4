import { SCREENSHOT_TEXTS } from "./texts.ts";

/** What a capture reports beside its pixels. */
interface CaptureFacts {
  /** Of the image, px. */
  height: number | null;
  /** Height of the page before it was cut at the limit, px; null when it was not cut. */
  cutFromHeight: number | null;
  /** Files that the page failed to load, as `/app.css (404)`. */
  missing: string[];
}

/** Returns in sentences what a reviewer should know of how a screenshot was captured. */
export function captureNotes({ height, cutFromHeight, missing }: CaptureFacts): string[] {
  const notes = [];
  if (missing.length > 0) notes.push(SCREENSHOT_TEXTS.failedToLoad(missing));
  if (cutFromHeight !== null) notes.push(SCREENSHOT_TEXTS.cut(cutFromHeight, height ?? 0));
  return notes;
}
