import type { SelectorRegions } from "../contracts/capture/ignore-region.ts";
import { SCREENSHOT_TEXTS } from "./texts.ts";

/** Facts of a capture besides its pixels. */
interface CaptureFacts {
  /** Height of the image, px. */
  height: number | null;
  /** Height of the page before it was cut at the limit, px; null if it wasn't cut. */
  cutFromHeight: number | null;
  /** Files that the page failed to load, such as `/app.css (404)`. */
  missing: string[];
  /** Where the elements of ignore regions are; null if unknown. */
  selectorRegions: readonly SelectorRegions[] | null;
}

/** Returns remarks on a capture for reviewers, as sentences. */
export function captureNotes({ height, cutFromHeight, missing, selectorRegions }: CaptureFacts): string[] {
  const notes = (selectorRegions ?? []).flatMap(selectorNotes);
  if (missing.length > 0) notes.push(SCREENSHOT_TEXTS.failedToLoad(missing));
  if (cutFromHeight !== null) notes.push(SCREENSHOT_TEXTS.cut(cutFromHeight, height ?? 0));
  return notes;
}

function selectorNotes({ selector, matches, regions }: SelectorRegions): string[] {
  if (matches === 0) return [SCREENSHOT_TEXTS.nothingToIgnore(selector)];
  return regions.length < matches ? [SCREENSHOT_TEXTS.tooManyToIgnore(selector, matches)] : [];
}
