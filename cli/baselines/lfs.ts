import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { git, gitLine } from "../git.ts";
import { CommandError } from "../terminal.ts";
import { BASELINE_ERRORS } from "../texts/check.ts";

const POINTER =
  /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n(?:[^\n]+\n)*?oid sha256:([0-9a-f]{64})\n/;
/** A pointer is some 130 bytes; the specification's bound. */
const MAX_POINTER_BYTES = 1024;

/** SHA-256 of the file that a Git LFS pointer stands for, or null when the bytes are no pointer. */
export function pointedTo(bytes: Uint8Array): string | null {
  if (bytes.length > MAX_POINTER_BYTES) return null;
  return POINTER.exec(Buffer.from(bytes).toString("utf8"))?.[1] ?? null;
}

/**
 * The content itself: of a pointer, from the objects that Git LFS keeps in the repository, else by asking Git LFS, which
 * fetches it.
 * @throws CommandError `lfs_missing`
 */
export async function contentOf(bytes: Buffer, folder: string, name: string): Promise<Buffer> {
  const oid = pointedTo(bytes);
  if (oid === null) return bytes;
  // In a branch's commit the folder may be, and here not.
  const cwd = dirname(folder);
  const gitDir = await gitLine(cwd, ["rev-parse", "--git-common-dir"]);
  const kept = gitDir && join(resolve(cwd, gitDir), "lfs", "objects", oid.slice(0, 2), oid.slice(2, 4), oid);
  const content =
    (kept ? await readFile(kept).catch(() => null) : null) ??
    (await git(cwd, ["lfs", "smudge"], { input: bytes }));
  if (content && createHash("sha256").update(content).digest("hex") === oid) return content;
  throw new CommandError("lfs_missing", BASELINE_ERRORS.lfs(name));
}
