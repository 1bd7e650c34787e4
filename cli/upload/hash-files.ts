import { availableParallelism } from "node:os";
import { UnreadableImageError } from "../../shared/compare/png-file.ts";
import type { UploadedScreenshotInput } from "../../shared/contracts/builds/uploaded-screenshot.ts";
import { mapBounded } from "../concurrency.ts";
import type { ScreenshotFile } from "../screenshots/find-screenshots.ts";
import { readMetadata } from "../screenshots/read-sidecar.ts";
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
}

/**
 * Reads the metadata of screenshot files, and the hashes of their bytes.
 * @throws CommandError `sidecar_invalid`, `unreadable_screenshot`; the signal's reason
 */
export async function hashFiles(
  files: readonly ScreenshotFile[],
  signal: AbortSignal,
): Promise<HashedFile[]> {
  return await mapBounded(files, READ_CONCURRENCY, async file => {
    const { name, path } = file;
    signal.throwIfAborted();
    const metadata = await readMetadata(file);
    const { hash } = await readHeader(path).catch((error: unknown) => {
      if (!(error instanceof UnreadableImageError)) throw error;
      throw new CommandError(
        "unreadable_screenshot",
        SCREENSHOT_ERRORS.unreadable(path, error.message),
        error,
      );
    });
    return { screenshot: { ...metadata, name, hash }, path };
  });
}
