import { mkdir } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { gitLine, readObjects } from "../git.ts";
import { CommandError } from "../terminal.ts";
import { BASELINE_ERRORS } from "../texts/check.ts";
import type { ReadFiles } from "./baselines.ts";

/** A commit's files under one folder. */
interface CommitFolder {
  /** Such as `origin/main (3f9c1aa)`. */
  ref: string;
  readFiles: ReadFiles;
}

/**
 * Opens a folder as it is in a branch, tag or commit. For a branch, the fetched remote branch wins over the
 * local one, which may lack recent approvals.
 * @throws CommandError `branch_missing`
 */
export async function openCommit(directory: string, branch: string): Promise<CommitFolder> {
  // The folder may be missing in the checked-out commit. Its parent is the configuration's folder.
  await mkdir(dirname(directory), { recursive: true });
  const cwd = dirname(directory);
  const prefix = await gitLine(cwd, ["rev-parse", "--show-prefix"]);
  if (prefix === null) {
    throw new CommandError("branch_missing", BASELINE_ERRORS.noRepository(branch, cwd));
  }
  if (branch.startsWith("-")) throw new CommandError("branch_missing", BASELINE_ERRORS.notABranch(branch));
  const folder = `${prefix}${basename(directory)}`;
  for (const name of [`refs/remotes/origin/${branch}`, `refs/heads/${branch}`, branch]) {
    const commit = await gitLine(cwd, ["rev-parse", "--verify", "--quiet", `${name}^{commit}`]);
    if (!commit) continue;
    const shown = name.replace(/^refs\/(remotes|heads)\//, "");
    return {
      ref: `${shown} (${commit.slice(0, 7)})`,
      readFiles: (names, use) =>
        readObjects(
          cwd,
          names.map(file => `${commit}:${folder}/${file}`),
          use,
        ),
    };
  }
  throw new CommandError("branch_missing", await howToFetch(cwd, branch));
}

async function howToFetch(cwd: string, branch: string): Promise<string> {
  const remote = (await gitLine(cwd, ["remote"]))?.split("\n")[0];
  if (!remote) return BASELINE_ERRORS.noBranch(branch);
  const shallow = (await gitLine(cwd, ["rev-parse", "--is-shallow-repository"])) === "true";
  return BASELINE_ERRORS.notFetched(branch, shallow, remote);
}
