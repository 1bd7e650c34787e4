import { type KeyObject, randomBytes, randomUUID } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { MAKE_KEY, readSecretKey } from "../../shared/secrets/secret-box.ts";
import { SECRET_MESSAGES } from "../texts.ts";

/** The file in the data folder with the key of stored secrets. */
export const KEY_FILE = "secret.key";

/**
 * Returns the key in the data folder, or null where there is none.
 * @throws Error when the file holds no key
 */
export async function readKeyFile(dataDir: string): Promise<KeyObject | null> {
  const path = join(dataDir, KEY_FILE);
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (text === null) return null;
  const key = readSecretKey(text.trim());
  if (key) return key;
  throw new Error(SECRET_MESSAGES.noKeyIn(path));
}

/** Makes the key in the data folder, which only this process may write to now. @returns it */
export async function makeKeyFile(dataDir: string): Promise<KeyObject> {
  const path = join(dataDir, KEY_FILE);
  const text = randomBytes(32).toString("base64");
  const key = readSecretKey(text);
  if (!key) throw new Error(SECRET_MESSAGES.invalidKey(MAKE_KEY));
  // Written beside its place and renamed: after a crash there is the whole key or none.
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, `${text}\n`, { mode: 0o600, flag: "wx", flush: true });
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
  return key;
}
