import type { KeyObject } from "node:crypto";
import type { Server } from "node:net";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import type { Config } from "../../shared/config.ts";
import { createDatabase } from "../../shared/database-template.ts";
import { makePrivate, makePrivateFolder } from "../private-folder.ts";
import { DATABASE_MESSAGES } from "../texts.ts";
import { lockFolder } from "./folder-lock.ts";
import { KEY_FILE, makeKeyFile, readKeyFile } from "./secret-key-file.ts";

/** The database of a data directory, and the keys of its secrets. */
interface EmbeddedDatabase {
  pglite: PGlite;
  /** The first one encrypts, all of them decrypt. */
  secretKeys: KeyObject[];
}

interface Opened {
  users: number;
  database: Promise<EmbeddedDatabase & { lock: Server[] }>;
}

/** PostgreSQL fills its buffers with zeros at the start. The default of 128 MB takes memory and processor time. */
const BUFFERS = ["-c", "shared_buffers=32MB"];

const opened = new Map<string, Opened>();

/**
 * Opens the PGlite database of a data directory. The services of this process share it. Each call is paired
 * with `closeEmbeddedDatabase`.
 * @param warn called if other accounts can read the directory and this one can't change that
 */
export async function openEmbeddedDatabase(
  config: Config,
  warn: (message: string) => void = () => {},
): Promise<EmbeddedDatabase> {
  const { dataDir } = config;
  const entry = opened.get(dataDir) ?? { users: 0, database: start(config, warn) };
  opened.set(dataDir, entry);
  entry.users += 1;
  return entry.database;
}

/** Closes the database when its last user closes it. */
export async function closeEmbeddedDatabase(dataDir: string): Promise<void> {
  const entry = opened.get(dataDir);
  if (!entry) return;
  entry.users -= 1;
  if (entry.users > 0) return;
  opened.delete(dataDir);
  const { pglite, lock } = await entry.database;
  await pglite.close();
  for (const socket of lock) socket.close();
}

async function start(
  { dataDir, cacheDir, secretKeys }: Config,
  warn: (message: string) => void,
): Promise<EmbeddedDatabase & { lock: Server[] }> {
  const folder = join(dataDir, "database");
  try {
    await makePrivateFolder(dataDir, warn);
    const lock = await lockFolder(dataDir);
    await createDatabase(folder, cacheDir);
    // Before the database opens them: PostgreSQL gives new files the permissions of their folder.
    for (const name of ["database", "lock.sock", KEY_FILE]) await makePrivate(join(dataDir, name));
    const keys = await keysOf(dataDir, secretKeys);
    const pglite = await PGlite.create(folder, { startParams: [...PGlite.defaultStartParams, ...BUFFERS] });
    return { pglite, secretKeys: keys, lock };
  } catch (error) {
    throw withRemedy(error);
  }
}

/**
 * Returns the keys of SERVICE_SECRET_KEY, then the one in the folder. A variable that is set later takes
 * precedence.
 */
async function keysOf(dataDir: string, configured: readonly KeyObject[]): Promise<KeyObject[]> {
  const inFolder = await readKeyFile(dataDir);
  if (inFolder) return [...configured, inFolder];
  return configured.length > 0 ? [...configured] : [await makeKeyFile(dataDir)];
}

/** Errors of the file system for a folder of another user, a read-only folder, or a file. */
const NOT_WRITABLE = /^(EACCES|EPERM|EROFS|ENOTDIR|EEXIST):/;

function withRemedy(error: unknown): unknown {
  if (!(error instanceof Error && NOT_WRITABLE.test(error.message))) return error;
  return new Error(DATABASE_MESSAGES.noFolder(error.message), { cause: error });
}
