import { startPeriodicTask } from "../../../shared/periodic-task.ts";
import { commentMarkerOf } from "../checks/check-name.rule.ts";
import type { CheckRun } from "../checks/check-run.entity.ts";
import type { CheckState } from "../checks/check-state.rule.ts";
import type { RepositoryHost } from "../code-host/code-host.ts";
import { isContentRefused, isRefused } from "../code-host/host-error.ts";
import type { ScmContext } from "../scm-context.ts";
import { LOG_MESSAGES } from "../texts/log.ts";
import { describeComment, describeCommentBriefly } from "./describe-comment.ts";
import { leaseComment, releaseCommentLease, renewCommentLease } from "./pull.store.ts";

/** Well within a lease, so that one renewal may fail. */
const RENEWAL_INTERVAL_MS = 15_000;

/**
 * Writes the result of a run into the comment of its pull request, if that is still at the run's commit.
 * @returns false while another node writes it
 */
export async function writeComment(
  context: ScmContext,
  repository: RepositoryHost,
  { repoId, pull, sha, name }: CheckRun,
  state: CheckState,
): Promise<boolean> {
  const body = describeComment(state, sha, name);
  if (!pull || state.kind !== "ended" || body === null) return true;
  const { number } = pull;
  const lease = await leaseComment(context.em(), { repoId, number, sha, name });
  if (lease === null) return false;
  if (lease === "outdated") return true;
  const renewal = { intervalMs: RENEWAL_INTERVAL_MS, work: () => renewCommentLease(context.em(), lease) };
  const renewing = startPeriodicTask(
    { ...renewal, failed: LOG_MESSAGES.commentLeaseNotRenewed },
    context.warn,
  );
  let { commentId } = lease;
  try {
    // The response to its creation was lost, or an earlier version of this service created it.
    commentId ??= await repository.comments.find(number, commentMarkerOf({ name }));
    const written = { number, commentId };
    commentId = await saveComment(repository, { ...written, body }).catch(async error => {
      if (!isContentRefused(error)) throw error;
      context.warn(error, LOG_MESSAGES.commentRejected(number));
      return saveComment(repository, { ...written, body: describeCommentBriefly(state, name) });
    });
  } catch (error) {
    // The conversation is locked, or the app may not comment. The check run has the result too.
    if (!isRefused(error) && !isContentRefused(error)) throw error;
    context.warn(error, LOG_MESSAGES.commentNotWritten(pull.number));
  } finally {
    await renewing.stop();
    await releaseCommentLease(context.em(), { ...lease, commentId });
  }
  return true;
}

interface CommentText {
  /** The pull request's number. */
  number: number;
  /** Null before it exists. */
  commentId: string | null;
  body: string;
}

/** @returns the comment's id, which is new if the earlier comment was deleted */
async function saveComment(
  repository: RepositoryHost,
  { number, commentId, body }: CommentText,
): Promise<string> {
  if (commentId !== null && (await repository.comments.change(number, commentId, body))) return commentId;
  return repository.comments.create(number, body);
}
