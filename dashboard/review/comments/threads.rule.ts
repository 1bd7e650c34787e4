import type { CommentView } from "../../../shared/contracts/reviews/comments.ts";

/** A comment with its replies. */
export interface Thread {
  first: CommentView;
  replies: CommentView[];
}

/** Groups comments by thread. Both are in the order of their first comments. */
export function threadsOf(comments: readonly CommentView[]): Thread[] {
  const threads = new Map<string, Thread>();
  for (const comment of comments) {
    const thread = threads.get(comment.threadId);
    if (thread) thread.replies.push(comment);
    else if (comment.id === comment.threadId) threads.set(comment.id, { first: comment, replies: [] });
  }
  return [...threads.values()];
}

/** Returns the threads that a reader of a screenshot sees: on it, and on the whole run. */
export function threadsAt(threads: readonly Thread[], screenshotId: string | null): Thread[] {
  return threads.filter(({ first }) => first.screenshotId === null || first.screenshotId === screenshotId);
}

/** Returns the number of open threads on each screenshot. */
export function openThreads(threads: readonly Thread[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { first } of threads) {
    if (first.screenshotId === null || first.resolved) continue;
    counts.set(first.screenshotId, (counts.get(first.screenshotId) ?? 0) + 1);
  }
  return counts;
}
