import { text } from "../../../shared/contracts/fields.ts";
import type { SubmitRunInput } from "../../../shared/contracts/runs/submit-run.ts";
import type { RepositoryHost } from "../code-host/repository-host.ts";
import type { CheckRun } from "./check-run.entity.ts";

type Scm = NonNullable<SubmitRunInput["scm"]>;

/**
 * What a run is told of a check's commit: where it belongs, and where its branch left the one that it is compared with.
 * @param baselineBranch that the configuration names
 * @throws HostError
 */
export async function readScm(
  repository: RepositoryHost,
  { owner, repo, sha, pull, hostId }: CheckRun,
  baselineBranch: string | undefined,
): Promise<Scm> {
  const commit = { owner, repo, sha, checkRunId: Number(hostId) };
  if (!pull) return commit;
  const { number: pr, branch, base, defaultBranch } = pull;
  // A name that cannot be shown is no reason to refuse the run.
  const author = text(100).safeParse(pull.author).data;
  const left = await repository.history.mergeBase(sha, baselineBranch ?? base);
  return {
    ...commit,
    pr,
    branch,
    baseBranch: base,
    ...(defaultBranch !== undefined && { defaultBranch }),
    ...(author && { author }),
    baseSha: left?.sha ?? null,
    ...(left?.missing && { missingShas: left.missing }),
  };
}
