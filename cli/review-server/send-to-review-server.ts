import { readFile } from "node:fs/promises";
import type { ScreenshotMetadata } from "../../shared/contracts/builds/uploaded-screenshot.ts";
import type { ScreenshotFile } from "../screenshots/find-screenshots.ts";
import { postScreenshot } from "./post-screenshot.ts";
import type { ReviewServerAddress } from "./server-file.ts";

/** Sends a screenshot file to `vrs dev`. @returns why it failed; null if it didn't. Tests go on in both cases */
export async function sendToReviewServer(
  server: ReviewServerAddress,
  { name, path }: Pick<ScreenshotFile, "name" | "path">,
  metadata: ScreenshotMetadata,
): Promise<string | null> {
  try {
    await postScreenshot(server, { name, image: await readFile(path), metadata });
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
