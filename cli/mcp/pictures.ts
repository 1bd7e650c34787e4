import sharp from "sharp";
import type { Access } from "../cloud/access.ts";
import { CommandError } from "../terminal.ts";
import { MCP_ERRORS, MCP_NOTES } from "../texts/mcp.ts";

/** An image of an answer, with the line above it. */
export interface Picture {
  name: string;
  bytes: Buffer;
  mimeType: "image/png" | "image/webp";
}

/** The largest PNG of a page. */
const DOWNLOAD_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MS = 30_000;
/** Of one image, and of all images of an answer. Base64 adds a third. */
const PICTURE_BYTES = 250_000;
const ANSWER_BYTES = 700_000;
/** Larger images are encoded again. */
const WEBP = { quality: 70, effort: 2 };
/** WebP allows at most 16,383 px. Models scale larger images down anyway. */
const MAX_HEIGHT_PX = 4_000;
/** The largest page has 3,840 × 20,000 px. */
const MAX_PIXELS = 80_000_000;

/** Collects the pictures of an answer within its limits. */
export class PictureBudget {
  readonly pictures: Picture[] = [];
  #left = ANSWER_BYTES;

  /** Adds a picture. @returns why it was omitted, or null */
  async add(name: string, image: Buffer, maxWidthPx?: number): Promise<string | null> {
    const picture = await shrink(name, image, maxWidthPx);
    if (picture === null || picture.bytes.length > this.#left) return MCP_NOTES.omitted;
    this.#left -= picture.bytes.length;
    this.pictures.push(picture);
    return null;
  }
}

/** Returns an image that is small enough; null if that takes too much. */
async function shrink(name: string, image: Buffer, maxWidthPx?: number): Promise<Picture | null> {
  const { width = 0, height = 0, format } = await sharp(image, { limitInputPixels: MAX_PIXELS }).metadata();
  const isSmall = width <= (maxWidthPx ?? width) && height <= MAX_HEIGHT_PX;
  if (isSmall && image.length <= PICTURE_BYTES && (format === "png" || format === "webp"))
    return { name, bytes: image, mimeType: `image/${format}` };
  for (const share of [1, 0.6]) {
    const wanted = Math.max(1, Math.round(Math.min(width, maxWidthPx ?? width) * share));
    const bytes = await sharp(image, { limitInputPixels: MAX_PIXELS })
      .resize({ width: wanted, height: MAX_HEIGHT_PX, fit: "inside", withoutEnlargement: true })
      .webp(WEBP)
      .toBuffer();
    if (bytes.length <= PICTURE_BYTES) return { name, bytes, mimeType: "image/webp" };
  }
  return null;
}

/**
 * Downloads an image of the service. Links are signed. The key is only sent to the service's own URL, for teams whose
 * links need a sign-in.
 * @throws CommandError `no_picture`, `too_large`
 */
export async function download(link: string, access: Access, signal: AbortSignal): Promise<Buffer> {
  const url = new URL(link);
  const isOwn = url.origin === new URL(access.url).origin;
  const key = access.currentKey ? await access.currentKey() : access.apiKey;
  const response = await fetch(url, {
    ...(isOwn && { headers: { authorization: `Bearer ${key}` } }),
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  });
  if (!response.ok || !response.body) {
    await response.body?.cancel();
    throw new CommandError("no_picture", MCP_ERRORS.pictureUnavailable(response.status));
  }
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body) {
    length += part.length;
    if (length > DOWNLOAD_BYTES) throw new CommandError("too_large", MCP_ERRORS.pictureTooLarge);
    parts.push(part);
  }
  return Buffer.concat(parts);
}
