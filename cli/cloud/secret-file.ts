import { randomBytes } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";

/** Writes a file that only its owner reads: it never exists with other rights, nor in part. */
export async function writeSecret(path: string, content: string): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    const file = await open(draft, "wx", 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
