import type { EntityManager } from "../../../mixins/database.ts";
import { broadcast, call } from "../../../shared/contracts/bus.ts";
import {
  type ChangeComment,
  COMMENT_BOUNDS,
  type CommentList,
  type CommentView,
  type CreateComment,
} from "../../../shared/contracts/reviews/comments.ts";
import { type Caller, countsAs } from "../../../shared/contracts/teams/caller.ts";
import type { Notify } from "../../../shared/contracts/teams/notices.ts";
import { invalidField, notFound, ServiceError } from "../../../shared/errors.ts";
import { decodeCursor, pageOf } from "../../../shared/pagination.ts";
import { publishSoon } from "../events/publish-events.ts";
import { insertCommentEvent, insertNotice } from "../events/run-events.ts";
import { runOf } from "../queries/read-runs.ts";
import { lockRun } from "../run.store.ts";
import type { RunsContext } from "../runs-context.ts";
import { COMMENT_ERRORS } from "../texts/reviews.ts";
import {
  countComments,
  findComment,
  findComments,
  findParticipants,
  hasScreenshot,
  insertComment,
  removeComment,
  type StoredComment,
  setResolved,
  setText,
} from "./comment.store.ts";
import { mentionedLogins } from "./mentions.rule.ts";

/** Lists the comments of a run, oldest first. @throws ServiceError not_found */
export async function listComments(
  context: RunsContext,
  caller: Caller,
  { runId, query }: { runId: string; query: { limit: number; cursor?: string | undefined } },
): Promise<CommentList> {
  await runOf(context, caller, runId);
  const list = `comments ${runId}`;
  const after = decodeCursor(list, query.cursor);
  const rows = await findComments(context.em(), runId, { limit: query.limit, after });
  return pageOf(list, rows, query.limit, viewOf);
}

/**
 * Adds a comment to a run, a screenshot, a region, or a thread.
 * @throws ServiceError not_found; invalid_request for a screenshot or a comment of another run; conflict if the run has
 *   too many
 */
export async function createComment(
  context: RunsContext,
  caller: Caller,
  { id, runId, body }: { id: string; runId: string; body: CreateComment },
): Promise<CommentView> {
  await runOf(context, caller, runId);
  const mentions = await mentionsIn(context, caller, body.text);
  const author = countsAs(caller);
  await context.em().transactional(async em => {
    // Comments of the same run wait for each other, so that their number stays within the bound.
    const run = await lockRun(em, runId);
    if (!run) throw notFound("run", runId);
    if ((await countComments(em, runId)) >= COMMENT_BOUNDS.perRun)
      throw new ServiceError("conflict", COMMENT_ERRORS.tooMany(COMMENT_BOUNDS.perRun));
    const place = await placeOf(em, caller, runId, body);
    const comment = { id, runId, ...place, text: body.text, by: caller.actor };
    if (!(await insertComment(em, caller.teamId, { ...comment, countsAs: author, mentions }))) return;
    // A new reply reopens its thread.
    if (place.threadId !== null) await setResolved(em, place.threadId, null);
    await insertCommentEvent(em, run, comment, await peopleOf(em, { ...comment, mentions }, author));
  });
  publishSoon(context);
  return announced(context, caller, id);
}

/** Returns the members that a text mentions. */
async function mentionsIn(
  { bus }: RunsContext,
  { teamId }: Caller,
  text: string,
): Promise<StoredComment["mentions"]> {
  const logins = mentionedLogins(text);
  return logins.length === 0 ? [] : call(bus, "teams.membersByLogin", { teamId, logins });
}

/** Returns the people to notify of a comment: those it mentions, and the others in its thread. */
async function peopleOf(
  em: EntityManager,
  { id: commentId, threadId, mentions }: Pick<StoredComment, "id" | "threadId" | "mentions">,
  author: string,
): Promise<Notify[]> {
  const mentioned = mentions.map(({ id }) => id);
  const others = threadId === null ? [] : await findParticipants(em, threadId, author);
  const replied = others.filter(id => !mentioned.includes(id));
  const of = { except: author, commentId };
  return [
    ...(mentioned.length > 0 ? [{ kind: "mention" as const, users: mentioned, ...of }] : []),
    ...(replied.length > 0 ? [{ kind: "reply" as const, users: replied, ...of }] : []),
  ];
}

