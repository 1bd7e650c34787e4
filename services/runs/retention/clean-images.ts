import { databaseTime, type EntityManager } from "../../../mixins/database.ts";
import type { ImageStore, StoredImage } from "../../../shared/contracts/image-store.ts";
import type { PeriodicTask } from "../../../shared/periodic-task.ts";
import { findUnreferencedFiles } from "../archives/archive.store.ts";
import { deleteBodies } from "../capsules/body.store.ts";
import { deleteCapsules } from "../capsules/capsule.store.ts";
import { LOG_MESSAGES } from "../texts/log.ts";
import { findUnreferenced, leaseTask, renewTaskLease } from "./retention.store.ts";

/** The lease of each cleanup, and how it finds what no row refers to. */
const KINDS = {
  images: { task: "clean-images", find: findUnreferenced },
  archives: { task: "clean-archives", find: findUnreferencedFiles },
} as const;
/** Often enough that a disk doesn't fill up within a day. Rare enough for a store with millions of images. */
const INTERVAL_MS = 6 * 3_600_000;
const POLL_INTERVAL_MS = 10 * 60_000;
/** An image is stored before a row refers to it: by hours at most, with all attempts of its job. */
const GRACE_MS = 24 * 3_600_000;
/** Small enough that a stopping node doesn't need to wait. */
const IMAGE_BATCH_SIZE = 100;

/** Dependencies of a cleanup. */
export interface CleanupContext {
  em(): EntityManager;
  images: ImageStore;
  /** What the store has. Default: images. */
  kind?: keyof typeof KINDS;
}

/** Results of a cleanup. */
export interface Cleaned {
  /** Images set aside, to be deleted on another day. */
  setAside: number;
  /** Images put back, because a row refers to them again. */
  putBack: number;
  removed: number;
  removedBytes: number;
}

/** Returns the cleanup as a periodic task. @param inform logs what a cleanup did */
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
 * Deletes images that no row refers to. It runs on one node at a time, at most every few hours.
 *
 * An image can be stored again, with a row that refers to it, at the same moment as the cleanup finds it old and
 * unreferenced. So the cleanup first sets it aside, where it can still be read. A day later it deletes the image, or
 * puts it back if a row refers to it. A crash at any point needs no repair.
 * @returns null if it wasn't due
 */
export async function cleanImages(
  { em, images, kind = "images" }: CleanupContext,
  signal: AbortSignal,
): Promise<Cleaned | null> {
  if (signal.aborted || !(await leaseTask(em(), KINDS[kind].task, INTERVAL_MS))) return null;
  const cleaned: Cleaned = { setAside: 0, putBack: 0, removed: 0, removedBytes: 0 };
  const before = new Date((await databaseTime(em())).getTime() - GRACE_MS);
  for await (const part of images.olderThan(before)) {
    for (let at = 0; at < part.length && !signal.aborted; at += IMAGE_BATCH_SIZE)
      await cleanPart({ em, images, kind }, part.slice(at, at + IMAGE_BATCH_SIZE), cleaned);
    if (signal.aborted) break;
    await renewTaskLease(em(), KINDS[kind].task);
  }
  return cleaned;
}

async function cleanPart(
  { em, images, kind }: Required<CleanupContext>,
  part: StoredImage[],
  cleaned: Cleaned,
): Promise<void> {
  const unreferenced = await KINDS[kind].find(
    em(),
    part.map(image => image.hash),
  );
  const idle = part.filter(image => !image.aside && unreferenced.has(image.hash));
  const wanted = part.filter(image => image.aside && !unreferenced.has(image.hash));
  const done = part.filter(image => image.aside && unreferenced.has(image.hash));
  // The order matters: an image can be in both places, and images set aside now must stay for a day.
  if (kind === "images") {
    const hashes = done.map(image => image.hash);
    await deleteCapsules(em(), hashes);
    await deleteBodies(em(), hashes);
  }
  await images.remove(done.map(image => image.hash));
  await images.putBack(wanted.map(image => image.hash));
  await images.setAside(idle.map(image => image.hash));
  cleaned.setAside += idle.length;
  cleaned.putBack += wanted.length;
  cleaned.removed += done.length;
  cleaned.removedBytes += done.reduce((sum, image) => sum + image.bytes, 0);
}
