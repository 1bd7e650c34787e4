import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { pipeline } from "node:stream/promises";
import { UnreadableImageError } from "../../shared/compare/png-file.ts";
import { ATTACHMENT_BOUNDS } from "../../shared/contracts/builds/attachments.ts";
import {
  type ScreenshotMetadata,
  UPLOAD_BOUNDS,
  type UploadedScreenshotInput,
} from "../../shared/contracts/builds/uploaded-screenshot.ts";
import { mapBounded } from "../concurrency.ts";
import type { AttachedFile, ScreenshotFile } from "../screenshots/find-screenshots.ts";
import { readFileMetadata } from "../screenshots/read-sidecar.ts";
import { readHeader } from "../screenshots/screenshot-image.ts";
import { CommandError } from "../terminal.ts";
import { SCREENSHOT_ERRORS } from "../texts/screenshots.ts";

/** Each image is in memory for a moment. */
const READ_CONCURRENCY = 2 * availableParallelism();

/** A screenshot to list in a build, and its file. */
export interface HashedFile {
  screenshot: UploadedScreenshotInput;
  /** Absolute path of the image. */
  path: string;
  /** Absolute paths of the files that `screenshot` lists by their hashes. */
  attached: ReadonlyMap<string, string>;
}

/**
 * Reads the metadata of screenshot files, and the hashes of their bytes.
 * @throws CommandError `sidecar_invalid`, `unreadable_screenshot`; the signal's reason
 */
export async function hashFiles(
  files: readonly ScreenshotFile[],
  signal: AbortSignal,
): Promise<HashedFile[]> {
  // Screenshots of one test share its files, so each is read once.
  const hashes = new Map<string, Promise<string | null>>();
  return await mapBounded(files, READ_CONCURRENCY, async file => {
    const { name, path } = file;
    signal.throwIfAborted();
    const { metadata, files: named } = await readFileMetadata(file);
    const { hash } = await readHeader(path).catch((error: unknown) => {
      if (!(error instanceof UnreadableImageError)) throw error;
      throw new CommandError(
        "unreadable_screenshot",
        SCREENSHOT_ERRORS.unreadable(path, error.message),
        error,
      );
    });
    const { attachments, attached } = await hashAttachments(
      metadata,
      [...named, ...(file.attachments ?? [])],
      hashes,
    );
    const listed = attachments.length > 0 && { attachments };
    return { screenshot: { ...metadata, ...listed, name, hash }, path, attached };
  });
}

/** Adds files to the attachments of a screenshot. Skips those that can't be uploaded. */
async function hashAttachments(
  { attachments = [] }: ScreenshotMetadata,
  files: readonly AttachedFile[],
  hashes: Map<string, Promise<string | null>>,
): Promise<{ attachments: NonNullable<ScreenshotMetadata["attachments"]>; attached: Map<string, string> }> {
  const attached = new Map<string, string>();
  const listed = [...attachments];
  for (const { name, path } of files.slice(0, UPLOAD_BOUNDS.attachments - attachments.length)) {
    const hashing = hashes.get(path) ?? hashOfFile(path);
    hashes.set(path, hashing);
    const hash = await hashing;
    if (hash === null) continue;
    attached.set(hash, path);
    listed.push({ name, hash });
  }
  return { attachments: listed, attached };
}

/** Returns the SHA-256 of a file. Null if it is missing, empty or too large. */
async function hashOfFile(path: string): Promise<string | null> {
  const { size } = await stat(path).catch(() => ({ size: 0 }));
  if (size === 0 || size > ATTACHMENT_BOUNDS.fileBytes) return null;
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}
