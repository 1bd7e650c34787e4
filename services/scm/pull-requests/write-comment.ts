import { startPeriodicTask } from "../../../shared/periodic-task.ts";
import type { CheckRun } from "../checks/check-run.entity.ts";
import type { CheckState } from "../checks/check-state.rule.ts";
import { isContentRefused, isRefused } from "../code-host/host-error.ts";
import type { RepositoryHost } from "../code-host/repository-host.ts";
import type { ScmContext } from "../scm-context.ts";
import { LOG_MESSAGES } from "../texts.ts";
import { COMMENT_MARKER, describeComment, describeCommentBriefly } from "./describe-comment.ts";
import { releaseComment, renewComment, takeComment } from "./pull.store.ts";

/** Well within a turn: one renewal may fail. */
const RENEWED_EVERY_MS = 15_000;

/**
 * Says how a run ended in the one comment of its pull request, if that is still at the run's commit.
 * @returns false when somebody else is writing it now
 */
export async function writeComment(
  context: ScmContext,
  repository: RepositoryHost,
  { repoId, pull, sha }: CheckRun,
  state: CheckState,
): Promise<boolean> {
  const body = describeComment(state, sha);
  if (!pull || state.kind !== "settled" || body === null) return true;
  const { number } = pull;
  const turn = await takeComment(context.em(), { repoId, number, sha });
  if (turn === null) return false;
  if (turn === "outdated") return true;
  const renewal = { intervalMs: RENEWED_EVERY_MS, work: () => renewComment(context.em(), turn) };
  const renewing = startPeriodicTask(
    { ...renewal, failed: LOG_MESSAGES.commentLeaseNotRenewed },
    context.warn,
  );
  let { commentId } = turn;
  try {
    commentId ??= await repository.comments.find(number, COMMENT_MARKER, context.app.appId);
    const written = { number, commentId };
    commentId = await write(repository, { ...written, body }).catch(async error => {
      if (!isContentRefused(error)) throw error;
      context.warn(error, LOG_MESSAGES.commentRejected(number));
      return write(repository, { ...written, body: describeCommentBriefly(state) });
    });
  } catch (error) {
    // A locked conversation, or an app that may not comment: the check says it all.
    if (!isRefused(error) && !isContentRefused(error)) throw error;
    context.warn(error, LOG_MESSAGES.commentNotWritten(pull.number));
  } finally {
    await renewing.stop();
    await releaseComment(context.em(), { ...turn, commentId });
  }
  return true;
}

interface Writing {
  /** Of the pull request. */
  number: number;
  /** Null where there is none yet. */
  commentId: string | null;
  body: string;
}

/** @returns the comment's id, another one where the one before was deleted */
async function write(repository: RepositoryHost, { number, commentId, body }: Writing): Promise<string> {
  if (commentId !== null && (await repository.comments.change(commentId, body))) return commentId;
  return repository.comments.create(number, body);
}
