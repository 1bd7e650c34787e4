import type { ScreenshotMetadata } from "../../shared/contracts/builds/uploaded-screenshot.ts";
import { REVIEW_ERRORS as ERRORS } from "../texts/review-server.ts";
import type { ReviewServerAddress } from "./server-file.ts";

/** Longer than a busy machine needs to store an image. */
const TIMEOUT_MS = 30_000;

/** Sends a screenshot to `vrs dev`. @throws Error that says what to do */
export async function postScreenshot(
  { url }: ReviewServerAddress,
  { name, image, metadata }: { name: string; image: Buffer; metadata: ScreenshotMetadata },
): Promise<void> {
  const response = await fetch(`${url}screenshots`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...metadata, name, image: image.toString("base64") }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((cause: unknown) => {
    throw new Error(ERRORS.notSent(name, cause instanceof Error ? cause.message : String(cause)), { cause });
  });
  if (response.ok) return;
  const answer: { error?: { message?: string } } = await response.json().catch(() => ({}));
  throw new Error(ERRORS.notSent(name, answer.error?.message ?? `HTTP ${response.status}`));
}
