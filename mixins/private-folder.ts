import { chmod, lstat, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { forEachBatch } from "../shared/async.ts";
import { FOLDER_MESSAGES } from "./texts.ts";

const OWNER_ONLY_FOLDER = 0o700;
const OWNER_ONLY_FILE = 0o600;
const PERMISSIONS = 0o777;
const STICKY = 0o1000;
const FILE_CONCURRENCY = 16;

/**
 * Creates a folder that only this account can read, or makes an existing one private. A folder that other
 * accounts share, such as /tmp, or own keeps its permissions, and `warn` is called.
 */
export async function makePrivateFolder(folder: string, warn: (message: string) => void): Promise<void> {
  await mkdir(folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
  const { mode } = await lstat(folder);
  if ((mode & PERMISSIONS) === OWNER_ONLY_FOLDER) return;
  if ((mode & STICKY) !== 0) {
    warn(FOLDER_MESSAGES.shared(folder));
    return;
  }
  await chmod(folder, OWNER_ONLY_FOLDER).catch((error: Error) =>
    warn(FOLDER_MESSAGES.readable(folder, error.message)),
  );
}

/**
 * Removes other accounts' permissions on a path and everything in it. Other accounts' files and links stay as
 * they are. The path itself is last: when it is private, so is everything in it.
 */
export async function makePrivate(path: string): Promise<void> {
  const entry = await lstat(path).catch(ifMissing);
  if (!entry || entry.isSymbolicLink()) return;
  if (entry.isDirectory())
    await forEachBatch(await readdir(path), FILE_CONCURRENCY, name => makePrivate(join(path, name)));
  const wanted = entry.isDirectory() ? OWNER_ONLY_FOLDER : OWNER_ONLY_FILE;
  if ((entry.mode & PERMISSIONS) !== wanted) await chmod(path, wanted).catch(ifMissing);
}

/** Returns whether other accounts have any permission on a path. */
export async function isShared(path: string): Promise<boolean> {
  const entry = await lstat(path).catch(ifMissing);
  return entry !== null && (entry.mode & 0o077) !== 0;
}

function ifMissing(error: NodeJS.ErrnoException): null {
  // It was deleted meanwhile, or belongs to another account, whose folder protects it.
  if (error.code === "ENOENT" || error.code === "EPERM") return null;
  throw error;
}
