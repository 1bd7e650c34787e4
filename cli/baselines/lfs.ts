import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { git, gitLine } from "../git.ts";
import { CommandError } from "../terminal.ts";
import { BASELINE_ERRORS } from "../texts/check.ts";

const POINTER =
  /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n(?:[^\n]+\n)*?oid sha256:([0-9a-f]{64})\n/;
/** A pointer has about 130 bytes. This is the specification's limit. */
const MAX_POINTER_BYTES = 1024;

/**
 * Returns the SHA-256 of the file that a Git LFS pointer stands for, or null if the bytes aren't a pointer.
 */
export function readPointer(bytes: Uint8Array): string | null {
  if (bytes.length > MAX_POINTER_BYTES) return null;
  return POINTER.exec(Buffer.from(bytes).toString("utf8"))?.[1] ?? null;
}

/**
 * Returns the content of a file. For a pointer, reads it from the objects of Git LFS in the repository, or
 * has Git LFS download it.
 * @throws CommandError `lfs_missing`
 */
export async function readContent(bytes: Buffer, folder: string, name: string): Promise<Buffer> {
  const oid = readPointer(bytes);
  if (oid === null) return bytes;
  // The folder may exist in a branch's commit and not here.
  const cwd = dirname(folder);
  const gitDir = await gitLine(cwd, ["rev-parse", "--git-common-dir"]);
  const stored =
    gitDir && join(resolve(cwd, gitDir), "lfs", "objects", oid.slice(0, 2), oid.slice(2, 4), oid);
  const content =
    (stored ? await readFile(stored).catch(() => null) : null) ??
    (await git(cwd, ["lfs", "smudge"], { input: bytes }));
  if (content && createHash("sha256").update(content).digest("hex") === oid) return content;
  throw new CommandError("lfs_missing", BASELINE_ERRORS.lfs(name));
}
