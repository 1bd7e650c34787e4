import { randomBytes } from "node:crypto";
import { open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/** Names of files that are being written: who writes them, and something that tells two of one process apart. */
const DRAFT = /^\.draft-(\d+)-[0-9a-f]+$/;
/** No file takes that long to write, whoever has the number of its process by now. */
const ABANDONED_MS = 3_600_000;

/** Writes a file beside its place and moves it there, so that at no moment there is a part of it. */
export async function writeWhole(folder: string, name: string, content: string | Uint8Array): Promise<void> {
  const draft = join(folder, `.draft-${process.pid}-${randomBytes(6).toString("hex")}`);
  try {
    const file = await open(draft, "wx", 0o644);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, join(folder, name));
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Removes what writers left behind that were ended in the middle. */
export async function removeDrafts(folder: string, now = Date.now()): Promise<void> {
  for (const name of await readdir(folder)) {
    const [, pid] = DRAFT.exec(name) ?? [];
    if (pid === undefined) continue;
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: now }));
    if (!isAlive(Number(pid)) || now - mtimeMs > ABANDONED_MS) await rm(path, { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of somebody else's lives, too.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
