import { CHANGED_FILES_AT_MOST } from "../../shared/contracts/code-host/scm.ts";
import type { CommitFiles } from "../../shared/explain/name-changed-files.ts";
import { targetBranchOf } from "../cloud/ci-facts.ts";
import { git, gitLine } from "../git.ts";
import type { Terminal } from "../terminal.ts";

/** git answers in milliseconds, or in seconds for a huge repository. */
const GIT_WITHIN_MS = 10_000;
/** More changed files than any pull request that people review. */
const MAX_FILES = 10 * CHANGED_FILES_AT_MOST;

/** Returns a function that reads the changed files at its first call. A check without changes doesn't need them. */
export function changedFilesReader(
  ...place: Parameters<typeof readChangedFiles>
): () => Promise<CommitFiles | null> {
  let reading: Promise<CommitFiles | null> | undefined;
  return () => {
    reading ??= readChangedFiles(...place);
    return reading;
  };
}

/**
 * Reads which files differ from the commit where the checked-out branch left its base branch, in commits and in the
 * working tree. On the base branch itself, the working tree counts. Null if git doesn't know, or nothing changed.
 * @param root a folder of the repository
 * @param baselineBranch the branch of the configuration
 */
export async function readChangedFiles(
  root: string,
  env: Terminal["env"],
  baselineBranch: string | undefined,
): Promise<CommitFiles | null> {
  const readLine = (...args: string[]) => gitLine(root, args, { withinMs: GIT_WITHIN_MS });
  const since = (await findBase(readLine, env, baselineBranch)) ?? (await readLine("rev-parse", "HEAD"));
  if (!since) return null;
  const readPaths = async (...args: string[]) =>
    (await git(root, [...args, "-z"], { withinMs: GIT_WITHIN_MS }))?.toString("utf8").split("\0") ?? [];
  const lists = await Promise.all([
    readPaths("diff", "--name-only", "--no-renames", since),
    readPaths("ls-files", "--others", "--exclude-standard", "--full-name", ":/"),
  ]);
  const paths = lists.flat().filter(path => path !== "");
  return paths.length === 0 ? null : { since, paths: paths.slice(0, MAX_FILES) };
}

/** Returns the merge base with the base branch; null if no such branch is known. */
async function findBase(
  readLine: (...args: string[]) => Promise<string | null>,
  env: Terminal["env"],
  baselineBranch: string | undefined,
): Promise<string | null> {
  const named = targetBranchOf(env) ?? baselineBranch;
  const names = named
    ? [named]
    : [await readLine("rev-parse", "--abbrev-ref", "origin/HEAD"), "main", "master"];
  const refs = names
    .filter(name => name && !name.startsWith("-"))
    .flatMap(name => [`refs/remotes/origin/${name}`, `refs/remotes/${name}`, `refs/heads/${name}`]);
  // Most of them don't exist. A process for each would be slow.
  const known = (await readLine("for-each-ref", "--format=%(refname)", ...refs))?.split("\n") ?? [];
  for (const ref of refs) {
    const base = known.includes(ref) ? await readLine("merge-base", "HEAD", ref) : null;
    if (base) return base;
  }
  return null;
}
