import { execFile } from "node:child_process";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, "../../../..");

/**
 * A commit of the version before, whose jobs carry no trace and whose tables this version migrates in place. Change
 * it when the contracts or the tables change, to the last commit that this version must work beside.
 */
const PREVIOUS_COMMIT = "6cf8089b";

/** The code of the previous version, in a folder of its own. */
export interface PreviousVersion {
  root: string;
  remove(): Promise<void>;
}

/** Copies the previous version out of git. @throws Error in a clone without its history */
export async function checkOutPreviousVersion(): Promise<PreviousVersion> {
  const root = await mkdtemp(join(tmpdir(), "vrs-previous-"));
  const archive = join(root, "code.tar");
  try {
    await run("git", ["archive", "--output", archive, PREVIOUS_COMMIT], { cwd: ROOT });
  } catch (error) {
    const fetch = `Fetch the history of this clone: git fetch --unshallow. It has no commit ${PREVIOUS_COMMIT}.`;
    throw new Error(fetch, { cause: error });
  }
  await run("tar", ["-xf", archive, "-C", root]);
  // The dependencies of both versions are the same, or the newer ones that the older version also runs with.
  await symlink(join(ROOT, "node_modules"), join(root, "node_modules"));
  return { root, remove: () => rm(root, { recursive: true, force: true, maxRetries: 5 }) };
}
