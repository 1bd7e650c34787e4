import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import sharp, { type Sharp } from "sharp";
import { requireComparable, UnreadableImageError } from "../../shared/compare/png-file.ts";
import { UPLOAD_BOUNDS } from "../../shared/contracts/runs/uploaded-screenshot.ts";
import type { CurrentImage } from "../check/compare-engine.ts";
import { SCREENSHOT_ERRORS as ERRORS } from "../texts/screenshots.ts";

/** `requireComparable` limits the pixels, with its own message. */
const READING = { limitInputPixels: false, failOn: "error" } as const;
/** Fast: most of these images are compared and never stored. */
const FAST = { compressionLevel: 2, palette: false } as const;

/** px. */
export interface ImageSize {
  width: number;
  height: number;
}

/** Reads the size of an image from its header. @throws UnreadableImageError */
export async function readSize(path: string): Promise<ImageSize> {
  // Given a path, sharp may answer for an earlier file of that name, from its cache.
  return await sizeOf(sharp(await readBytes(path), READING));
}

/**
 * Reads an image as a PNG. A file that is a PNG stays as it is. Its type follows from its content.
 * @throws UnreadableImageError
 */
export async function readImage(path: string): Promise<CurrentImage> {
  const bytes = await readBytes(path);
  const image = sharp(bytes, READING);
  const { width, height, format } = await sizeOf(image);
  const png = format === "png" ? bytes : await decode(image.png(FAST));
  return { png, hash: createHash("sha256").update(png).digest("hex"), width, height };
}

/** Decodes a PNG, so that a damaged one isn't compared or approved. @throws UnreadableImageError */
export async function requireDecodable({ png }: Pick<CurrentImage, "png">): Promise<void> {
  await decode(sharp(png, READING).raw());
}

async function readBytes(path: string): Promise<Buffer> {
  const file = await open(path).catch(refuse);
  try {
    const { size } = await file.stat();
    if (size > UPLOAD_BOUNDS.imageBytes)
      throw new UnreadableImageError(ERRORS.tooLarge(UPLOAD_BOUNDS.imageBytes / 1024 / 1024));
    return await file.readFile();
  } finally {
    await file.close();
  }
}

async function sizeOf(image: Sharp): Promise<ImageSize & { format: string }> {
  const { width, height, format } = await image.metadata().catch(refuse);
  if (format !== "png" && format !== "jpeg" && format !== "webp")
    throw new UnreadableImageError(ERRORS.otherType);
  requireComparable(width, height);
  return { width, height, format };
}

async function decode(image: Sharp): Promise<Buffer> {
  return await image.toBuffer().catch(refuse);
}

function refuse(error: unknown): never {
  throw new UnreadableImageError(error instanceof Error ? error.message : String(error), { cause: error });
}
