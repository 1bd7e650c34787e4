import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Keeps measurements of one part of the benchmark in a file, so that a run of hours can continue after it ended. */
export interface SavedPart<T> {
  /** Returns what was kept last, or null. */
  read(): Promise<T | null>;
  write(measured: T): Promise<void>;
}

/** Keeps a part in a folder. Without a folder, nothing is kept. */
export function openSavedPart<T>(folder: string | null, part: string): SavedPart<T> {
  if (folder === null) return { read: async () => null, write: async () => {} };
  const path = join(folder, `${part}.json`);
  return {
    async read() {
      const text = await readFile(path, "utf8").catch(() => null);
      return text === null ? null : JSON.parse(text);
    },
    async write(measured) {
      await mkdir(folder, { recursive: true });
      // The benchmark may be killed while it writes.
      await writeFile(`${path}.part`, JSON.stringify(measured));
      await rename(`${path}.part`, path);
    },
  };
}
