import { createHash, randomUUID } from "node:crypto";
import { rename, rm } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DATABASE_MESSAGES } from "../texts.ts";

/** Maximum length of a socket's path in the system's address structure. */
const PATH_BYTES = 100;

/**
 * Locks a folder against a second process, which PGlite doesn't notice and which would corrupt the files.
 * Sockets are the lock: unlike a file with a process id, a socket of a dead process doesn't look alive. The
 * one in the folder itself is visible to other containers with the same folder. The other one works where the
 * folder can't hold sockets.
 * @returns servers to close once the folder is free again
 * @throws Error if another process has locked it
 */
export async function lockFolder(dataDir: string): Promise<Server[]> {
  const name = `vrs-${createHash("sha256").update(dataDir).digest("hex").slice(0, 24)}.sock`;
  const [elsewhere, inside] = [join(tmpdir(), name), join(dataDir, "lock.sock")];
  const first = await takeSocket(elsewhere);
  if (first === null) throw new Error(DATABASE_MESSAGES.inUse(dataDir));
  if (Buffer.byteLength(inside) > PATH_BYTES) return [first];
  const second = await takeSocket(inside).catch(() => undefined);
  if (second !== null) return second ? [first, second] : [first];
  first.close();
  throw new Error(DATABASE_MESSAGES.inUse(dataDir));
}

/** Listens on a socket, in place of one that a dead process left. @returns null if a process listens on it */
async function takeSocket(path: string): Promise<Server | null> {
  const free = await listenOn(path).catch(() => null);
  if (free !== null) return free;
  if (await isListening(path)) return null;
  // Another process may have replaced the dead socket since. So it is moved and looked at once more, not deleted.
  const moved = join(dirname(path), randomUUID().slice(0, 8));
  await rename(path, moved).catch(() => {});
  if (await isListening(moved)) {
    await rename(moved, path);
    return null;
  }
  await rm(moved, { force: true });
  return await listenOn(path).catch(async (error: unknown) => {
    if (await isListening(path)) return null;
    throw error;
  });
}

async function listenOn(path: string): Promise<Server> {
  const server = createServer(socket => socket.destroy());
  server.unref();
  await new Promise<void>((listening, failed) => server.once("error", failed).listen(path, listening));
  return server;
}

function isListening(path: string): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(path);
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("close", () => socket.destroy());
  });
}
