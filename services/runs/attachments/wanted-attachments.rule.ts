import type { ListedScreenshot } from "../builds/listed-screenshot.store.ts";

/** A name and environment with the hash of the image. */
export type ListedImage = Pick<ListedScreenshot, "name" | "environment" | "hash">;

/** Returns the screenshots with files to upload. */
export function withFiles(listed: readonly ListedScreenshot[]): ListedScreenshot[] {
  return listed.filter(screenshot => filesOf(screenshot).length > 0);
}

/**
 * Returns the hashes of the files that reviewers may need: those of screenshots that look like nothing approved, and of
 * tests that were retried. Traces of all the other tests would fill the store.
 * @param approved screenshots whose image was approved before
 */
export function wantedFiles(listed: readonly ListedScreenshot[], approved: readonly ListedImage[]): string[] {
  const known = new Set(approved.map(keyOf));
  const wanted = listed.filter(screenshot => screenshot.retry > 0 || !known.has(keyOf(screenshot)));
  return [...new Set(wanted.flatMap(filesOf))];
}

function filesOf({ metadata: { attachments = [] } }: ListedScreenshot): string[] {
  return attachments.flatMap(({ hash }) => hash ?? []);
}

function keyOf({ name, environment, hash }: ListedImage): string {
  return JSON.stringify([name, environment, hash]);
}
