import { COLOR_THRESHOLD } from "../../../shared/compare/pixel-rule.ts";
import {
  type ScreenshotMetadata,
  type StoredUpload,
  storedUpload,
  type UploadedScreenshot,
} from "../../../shared/contracts/builds/uploaded-screenshot.ts";
import { keyOf } from "../../../shared/contracts/capture/screenshot-key.ts";
import { VIEWPORT_HEIGHT_PX } from "../../../shared/contracts/capture/viewport.ts";
import type { Screenshot } from "../screenshot.entity.ts";
import type { PlannedScreenshot } from "../submission/plan-screenshots.rule.ts";
import type { ListedImage, ListedScreenshot } from "./listed-screenshot.store.ts";

/** A screenshot of a build with its image. */
export interface PlannedUpload
  extends PlannedScreenshot,
    Pick<Screenshot, "hash" | "width" | "height" | "browser"> {
  upload: StoredUpload;
  /** Whether `viewport` is the width of the image, because the metadata has no viewport. */
  hasImageWidth: boolean;
}

/** Returns a screenshot as it is stored until its image is known. */
export function listedOf({ name, hash, ...metadata }: UploadedScreenshot): ListedScreenshot {
  return {
    name,
    environment: metadata.environment ?? "",
    width: metadata.viewport?.width ?? 0,
    hash,
    retry: metadata.retry ?? 0,
    metadata,
  };
}

/**
 * Returns the last attempt of each screenshot of a request. Names one that is listed twice with different bytes in the
 * same attempt.
 */
export function lastAttempts(
  screenshots: readonly UploadedScreenshot[],
): { listed: ListedScreenshot[] } | { duplicate: number } {
  const last = new Map<string, ListedScreenshot>();
  for (const [index, screenshot] of screenshots.entries()) {
    const listed = listedOf(screenshot);
    const key = JSON.stringify([listed.name, listed.environment, listed.width]);
    const before = last.get(key);
    if (before && before.retry === listed.retry && before.hash !== listed.hash) return { duplicate: index };
    if (!before || before.retry <= listed.retry) last.set(key, listed);
  }
  return { listed: [...last.values()] };
}

/**
 * Returns the screenshots of a build. If one was listed with its width and another gets the same width from its image,
 * the last attempt counts, and the later one of equal attempts.
 */
export function planUploads(
  images: readonly ListedImage[],
  { threshold }: { threshold: number },
): PlannedUpload[] {
  const planned = new Map<string, { upload: PlannedUpload; retry: number }>();
  for (const image of images) {
    const upload = planUpload(image, threshold);
    const key = keyOf(upload);
    const before = planned.get(key);
    if (!before || before.retry <= image.retry) planned.set(key, { upload, retry: image.retry });
  }
  return [...planned.values()].map(({ upload }) => upload);
}

function planUpload(
  { name, environment, imageHash, imageWidth, imageHeight, metadata }: ListedImage,
  threshold: number,
): PlannedUpload {
  return {
    ...{ route: name, state: null, environment: environment === "" ? null : environment },
    viewport: metadata.viewport?.width ?? imageWidth,
    viewportHeight: metadata.viewport?.height ?? VIEWPORT_HEIGHT_PX,
    threshold: metadata.threshold ?? threshold,
    colorThreshold: metadata.colorThreshold ?? COLOR_THRESHOLD,
    ignoreRegions: metadata.ignoreRegions ?? [],
    ...{ hash: imageHash, width: imageWidth, height: imageHeight, browser: metadata.browser ?? null },
    upload: viewOf(metadata),
    hasImageWidth: metadata.viewport === undefined,
  };
}

function viewOf(metadata: ScreenshotMetadata): StoredUpload {
  return storedUpload.strip().parse(metadata);
}
