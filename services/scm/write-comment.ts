import { beginChore } from "../../shared/chores.ts";
import type { CheckRun } from "./check-run.entity.ts";
import type { CheckState } from "./check-state.ts";
import { COMMENT_MARKER, describeComment } from "./describe-comment.ts";
import { isRefused } from "./host-error.ts";
import { releaseComment, renewComment, takeComment } from "./pull.store.ts";
import type { RepositoryHost } from "./repository-host.ts";
import type { ScmNode } from "./scm-node.ts";

/** Well within a turn: one renewal may fail. */
const RENEWED_EVERY_MS = 15_000;

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
  const renewal = { everyMs: RENEWED_EVERY_MS, work: () => renewComment(node.em(), turn) };
  const renewing = beginChore({ ...renewal, failed: "The turn of a comment was not renewed" }, node.warn);
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
    await renewing.stop();
    await releaseComment(node.em(), { ...turn, commentId });
  }
  return true;
}
