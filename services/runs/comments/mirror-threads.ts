import type { EntityManager } from "../../../mixins/database.ts";
import { broadcast, call } from "../../../shared/contracts/bus.ts";
import { pageName } from "../../../shared/contracts/capture/screenshot-key.ts";
import { COMMENT_BOUNDS } from "../../../shared/contracts/reviews/comments.ts";
import {
  MIRROR_BOUNDS,
  type MirroredReply,
  type MirroredThread,
  type MirroredThreads,
} from "../../../shared/contracts/reviews/mirror.ts";
import type { Actor } from "../../../shared/contracts/teams/caller.ts";
import { publishSoon } from "../events/publish-events.ts";
import { insertCommentEvent } from "../events/run-events.ts";
import type { Run } from "../run.entity.ts";
import { findRun, lockRun } from "../run.store.ts";
import type { RunsContext } from "../runs-context.ts";
import {
  countComments,
  findComment,
  findParticipants,
  insertComment,
  removeComment,
  type StoredComment,
  setResolved,
  setText,
} from "./comment.store.ts";
import {
  countExternalComments,
  type FirstComment,
  findFirstComments,
  findLatestReplies,
  findMirrorSetting,
  type WrittenReply,
} from "./mirror.store.ts";

/** Returns a page of the threads that a run's pull request shows. Null if the team has no such run. */
export async function readMirroredThreads(
  context: RunsContext,
  { teamId, runId, after }: { teamId: string; runId: string; after: string | null },
): Promise<MirroredThreads | null> {
  const em = context.em();
  const run = await findRun(em, teamId, runId);
  if (!run) return null;
  const { perPage, replies: perThread, chars } = MIRROR_BOUNDS;
  const rows = await findFirstComments(em, runId, { after: after ?? "", limit: perPage, chars });
  const page = rows.slice(0, perPage);
  const ids = page.map(({ id }) => id);
  const replies = Map.groupBy(
    await findLatestReplies(em, ids, { perThread, chars }),
    ({ threadId }) => threadId,
  );
  return {
    setting: await findMirrorSetting(em, run.projectId),
    reportUrl: context.links.report(runId, run.linkGeneration),
    threads: page.map(first => threadOf(first, replies.get(first.id) ?? [])),
    next: rows.length > perPage ? (ids.at(-1) ?? null) : null,
  };
}

function threadOf(first: FirstComment, replies: WrittenReply[]): MirroredThread {
  const { id, by, text, screenshotId, isOnRegion, resolvedBy, route, state, environment, viewport } = first;
  const name =
    route === null ? null : pageName({ route, state: state || null, environment: environment || null });
  return {
    ...{ id, screenshotId, isOnRegion, resolvedBy },
    page: name === null || viewport === null ? null : { name, viewport },
    comments: [{ by, text }, ...replies.map(reply => ({ by: reply.by, text: reply.text }))],
    omitted: Math.max(0, (replies[0]?.all ?? 0) - replies.length),
  };
}

/**
 * Adds a reply from the pull request to its thread, or changes its text.
 * @returns whether it was written. It isn't if the thread was deleted, the run has too many comments, or the project
 *   keeps its threads to itself.
 */
export async function putMirroredReply(context: RunsContext, reply: MirroredReply): Promise<boolean> {
  const { teamId, id, threadId, text, mayAdd } = reply;
  const thread = await findComment(context.em(), teamId, threadId);
  if (!thread) return false;
  const member = await memberOf(context, reply);
  const isWritten = await context.em().transactional(async em => {
    const run = await lockRun(em, thread.runId);
    if (!run || (await findMirrorSetting(em, run.projectId)) === "never") return false;
    const known = await findComment(em, teamId, id);
    if (!known) return mayAdd && insertReply(em, { run, thread, reply, member });
    await setText(em, id, { text, mentions: [] });
    return true;
  });
  publishSoon(context);
  if (isWritten) await broadcast(context.bus, "run.commented", { runId: thread.runId, teamId });
  return isWritten;
}

/** Returns the id of the member with this account, or null. Everyone can comment on a public pull request. */
async function memberOf({ bus }: RunsContext, { teamId, account }: MirroredReply): Promise<string | null> {
  const member = await call(bus, "teams.memberByAccount", { teamId, hostId: account.id });
  return member?.actor.id ?? null;
}

interface NewReply {
  run: Run;
  thread: StoredComment;
  reply: MirroredReply;
  /** The author's id here; null if the author is no member. */
  member: string | null;
}

async function insertReply(em: EntityManager, { run, thread, reply, member }: NewReply): Promise<boolean> {
  // Anyone may comment on a public pull request, so those replies can't take the room of the team's comments.
  if ((await countExternalComments(em, run.id)) >= MIRROR_BOUNDS.repliesPerRun) return false;
  if ((await countComments(em, run.id)) >= COMMENT_BOUNDS.perRun) return false;
  const { id, text, url } = reply;
  const by = authorOf(reply.account);
  const place = {
    runId: run.id,
    threadId: thread.id,
    screenshotId: thread.screenshotId,
    region: thread.region,
  };
  const comment = { id, ...place, text, by, countsAs: by.id, mentions: [], externalUrl: url };
  if (!(await insertComment(em, run.teamId, comment))) return false;
  // Only the team decides whether a thread is open.
  if (member !== null) await setResolved(em, thread.id, null);
  // Members get no notice of their own reply.
  const except = member ?? by.id;
  const users = await findParticipants(em, thread.id, except);
  const notify = users.length > 0 ? [{ kind: "reply" as const, users, except, commentId: id }] : [];
  await insertCommentEvent(em, run, comment, notify);
  return true;
}

/** Returns the author of a reply. An account of the code host is no user, even if a user has the same login. */
function authorOf({ id, login }: MirroredReply["account"]): Actor {
  return { kind: "service", id: `code-host:${id}`, name: login };
}

/** Deletes a reply that was deleted on the pull request. Comments that were written here stay. */
export async function deleteMirroredReply(
  context: RunsContext,
  { teamId, id }: { teamId: string; id: string },
): Promise<null> {
  const comment = await findComment(context.em(), teamId, id);
  if (!comment || comment.externalUrl === null) return null;
  await removeComment(context.em(), id);
  await broadcast(context.bus, "run.commented", { runId: comment.runId, teamId });
  return null;
}

/**
 * Resolves or reopens a thread, as on the pull request.
 * @returns whether it was changed. It isn't if the thread was deleted, or the project keeps its threads to itself.
 */
export async function resolveMirroredThread(
  context: RunsContext,
  { teamId, threadId, by }: { teamId: string; threadId: string; by: string | null },
): Promise<boolean> {
  const thread = await findComment(context.em(), teamId, threadId);
  if (!thread || thread.threadId !== null) return false;
  const isChanged = await context.em().transactional(async em => {
    const run = await lockRun(em, thread.runId);
    if (!run || (await findMirrorSetting(em, run.projectId)) === "never") return false;
    await setResolved(em, threadId, by);
    return true;
  });
  if (isChanged) await broadcast(context.bus, "run.commented", { runId: thread.runId, teamId });
  return isChanged;
}
