import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** All bytes of the files in a folder, for looking for what must not be there. */
export async function everyByteIn(folder: string): Promise<Buffer> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const read = files.filter(file => file.isFile()).map(file => readFile(join(file.parentPath, file.name)));
  return Buffer.concat(await Promise.all(read));
}
