import { databaseTime, type EntityManager } from "../../../mixins/database.ts";
import type { ImageStore, StoredImage } from "../../../shared/contracts/image-store.ts";
import type { PeriodicTask } from "../../../shared/periodic-task.ts";
import { LOG_MESSAGES } from "../texts.ts";
import { findUnreferenced, leaseTask, renewTaskLease } from "./retention.store.ts";

const TASK = "clean-images";
/** Often enough that a disk does not fill up within a day, seldom enough for a list of millions. */
const INTERVAL_MS = 6 * 3_600_000;
const POLL_INTERVAL_MS = 10 * 60_000;
/** An image is stored before a row refers to it: hours before at most, with all the tries of its job. */
const GRACE_MS = 24 * 3_600_000;
/** Few enough that a node that stops need not wait for them. */
const IMAGE_BATCH_SIZE = 100;

/** What a cleanup works with. */
export interface CleanupContext {
  em(): EntityManager;
  images: ImageStore;
}

/** What a cleanup did. */
export interface Cleaned {
  /** Images that were set aside, to be removed another day. */
  setAside: number;
  /** Images that were put back: a row refers to them again. */
  putBack: number;
  removed: number;
  removedBytes: number;
}

/** The cleanup as a node's chore. @param tell is told what was done, when it was due */
export function imageCleanupTask(
  cleaner: CleanupContext,
  inform: (done: Cleaned, what: string) => void,
): PeriodicTask {
  return {
    intervalMs: POLL_INTERVAL_MS,
    failed: LOG_MESSAGES.imagesNotCleaned,
    async work(signal) {
      const cleaned = await cleanImages(cleaner, signal);
      if (cleaned) inform(cleaned, LOG_MESSAGES.imagesCleaned);
    },
  };
}

/**
 * Removes images that no row refers to, on one node at a time and every few hours, however often it is asked to.
 *
 * An image may be stored again, and a row be written that refers to it, at the very moment at which it is found to be
 * old and without a row. So none is removed then: it is set aside, where it can still be read, and a day later it is
 * removed or, when a row refers to it after all, put back. A crash at any point leaves nothing to mend.
 * @returns null when it was not due
 */
export async function cleanImages(
  { em, images }: CleanupContext,
  signal: AbortSignal,
): Promise<Cleaned | null> {
  if (signal.aborted || !(await leaseTask(em(), TASK, INTERVAL_MS))) return null;
  const cleaned: Cleaned = { setAside: 0, putBack: 0, removed: 0, removedBytes: 0 };
  const before = new Date((await databaseTime(em())).getTime() - GRACE_MS);
  for await (const part of images.olderThan(before)) {
    for (let at = 0; at < part.length && !signal.aborted; at += IMAGE_BATCH_SIZE)
      await cleanPart({ em, images }, part.slice(at, at + IMAGE_BATCH_SIZE), cleaned);
    if (signal.aborted) break;
    await renewTaskLease(em(), TASK);
  }
  return cleaned;
}

async function cleanPart(
  { em, images }: CleanupContext,
  part: StoredImage[],
  cleaned: Cleaned,
): Promise<void> {
  const unreferenced = await findUnreferenced(
    em(),
    part.map(image => image.hash),
  );
  const idle = part.filter(image => !image.aside && unreferenced.has(image.hash));
  const wanted = part.filter(image => image.aside && !unreferenced.has(image.hash));
  const done = part.filter(image => image.aside && unreferenced.has(image.hash));
  // In this order: an image may be in both places, and what is set aside now must stay for its day.
  await images.remove(done.map(image => image.hash));
  await images.putBack(wanted.map(image => image.hash));
  await images.setAside(idle.map(image => image.hash));
  cleaned.setAside += idle.length;
  cleaned.putBack += wanted.length;
  cleaned.removed += done.length;
  cleaned.removedBytes += done.reduce((sum, image) => sum + image.bytes, 0);
}
