import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { openPng, UnreadableImageError } from "../../shared/compare/png-file.ts";
import { readUpload, readUploadSize } from "../../shared/compare/read-upload.ts";
import { UPLOAD_BOUNDS } from "../../shared/contracts/builds/uploaded-screenshot.ts";
import type { CurrentImage } from "../check/compare-engine.ts";
import { SCREENSHOT_ERRORS as ERRORS } from "../texts/screenshots.ts";

/** An image file. */
export interface ImageHeader {
  /** SHA-256 of its bytes, hex. */
  hash: string;
  /** px. */
  width: number;
  height: number;
}

/** Reads the size of an image from its header, and the hash of its bytes. @throws UnreadableImageError */
export async function readHeader(path: string): Promise<ImageHeader> {
  const bytes = await readBytes(path);
  const { width, height } = await readUploadSize(bytes);
  return { hash: hashOf(bytes), width, height };
}

/**
 * Reads an image as a PNG. A file that is a PNG stays as it is.
 * @param known hashes of PNGs that were decoded before, when a baseline was approved
 * @throws UnreadableImageError
 */
export async function readImage(path: string, known: readonly string[]): Promise<CurrentImage> {
  const bytes = await readBytes(path);
  const hash = hashOf(bytes);
  if (!known.includes(hash)) return await readUpload(bytes);
  const { width, height } = openPng(bytes);
  return { png: bytes, hash, width, height };
}

async function readBytes(path: string): Promise<Buffer> {
  const file = await open(path).catch(refuse);
  try {
    const { size } = await file.stat();
    const { imageBytes } = UPLOAD_BOUNDS;
    if (size > imageBytes) throw new UnreadableImageError(ERRORS.tooLarge(imageBytes / 1024 / 1024));
    return await file.readFile().catch(refuse);
  } finally {
    await file.close();
  }
}

function hashOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function refuse(error: unknown): never {
  throw new UnreadableImageError(error instanceof Error ? error.message : String(error), { cause: error });
}
