import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/**
 * Removes what killed processes have left in a folder. It never throws: what another account left stays.
 * @param prefix how the names of their files and folders begin
 * @param afterMs for how long an entry must not have changed. Those of running processes are younger
 */
export async function removeAbandoned(
  folder: string,
  { prefix, afterMs }: { prefix: string; afterMs: number },
): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const paths = names.filter(name => name.startsWith(prefix)).map(name => join(folder, name));
  await Promise.all(
    paths.map(async path => {
      const found = await stat(path).catch(() => null);
      if (found !== null && Date.now() - found.mtimeMs > afterMs)
        await rm(path, { recursive: true, force: true }).catch(() => {});
    }),
  );
}
