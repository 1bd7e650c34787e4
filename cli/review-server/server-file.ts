import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { z } from "zod";
import { parseJson } from "../../shared/json.ts";

/** A running `vrs dev`, as adapters find it. */
export interface ReviewServerAddress {
  /** With the token, and a slash at the end. */
  url: string;
}

/** Names the address without a file, for tests in containers. */
const VARIABLE = "VRS_DEV_URL";
const FOLDER = join(".service", "review");

const contentSchema = z.object({
  // The file may come from another program. Screenshots must not leave this machine.
  url: z.string().regex(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]+\/$/),
  pid: z.int().positive(),
});

/** Returns the folder of `vrs dev`, which git ignores. @param root the configuration's folder */
export function reviewFolder(root: string): string {
  return join(root, FOLDER);
}

/** Writes the address for the user only. @returns a function that deletes it */
export function writeServerFile(root: string, url: string): () => void {
  const folder = reviewFolder(root);
  const path = join(folder, "server.json");
  mkdirSync(folder, { recursive: true });
  rmSync(path, { force: true });
  writeFileSync(path, `${JSON.stringify({ url, pid: process.pid })}\n`, { mode: 0o600 });
  return () => {
    // A later `vrs dev` may have replaced it.
    if (readServerFile(path)?.url === url) rmSync(path, { force: true });
  };
}

/**
 * Finds the `vrs dev` that runs in this folder or above it in the repository; null if there is none. Configurations call
 * it, so it works synchronously.
 */
export function findReviewServer(
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): ReviewServerAddress | null {
  const named = env[VARIABLE];
  if (named) return { url: named.endsWith("/") ? named : `${named}/` };
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const found = readServerFile(join(reviewFolder(folder), "server.json"));
    if (found !== null && isRunning(found.pid)) return { url: found.url };
    if (dirname(folder) === folder || existsSync(join(folder, ".git"))) return null;
  }
}

function readServerFile(path: string): z.infer<typeof contentSchema> | null {
  try {
    return contentSchema.safeParse(parseJson(readFileSync(path, "utf8"))).data ?? null;
  } catch {
    return null;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    // Another user's process has this number, or none has.
    return false;
  }
}
