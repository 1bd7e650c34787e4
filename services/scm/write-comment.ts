import type { CheckRun } from "./check-run.entity.ts";
import type { CheckState } from "./check-state.ts";
import { COMMENT_MARKER, describeComment } from "./describe-comment.ts";
import { isRefused } from "./host-error.ts";
import { releaseComment, takeComment } from "./pull.store.ts";
import type { RepositoryHost } from "./repository-host.ts";
import type { ScmNode } from "./scm-node.ts";

/**
 * Says how a run ended in the one comment of its pull request, if that is still at the run's commit.
 * @returns false when somebody else is writing it now
 */
export async function writeComment(
  node: ScmNode,
  repository: RepositoryHost,
  { repoId, pull, sha }: CheckRun,
  state: CheckState,
): Promise<boolean> {
  const body = describeComment(state, sha);
  if (!pull || body === null) return true;
  const { number } = pull;
  const turn = await takeComment(node.em(), { repoId, number, sha });
  if (turn === null) return false;
  if (turn === "outdated") return true;
  let { commentId } = turn;
  try {
    commentId ??= await repository.comments.find(number, COMMENT_MARKER, node.app.appId);
    if (commentId === null || !(await repository.comments.change(commentId, body)))
      commentId = await repository.comments.create(number, body);
  } catch (error) {
    // A locked conversation, or an app that may not comment: the check says it all.
    if (!isRefused(error)) throw error;
    node.warn(error, `No comment was written on ${pull.number}`);
  } finally {
    await releaseComment(node.em(), { repoId, number, commentId });
  }
  return true;
}
