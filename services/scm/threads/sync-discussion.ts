import { MIRROR_BOUNDS, type MirroredThread } from "../../../shared/contracts/reviews/mirror.ts";
import { newId } from "../../../shared/ids.ts";
import type { Discussion, RepositoryDiscussions } from "../code-host/code-host.ts";
import { isRefused } from "../code-host/host-error.ts";
import type { ScmContext } from "../scm-context.ts";
import { THREAD_TEXTS } from "../texts/comments.ts";
import { LOG_MESSAGES } from "../texts/log.ts";
import { writeReply } from "./receive-reply.ts";
import {
  findReplies,
  type MirroredRun,
  type StoredThread,
  saveResolved,
  saveThread,
} from "./thread.store.ts";

/** A thread with a discussion on its pull request. */
export interface DiscussedThread {
  run: MirroredRun;
  thread: MirroredThread;
  stored: StoredThread;
  discussions: RepositoryDiscussions;
  /** Whether only members of the repository can read it, so that its people may resolve threads of the team. */
  isPrivate: boolean;
}

/**
 * Brings the replies of a discussion into its thread, and keeps both equally resolved. Repeating it changes nothing.
 * @throws HostError
 */
export async function syncDiscussion(context: ScmContext, of: DiscussedThread): Promise<void> {
  const { run, stored, discussions } = of;
  if (stored.hostId === null || stored.isRemoved) return;
  const discussion = await discussions.read(run.pull, stored.hostId);
  await syncReplies(context, of, discussion);
  if (discussion === null) return saveThread(context.em(), { ...stored, isRemoved: true });
  await syncResolved(context, of, { ...discussion, hostId: stored.hostId });
}

/** Writes new and edited replies, and deletes those that are gone. */
async function syncReplies(
  context: ScmContext,
  { run: { repoId, teamId }, thread: { id: threadId } }: DiscussedThread,
  discussion: Discussion | null,
): Promise<void> {
  const known = await findReplies(context.em(), threadId);
  const byHostId = new Map(known.map(reply => [reply.hostId, reply]));
  const replies = (discussion?.replies ?? []).slice(0, MIRROR_BOUNDS.repliesPerRun);
  for (const { id: hostId, ...reply } of replies) {
    const before = byHostId.get(hostId);
    const writtenAt = before?.writtenAt ?? null;
    if (writtenAt && Date.parse(reply.updatedAt) <= writtenAt.getTime()) continue;
    const named = { id: before?.id ?? newId("com"), threadId, teamId, isWritten: writtenAt !== null };
    const action = writtenAt ? "edited" : "created";
    await writeReply(context, named, { action, repoId, hostId, ...reply });
  }
  for (const { hostId, id } of known) {
    if (discussion?.mayHave(hostId)) continue;
    const gone = { repoId, hostId, body: "", url: "", updatedAt: new Date().toISOString() };
    const named = { id, threadId, teamId, isWritten: true };
    await writeReply(context, named, { action: "deleted", ...gone, account: { id: "", login: "" } });
  }
}

/** Carries the latest change to the other side. If both sides changed, they are equal. */
async function syncResolved(
  context: ScmContext,
  { run, thread, stored, discussions, isPrivate }: DiscussedThread,
  { hostId, isResolved, resolvedBy }: Discussion & { hostId: string },
): Promise<void> {
  const isResolvedHere = thread.resolvedBy !== null;
  if (isResolved === null) return;
  if (isResolved === isResolvedHere) {
    if (stored.isResolved !== isResolved) await saveResolved(context.em(), thread.id, isResolved);
    return;
  }
  if (isResolved !== stored.isResolved) {
    // Everyone can resolve their own merge request's discussions, and only the team decides about its threads.
    if (!isPrivate) return;
    const by = isResolved ? (resolvedBy ?? THREAD_TEXTS.unknownMember) : null;
    await context.cloudOf(run.teamId).resolveThread(thread.id, by);
    return saveResolved(context.em(), thread.id, isResolved);
  }
  try {
    await discussions.resolve(run.pull, hostId, isResolvedHere);
    await saveResolved(context.em(), thread.id, isResolvedHere);
  } catch (error) {
    // The merge request is locked, or the token may not resolve. The note says that the thread is resolved.
    if (!isRefused(error)) throw error;
    context.warn(error, LOG_MESSAGES.commentNotWritten(run.pull));
  }
}
