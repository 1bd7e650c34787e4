import { UnreadableImageError } from "../../shared/compare/png-file.ts";
import type { ScreenshotMetadata } from "../../shared/contracts/builds/uploaded-screenshot.ts";
import type { ScreenshotKey } from "../../shared/contracts/capture/screenshot-key.ts";
import type { PlannedScreenshot } from "../check/screenshots/plan-screenshots.ts";
import { mapBounded } from "../concurrency.ts";
import type { LoadedConfig } from "../config/load-config.ts";
import type { ScreenshotFile } from "./find-screenshots.ts";
import { readMetadata } from "./read-sidecar.ts";
import { readHeader } from "./screenshot-image.ts";

/** A screenshot file with its metadata. */
export interface PlannedFile extends Omit<PlannedScreenshot, "ignoreSelectors"> {
  /** Absolute path of the image. */
  path: string;
  metadata: ScreenshotMetadata;
}

/** Each image is in memory for a moment. */
const READ_CONCURRENCY = 16;
/** The width of an image that can't be read. */
const UNKNOWN_WIDTH = 0;

/**
 * Reads what identifies the screenshots of files, and how they are compared.
 * @throws CommandError `sidecar_invalid`
 */
export async function planFiles(
  files: readonly ScreenshotFile[],
  { threshold, colorThreshold }: Pick<LoadedConfig, "threshold" | "colorThreshold">,
): Promise<PlannedFile[]> {
  return await mapBounded(files, READ_CONCURRENCY, async file => {
    const { name, path } = file;
    const metadata = await readMetadata(file);
    return {
      ...(await keyOfFile(name, path, metadata)),
      threshold: metadata.threshold ?? threshold,
      colorThreshold: metadata.colorThreshold ?? colorThreshold,
      ignoreRegions: metadata.ignoreRegions ?? [],
      ...{ path, metadata },
    };
  });
}

async function keyOfFile(name: string, path: string, metadata: ScreenshotMetadata): Promise<ScreenshotKey> {
  const viewport = metadata.viewport?.width ?? (await widthOf(path));
  return { route: name, state: null, environment: metadata.environment ?? null, viewport };
}

/** The comparison reports an unreadable image. */
async function widthOf(path: string): Promise<number> {
  const size = await readHeader(path).catch((error: unknown) => {
    if (error instanceof UnreadableImageError) return null;
    throw error;
  });
  return size?.width ?? UNKNOWN_WIDTH;
}
