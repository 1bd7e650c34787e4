import { createHash } from "node:crypto";
import sharp from "sharp";
import type { PageArea } from "./capture-area.ts";

/** A PNG of a page. */
export interface PageImage {
  png: Buffer;
  /** SHA-256 of `png`, hex. */
  hash: string;
  /** px of the image. */
  width: number;
  height: number;
  /** Height without the limit, px of the image; null if it was not cut. */
  cutFromHeight: number | null;
  /** Image pixels per CSS pixel. */
  scale: number;
  /** The areas of the page that the image shows below each other. `top` is in px of the image. */
  parts: { area: PageArea; top: number }[];
}

/** Pixels of the largest image: the widest viewport with the tallest page. */
const MAX_IMAGE_PIXELS = 3840 * 20_000;
/** Space between the areas of an image, CSS px. */
const GAP_PX = 16;

/** Returns the height to which an image of this width may show a page, CSS px. */
function maxHeightOf(width: number, scale: number, maxHeightPx: number): number {
  return Math.min(maxHeightPx, Math.floor(MAX_IMAGE_PIXELS / (width * scale) / scale));
}

/**
 * Captures areas of a page into one image, below each other. The image is cut at the limit.
 * @param capture captures one area as PNG
 * @param maxHeightPx CSS px
 */
export async function takeImage(
  capture: (area: PageArea) => Promise<Buffer>,
  areas: readonly PageArea[],
  { scale, maxHeightPx }: { scale: number; maxHeightPx: number },
): Promise<PageImage> {
  const width = Math.max(...areas.map(area => area.width));
  const limit = maxHeightOf(width, scale, maxHeightPx);
  const parts: PageImage["parts"] = [];
  let bottom = 0;
  for (const area of areas) {
    const top = parts.length === 0 ? 0 : bottom + GAP_PX;
    bottom = top + area.height;
    const height = Math.min(area.height, limit - top);
    if (height > 0) parts.push({ area: { ...area, height }, top: Math.round(top * scale) });
  }
  const height = Math.round(Math.min(bottom, limit) * scale);
  const size = {
    width: Math.round(width * scale),
    height,
    cutFromHeight: bottom > limit ? Math.round(bottom * scale) : null,
  };
  const [first] = parts;
  if (first === undefined) throw new Error("There is nothing to capture.");
  if (parts.length === 1) return imageOf(await capture(first.area), { ...size, scale, parts });
  const images: { input: Buffer; left: number; top: number }[] = [];
  for (const { area, top } of parts) images.push({ input: await capture(area), left: 0, top });
  const png = await sharp({ create: { width: size.width, height, channels: 3, background: "#fff" } })
    .composite(images)
    .png()
    .toBuffer();
  return imageOf(png, { ...size, scale, parts });
}

function imageOf(png: Buffer, facts: Omit<PageImage, "png" | "hash">): PageImage {
  return { png, hash: hashOf(png), ...facts };
}

/** Returns the SHA-256 of a PNG, hex. */
export function hashOf(png: Buffer): string {
  return createHash("sha256").update(png).digest("hex");
}
