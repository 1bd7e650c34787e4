import { randomUUID } from "node:crypto";
import { readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";

/** No process holds a lock for so long: its holder was killed, on another machine, or its process ID was reused. */
const ABANDONED_MS = 180_000;
const ASK_AGAIN_MS = 50;

/**
 * Does work that only one process of those that share a folder may do at a time. One that was killed holds nothing up.
 * @param path of the file that stands for it, there as long as the work takes
 * @param stopping ends the wait for others
 * @returns null where it was not this process's turn before that
 */
export async function inTurn<T>(
  path: string,
  stopping: AbortSignal,
  work: () => Promise<T>,
): Promise<T | null> {
  const own = `${process.pid} ${hostname()} ${randomUUID()}`;
  while (!(await take(path, own))) {
    if (stopping.aborted) return null;
    await delay(ASK_AGAIN_MS, undefined, { signal: stopping }).catch(() => {});
  }
  try {
    return await work();
  } finally {
    if ((await holderOf(path)) === own) await rm(path, { force: true });
  }
}

async function take(path: string, own: string): Promise<boolean> {
  if (await madeNew(path, own)) return true;
  const holder = await holderOf(path);
  if (holder !== null && (await isAbandoned(path, holder))) await release(path, holder);
  return false;
}

async function madeNew(path: string, holder: string): Promise<boolean> {
  try {
    await writeFile(path, holder, { flag: "wx" });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

/** Empty where its writer has just begun it; null where there is none. */
function holderOf(path: string): Promise<string | null> {
  return readFile(path, "utf8").catch(() => null);
}

async function isAbandoned(path: string, holder: string): Promise<boolean> {
  const [pid, host] = holder.split(" ");
  if (host === hostname() && !lives(Number(pid))) return true;
  const { mtimeMs } = (await stat(path).catch(() => null)) ?? { mtimeMs: Date.now() };
  return Date.now() - mtimeMs > ABANDONED_MS;
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Takes the file of one that is gone away; that of who has come since goes back. */
async function release(path: string, gone: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  const isMoved = await rename(path, aside).then(
    () => true,
    () => false,
  );
  if (!isMoved) return;
  const moved = await holderOf(aside);
  if (moved !== null && moved !== gone) await madeNew(path, moved);
  await rm(aside, { force: true });
}