type Place = Pick<StoredComment, "threadId" | "screenshotId" | "region">;

/** Returns what a comment is on. A reply is where its thread is. */
async function placeOf(
  em: EntityManager,
  { teamId }: Caller,
  runId: string,
  { screenshot, region, replyTo }: CreateComment,
): Promise<Place> {
  if (replyTo !== undefined) {
    const above = await findComment(em, teamId, replyTo);
    if (above?.runId !== runId) throw invalidField("replyTo", COMMENT_ERRORS.notInRun);
    return { threadId: above.threadId ?? above.id, screenshotId: above.screenshotId, region: above.region };
  }
  if (screenshot !== undefined && !(await hasScreenshot(em, runId, screenshot)))
    throw invalidField("screenshot", COMMENT_ERRORS.noScreenshot);
  return { threadId: null, screenshotId: screenshot ?? null, region: region ?? null };
}

/**
 * Changes a comment's text, or resolves or reopens its thread.
 * @throws ServiceError not_found; forbidden for the text of another author
 */
export async function changeComment(
  context: RunsContext,
  caller: Caller,
  { id, body: { text, resolved } }: { id: string; body: ChangeComment },
): Promise<CommentView> {
  const comment = await commentOf(context, caller, id);
  if (text !== undefined && comment.countsAs !== countsAs(caller))
    throw new ServiceError("forbidden", COMMENT_ERRORS.notYours);
  const mentions = text === undefined ? [] : await mentionsIn(context, caller, text);
  const known = new Set(comment.mentions.map(member => member.id));
  const users = mentions.map(member => member.id).filter(member => !known.has(member));
  await context.em().transactional(async em => {
    if (text !== undefined) await setText(em, id, { text, mentions });
    if (resolved !== undefined)
      await setResolved(em, comment.threadId ?? id, resolved ? caller.actor.name : null);
    // People whom the edit adds get a notice too.
    const run = users.length === 0 ? null : await lockRun(em, comment.runId);
    if (run) await insertNotice(em, run, { kind: "mention", users, except: countsAs(caller), commentId: id });
  });
  if (users.length > 0) publishSoon(context);
  return announced(context, caller, id);
}

/**
 * Deletes a comment; the first of a thread with its replies. Members delete their own, and admins all.
 * @throws ServiceError not_found, forbidden
 */
export async function deleteComment(context: RunsContext, caller: Caller, id: string): Promise<null> {
  const { runId, countsAs: author } = await commentOf(context, caller, id);
  if (author !== countsAs(caller) && caller.role !== "admin")
    throw new ServiceError("forbidden", COMMENT_ERRORS.notYoursToDelete);
  await removeComment(context.em(), id);
  await broadcast(context.bus, "run.commented", { runId, teamId: caller.teamId });
  return null;
}

/** Returns a comment on a run that the caller may see. @throws ServiceError not_found */
async function commentOf(context: RunsContext, caller: Caller, id: string): Promise<StoredComment> {
  const comment = await findComment(context.em(), caller.teamId, id);
  if (!comment) throw notFound("comment", id);
  await runOf(context, caller, comment.runId);
  return comment;
}

/** Returns a changed comment, after readers were told. */
async function announced(context: RunsContext, caller: Caller, id: string): Promise<CommentView> {
  const comment = await commentOf(context, caller, id);
  await broadcast(context.bus, "run.commented", { runId: comment.runId, teamId: caller.teamId });
  return viewOf(comment);
}

function viewOf(comment: StoredComment): CommentView {
  const { id, runId, threadId, screenshotId, region, text, by, externalUrl, resolvedBy, resolvedAt } =
    comment;
  return {
    ...{ id, runId, threadId: threadId ?? id, screenshotId, region, text, by, countsAs: comment.countsAs },
    ...{ mentions: comment.mentions, externalUrl },
    createdAt: new Date(comment.createdAt).toISOString(),
    editedAt: comment.editedAt && new Date(comment.editedAt).toISOString(),
    resolved:
      resolvedBy !== null && resolvedAt ? { by: resolvedBy, at: new Date(resolvedAt).toISOString() } : null,
  };
}
