import { randomUUID } from "node:crypto";
import { readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { isHeldOpen } from "../baselines/write-atomically.ts";

/**
 * No process holds a lock for so long. Its holder was killed, runs on another machine, or its process ID was
 * reused.
 */
const ABANDONED_AFTER_MS = 180_000;
const RETRY_INTERVAL_MS = 50;

/**
 * Runs work while holding a lock file, so that only one process that shares a folder does it at a time. The lock
 * of a killed process is broken.
 * @param path the lock file, which exists while the work runs
 * @param stopping aborts the wait for the lock
 * @returns null if the wait was aborted before this process got the lock
 */
export async function withFileLock<T>(
  path: string,
  stopping: AbortSignal,
  work: () => Promise<T>,
): Promise<T | null> {
  const own = `${process.pid} ${hostname()} ${randomUUID()}`;
  while (!(await acquireLock(path, own))) {
    if (stopping.aborted) return null;
    await delay(RETRY_INTERVAL_MS, undefined, { signal: stopping }).catch(() => {});
  }
  try {
    return await work();
  } finally {
    if ((await readHolder(path)) === own) await rm(path, { force: true });
  }
}

async function acquireLock(path: string, own: string): Promise<boolean> {
  if (await createLockFile(path, own)) return true;
  const holder = await readHolder(path);
  if (holder !== null && (await isAbandoned(path, holder))) await breakLock(path, holder);
  return false;
}

async function createLockFile(path: string, holder: string): Promise<boolean> {
  try {
    await writeFile(path, holder, { flag: "wx" });
    return true;
  } catch (error) {
    // A lock file that is being deleted on Windows can't be created yet.
    if (isHeldOpen(process.platform, error)) return false;
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

/** Returns the holder. Empty if its process is still writing the file. Null if there is no file. */
function readHolder(path: string): Promise<string | null> {
  return readFile(path, "utf8").catch(() => null);
}

async function isAbandoned(path: string, holder: string): Promise<boolean> {
  const [pid, host] = holder.split(" ");
  if (host === hostname() && !isProcessRunning(Number(pid))) return true;
  const { mtimeMs } = (await stat(path).catch(() => null)) ?? { mtimeMs: Date.now() };
  return Date.now() - mtimeMs > ABANDONED_AFTER_MS;
}

function isProcessRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Removes the lock file of a gone holder. If another process got the lock meanwhile, its file is put back. */
async function breakLock(path: string, gone: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  const isMoved = await rename(path, aside).then(
    () => true,
    () => false,
  );
  if (!isMoved) return;
  const moved = await readHolder(aside);
  if (moved !== null && moved !== gone) await createLockFile(path, moved);
  await rm(aside, { force: true });
}
