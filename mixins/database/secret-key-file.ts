import { type KeyObject, randomBytes, randomUUID } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { MAKE_KEY, readSecretKey } from "../../shared/secrets/secret-box.ts";
import { SECRET_MESSAGES } from "../texts.ts";

/** The file in the data folder with the key of stored secrets. */
export const KEY_FILE = "secret.key";

/** Returns the key in the data folder, or null without one. @throws Error if the file contains no key */
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

/** Creates the key in the data folder, which only this process writes to now. @returns the key */
export async function makeKeyFile(dataDir: string): Promise<KeyObject> {
  const path = join(dataDir, KEY_FILE);
  const text = randomBytes(32).toString("base64");
  const key = readSecretKey(text);
  if (!key) throw new Error(SECRET_MESSAGES.invalidKey(MAKE_KEY));
  // Written to a temporary file and renamed, so that a crash leaves the complete key or none.
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, `${text}\n`, { mode: 0o600, flag: "wx", flush: true });
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
  return key;
}
