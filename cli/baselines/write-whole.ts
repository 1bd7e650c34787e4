import { open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** A file of this name is being written, or was when its process ended. */
const DRAFT = /^\.vrs-draft-/;
/** No process takes so long to write a file. */
const ABANDONED_MS = 10 * 60_000;

/** How a file is written. */
interface Writing {
  /** Whether it must outlive a loss of power right after. */
  lasting?: boolean;
  /** Its rights, from its first byte on; the usual ones unless said otherwise. */
  mode?: number;
}

/** Writes a file so that whoever reads it, at any moment and after a crash, sees all of the old or all of the new. */
export async function writeWhole(
  path: string,
  data: string | Uint8Array,
  { lasting = false, mode = 0o666 }: Writing = {},
): Promise<void> {
  const draft = join(
    dirname(path),
    `.vrs-draft-${process.pid}-${crypto.randomUUID()}-${basename(path)}`.slice(0, 200),
  );
  try {
    const file = await open(draft, "wx", mode);
    try {
      await file.writeFile(data);
      if (lasting) await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Removes what processes that were killed left half-written in a folder. */
export async function removeAbandoned(folder: string, abandonedMs = ABANDONED_MS): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const drafts = names.filter(name => DRAFT.test(name)).map(name => join(folder, name));
  await Promise.all(
    drafts.map(async draft => {
      const { mtimeMs } = (await stat(draft).catch(() => null)) ?? { mtimeMs: Date.now() };
      if (Date.now() - mtimeMs > abandonedMs) await rm(draft, { force: true });
    }),
  );
}
