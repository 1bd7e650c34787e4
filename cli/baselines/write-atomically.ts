import { open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { removeAbandoned } from "../../shared/remove-abandoned.ts";

/** Start of the name of a file that is being written, or that a killed process left behind. */
export const DRAFT = ".vrs-draft-";
/** No write takes this long. */
const ABANDONED_MS = 10 * 60_000;
/** A scanner is done sooner. */
const RENAME_ATTEMPTS = 20;
const RENAME_PAUSE_MS = 50;

/** Options for writing a file. */
interface Writing {
  /** Whether the file must survive a power loss right after the write. */
  lasting?: boolean;
  /** Permissions from the first byte on; the default ones if omitted. */
  mode?: number;
}

/** Writes a file atomically: readers see all of the old or all of the new content, also after a crash. */
export async function writeAtomically(
  path: string,
  data: string | Uint8Array,
  { lasting = false, mode = 0o666 }: Writing = {},
): Promise<void> {
  const draft = join(
    dirname(path),
    `${DRAFT}${process.pid}-${crypto.randomUUID()}-${basename(path)}`.slice(0, 200),
  );
  try {
    const file = await open(draft, "wx", mode);
    try {
      await file.writeFile(data);
      if (lasting) await file.sync();
    } finally {
      await file.close();
    }
    await replaceFile(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function replaceFile(draft: string, path: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await rename(draft, path);
    } catch (error) {
      if (attempt === RENAME_ATTEMPTS || !isHeldOpen(process.platform, error)) throw error;
      await delay(RENAME_PAUSE_MS);
    }
  }
}

/**
 * Returns whether another program may have a file open, such as a virus scanner. Windows then refuses to replace or
 * delete the file for a moment. On other systems, these errors are about permissions.
 */
export function isHeldOpen(platform: NodeJS.Platform, error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : null;
  return platform === "win32" && (code === "EPERM" || code === "EACCES" || code === "EBUSY");
}

/** Removes files that killed processes left half-written in a folder. */
export async function removeDrafts(folder: string, afterMs = ABANDONED_MS): Promise<void> {
  await removeAbandoned(folder, { prefix: DRAFT, afterMs });
}
