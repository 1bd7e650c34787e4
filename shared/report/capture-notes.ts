import { SCREENSHOT_TEXTS } from "./texts.ts";

/** Facts of a capture besides its pixels. */
interface CaptureFacts {
  /** Height of the image, px. */
  height: number | null;
  /** Height of the page before it was cut at the limit, px; null if it wasn't cut. */
  cutFromHeight: number | null;
  /** Files that the page failed to load, such as `/app.css (404)`. */
  missing: string[];
}

/** Returns remarks on a capture for reviewers, as sentences. */
export function captureNotes({ height, cutFromHeight, missing }: CaptureFacts): string[] {
  const notes = [];
  if (missing.length > 0) notes.push(SCREENSHOT_TEXTS.failedToLoad(missing));
  if (cutFromHeight !== null) notes.push(SCREENSHOT_TEXTS.cut(cutFromHeight, height ?? 0));
  return notes;
}
