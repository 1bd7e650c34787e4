import type { Scm } from "../../../shared/contracts/code-host/scm.ts";

interface CodeHostLinks {
  branch: string | null;
  pullRequest: string | null;
  commit: string | null;
}

/** Names that submitters may send, and that don't belong into a path. */
const NAME = /^(?!\.{1,2}$)[\w.-]{1,100}$/;

/**
 * Returns the pages of the code host about a run's commit.
 * @param webUrl URL of the code host, without a slash at the end. Null if it is unknown
 */
export function codeHostLinks(webUrl: string | null, scm: Scm | null, branch: string | null): CodeHostLinks {
  if (webUrl === null || !scm || !NAME.test(scm.owner) || !NAME.test(scm.repo))
    return { branch: null, pullRequest: null, commit: null };
  const repository = `${webUrl}/${scm.owner}/${scm.repo}`;
  const head = scm.branch ?? branch;
  // The branch of a fork is in another repository.
  const hasBranch = head !== null && scm.fromFork !== true;
  return {
    branch: hasBranch ? `${repository}/tree/${head.split("/").map(encodeURIComponent).join("/")}` : null,
    pullRequest: scm.pr === undefined ? null : `${repository}/pull/${scm.pr}`,
    commit: `${repository}/commit/${scm.sha}`,
  };
}
