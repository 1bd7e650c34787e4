import { MISSING_SHAS_AT_MOST, type ScmInput } from "../../shared/contracts/code-host/scm.ts";
import { gitLine } from "../git.ts";
import type { Terminal } from "../terminal.ts";
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
  { branch }: Commit,
  baselineBranch: string | undefined,
): Promise<History> {
  const readGit = (...args: string[]) => gitLine(cwd, args, { withinMs: GIT_WITHIN_MS });
  const target = targetOf(env, branch);
  const base = baselineBranch ?? target ?? (await readDefaultBranch(readGit));
  const named = target === undefined ? {} : { baseBranch: target };
  if (base === undefined || base === branch) return named;
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

/** Returns the target branch of the pull request, from the variables of the CI service. */
function targetOf(env: Terminal["env"], branch: string | null): string | undefined {
  return (
    env.GITHUB_BASE_REF ||
    env.CI_MERGE_REQUEST_TARGET_BRANCH_NAME ||
    queuedOf(branch ?? "")?.baseBranch ||
    undefined
  );
}

async function readDefaultBranch(
  readGit: (...args: string[]) => Promise<string | null>,
): Promise<string | undefined> {
  const head = await readGit("symbolic-ref", "-q", `${REMOTE}HEAD`);
  return head?.startsWith(REMOTE) ? head.slice(REMOTE.length) : undefined;
}
