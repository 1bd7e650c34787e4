import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/**
 * Creates an empty folder for this process's demo, and removes those of crashed demos. Each process has its
 * own, so that two demos don't share a database.
 */
export async function makeDemoFolder(root: string): Promise<string> {
  const parent = join(root, ".service", "demo");
  await mkdir(parent, { recursive: true });
  const left = (await readdir(parent)).filter(name => !isAlive(Number(name)));
  // Another user's folder can't be removed.
  await Promise.all(
    left.map(name => rm(join(parent, name), { recursive: true, force: true }).catch(() => {})),
  );
  const folder = join(parent, String(process.pid));
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  return folder;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of another user is running too.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
