import { randomBytes } from "node:crypto";
import { access, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Written last. A database without it was interrupted during seeding, and is deleted. */
const SEEDED = "seeded";
const KEY = "api-key";

/**
 * Opens the folder of `npm run dev`, which keeps the database and the API key between starts.
 * @param isFresh whether to delete existing data first
 */
export async function openDevFolder(
  folder: string,
  isFresh: boolean,
): Promise<{ folder: string; apiKey: string }> {
  if (isFresh || !(await isSeeded(folder))) await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const made = `vrs_dev_${randomBytes(18).toString("base64url")}`;
  // An existing key stays, since the database has it.
  await writeFile(join(folder, KEY), made, { flag: "wx", mode: 0o600 }).catch(() => {});
  return { folder, apiKey: await readFile(join(folder, KEY), "utf8") };
}

/** Returns whether the database was seeded completely. */
export function isSeeded(folder: string): Promise<boolean> {
  return access(join(folder, SEEDED)).then(
    () => true,
    () => false,
  );
}

/** Records that the database was seeded completely. */
export async function markSeeded(folder: string): Promise<void> {
  await writeFile(join(folder, SEEDED), "");
}
