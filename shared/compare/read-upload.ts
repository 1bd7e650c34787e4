import { createHash } from "node:crypto";
import sharp, { type Sharp } from "sharp";
import { openPng, requireComparable, requireComplete, UnreadableImageError } from "./png-file.ts";

/** Fast: a lossy file becomes a PNG of several times its size with any effort. */
const PNG = { compressionLevel: 3, palette: false } as const;
/** Small enough to cost nothing. Every pixel is decoded for it. */
const PROBE_PX = 16;

/** An image file, ready for the image store. */
export interface ReadUpload {
  png: Buffer;
  /** SHA-256 of `png`, hex. */
  hash: string;
  /** px. */
  width: number;
  height: number;
}

/**
 * Decodes an image file once, outside of the main thread, and returns it as a PNG. A PNG keeps its bytes. The type
 * follows from the content: PNG, JPEG or WebP. The first frame of an animation counts.
 * @throws UnreadableImageError if it is another type, damaged, or too large. Its size is known before it is decoded
 */
export async function readUpload(bytes: Buffer): Promise<ReadUpload> {
  const png = isPng(bytes) ? await verified(bytes) : await converted(bytes);
  const { width, height } = openPng(png);
  return { png, hash: createHash("sha256").update(png).digest("hex"), width, height };
}

/** Reads the size of an image file from its header. @throws UnreadableImageError like readUpload */
export async function readUploadSize(bytes: Buffer): Promise<Pick<ReadUpload, "width" | "height">> {
  if (isPng(bytes)) return openPng(bytes);
  // `requireComparable` limits the pixels, with its own message.
  const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata().catch(refuse);
  requireComparable(width, height);
  return { width, height };
}

/** The first bytes of a JPEG (ITU T.81, section B.2), a WebP (RFC 9649, section 2.4), and a PNG (section 5.2). */
function isPng(bytes: Buffer): boolean {
  if (bytes.subarray(0, 8).equals(Buffer.from("\x89PNG\r\n\x1a\n", "latin1"))) return true;
  const isJpeg = bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]));
  const isWebp = bytes.toString("latin1", 0, 4) === "RIFF" && bytes.toString("latin1", 8, 12) === "WEBP";
  if (isJpeg || isWebp) return false;
  throw new UnreadableImageError("the file is not a PNG, JPEG or WebP image");
}

async function verified(png: Buffer): Promise<Buffer> {
  const file = openPng(png);
  requireComplete(file);
  const probe = { fit: "fill", fastShrinkOnLoad: false } as const;
  await decode(png, image => image.resize(PROBE_PX, PROBE_PX, probe).raw());
  return png;
}

async function converted(bytes: Buffer): Promise<Buffer> {
  await readUploadSize(bytes);
  return decode(bytes, image => image.toColourspace("srgb").png(PNG));
}

async function decode(bytes: Buffer, into: (image: Sharp) => Sharp): Promise<Buffer> {
  // The size was checked before.
  const image = sharp(bytes, {
    limitInputPixels: false,
    failOn: "error",
    sequentialRead: true,
    ignoreIcc: true,
  });
  return into(image).toBuffer().catch(refuse);
}

function refuse(cause: unknown): never {
  throw new UnreadableImageError("the image is damaged or incomplete", { cause });
}
