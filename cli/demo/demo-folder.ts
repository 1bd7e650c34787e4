import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/**
 * Makes an empty folder for this process's demo, and clears away those of demos that did not end well.
 * Each process has its own, so that two demos at once do not share a database.
 */
export async function makeDemoFolder(root: string): Promise<string> {
  const parent = join(root, ".service", "demo");
  await mkdir(parent, { recursive: true });
  const left = (await readdir(parent)).filter(name => !isAlive(Number(name)));
  // Only its owner can remove another user's folder.
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
    // Another user's is alive too.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
