import { MISSING_SHAS_AT_MOST, type ScmInput } from "../../shared/contracts/code-host/scm.ts";
import { gitLine } from "../git.ts";
import type { Terminal } from "../terminal.ts";
import { targetBranchOf } from "./ci-facts.ts";
import type { Commit } from "./commit.ts";
import { queuedOf } from "./queued-pull-request.ts";

/** git answers in milliseconds, or in seconds for a huge repository. */
const GIT_WITHIN_MS = 20_000;
const REMOTE = "refs/remotes/origin/";

/** What the history says about the baselines of a commit. */
export type History = Pick<ScmInput, "baseBranch" | "baseSha" | "missingShas">;

/**
 * Reads from git where the checked-out commit left its base branch. Empty if git doesn't know, as in a shallow clone. The
 * latest baselines then count.
 * @param baselineBranch the branch of the configuration
 */
export async function readHistory(
  { cwd, env }: Pick<Terminal, "cwd" | "env">,
  { branch, scm }: Commit,
  baselineBranch: string | undefined,
): Promise<History> {
  const readGit = (...args: string[]) => gitLine(cwd, args, { withinMs: GIT_WITHIN_MS });
  const target = targetBranchOf(env) ?? queuedOf(branch ?? "")?.baseBranch;
  const base = baselineBranch ?? target ?? (await readDefaultBranch(readGit));
  const named = target === undefined ? {} : { baseBranch: target };
  // The branch of a pull request from a fork can have the name of its target.
  if (base === undefined || (base === branch && scm?.pr === undefined)) return named;
  // A job of `workflow_run` mostly checks out the default branch instead of the commit.
  if (env.GITHUB_EVENT_NAME === "workflow_run" && (await readGit("rev-parse", "HEAD")) !== scm?.sha)
    return named;
  const isShallow = await readGit("rev-parse", "--is-shallow-repository");
  if (isShallow !== "false") return named;
  const tip = REMOTE + base;
  const baseSha = await readGit("merge-base", "HEAD", tip);
  if (!baseSha) return named;
  const most = String(MISSING_SHAS_AT_MOST + 1);
  const missing = await readGit("rev-list", `--max-count=${most}`, tip, "^HEAD");
  const missingShas = missing?.split("\n").filter(sha => sha !== "");
  const isKnown = missingShas !== undefined && missingShas.length <= MISSING_SHAS_AT_MOST;
  return { ...named, baseSha, ...(isKnown && { missingShas }) };
}

async function readDefaultBranch(
  readGit: (...args: string[]) => Promise<string | null>,
): Promise<string | undefined> {
  const head = await readGit("symbolic-ref", "-q", `${REMOTE}HEAD`);
  return head?.startsWith(REMOTE) ? head.slice(REMOTE.length) : undefined;
}
