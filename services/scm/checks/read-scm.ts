import { CHANGED_FILES_AT_MOST } from "../../../shared/contracts/code-host/scm.ts";
import { text } from "../../../shared/contracts/fields.ts";
import type { SubmitRunInput } from "../../../shared/contracts/runs/submit-run.ts";
import { cut, type TextLimit } from "../../../shared/text/text-limits.ts";
import type { RepositoryHost } from "../code-host/code-host.ts";
import { checkRunIdOf } from "./check-name.rule.ts";
import type { CheckRun } from "./check-run.entity.ts";

/** Longer first lines are cut. */
const MESSAGE_LIMIT: TextLimit = { max: 200, unit: "utf16" };

type Scm = NonNullable<SubmitRunInput["scm"]>;

/**
 * Returns the commit of a check for its run: its pull request, and the merge base with the baseline branch.
 * @param baselineBranch the branch in the configuration
 * @throws HostError
 */
export async function readScm(
  repository: RepositoryHost,
  { owner, repo, sha, pull, hostId }: CheckRun,
  baselineBranch: string | undefined,
): Promise<Scm> {
  const commit = { owner, repo, sha, ...(hostId !== null && { checkRunId: checkRunIdOf(hostId) }) };
  if (!pull) return commit;
  const { number: pr, branch, base, defaultBranch, fromFork } = pull;
  // An author name that cannot be shown must not fail the run.
  const author = text(100).safeParse(pull.author).data;
  const left = await repository.history.mergeBase(sha, baselineBranch ?? base);
  const [firstLine] = (left?.message ?? "").trim().split("\n", 1);
  const message = text(MESSAGE_LIMIT.max).safeParse(cut(firstLine ?? "", MESSAGE_LIMIT)).data;
  const changedFiles = left ? await changedFilesSince(repository, left.sha, sha) : [];
  return {
    ...commit,
    ...(message && { message }),
    pr,
    branch,
    baseBranch: base,
    ...(defaultBranch !== undefined && { defaultBranch }),
    ...(fromFork && { fromFork }),
    ...(author && { author }),
    baseSha: left?.sha ?? null,
    ...(left?.missing && { missingShas: left.missing }),
    ...(changedFiles.length > 0 && { changedFiles }),
  };
}

/** Returns the paths that changed since a commit and that can be shown. */
async function changedFilesSince({ history }: RepositoryHost, base: string, sha: string): Promise<string[]> {
  const paths = await history.changedFiles(base, sha);
  return paths.flatMap(path => text(300).safeParse(path).data ?? []).slice(0, CHANGED_FILES_AT_MOST);
}
