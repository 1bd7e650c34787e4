import type { DeliveryAnswer } from "../../../shared/contracts/platform/delivery.ts";
import { newId } from "../../../shared/ids.ts";
import type { Account } from "../cloud-api/cloud-api.ts";
import type { ScmContext } from "../scm-context.ts";
import { EVENT_REASONS } from "../texts/events.ts";
import { notTriggered } from "../webhooks/answer.ts";
import { referencesIn, replyTextOf } from "./parse-reply.rule.ts";
import { findReply, findThreadOfPull, markReplyWritten, putReply, type StoredReply } from "./thread.store.ts";

/** A comment on a pull request, as its event has it. */
export interface PullComment {
  action: "created" | "edited" | "deleted";
  repoId: string;
  pull: number;
  hostId: string;
  body: string;
  /** The comment's page on the code host's website. */
  url: string;
  /** The time of its last change, ISO 8601. */
  updatedAt: string;
  account: Account;
}

/**
 * Writes a comment on a pull request into the thread that it quotes or links. A comment that names no thread is none
 * of ours. A reply stays in its thread when it is edited.
 */
export async function receiveReply(context: ScmContext, comment: PullComment): Promise<DeliveryAnswer> {
  const { repoId, hostId } = comment;
  const known = await findReply(context.em(), { repoId, hostId });
  const reply = known ?? (await newReply(context, comment));
  if (!reply) return notTriggered(EVENT_REASONS.noThread);
  return notTriggered(await writeReply(context, { ...reply, isWritten: known?.isWritten ?? false }, comment));
}

/** Writes a reply, its change, or its deletion into its thread. @returns what was done */
export async function writeReply(
  context: ScmContext,
  reply: StoredReply & { isWritten: boolean },
  { action, repoId, hostId, updatedAt, body, url, account }: Omit<PullComment, "pull">,
): Promise<string> {
  const cloud = context.cloudOf(reply.teamId);
  const isDeleted = action === "deleted";
  const text = replyTextOf(body);
  if (!isDeleted && text === "") return EVENT_REASONS.emptyReply;
  const named = { repoId, hostId, id: reply.id, threadId: reply.threadId };
  const state = { updatedAt, isDeleted };
  const id = await putReply(context.em(), named, state);
  if (id === null) return EVENT_REASONS.newerReply;
  if (isDeleted) {
    await cloud.deleteReply(id);
    await markReplyWritten(context.em(), named, state);
    return EVENT_REASONS.replyDeleted;
  }
  // An edit or a replay must not bring back a reply that was deleted here.
  const mayAdd = !reply.isWritten;
  const { threadId } = reply;
  const isWritten = await cloud.putReply({ id, threadId, text, url, account, mayAdd });
  await markReplyWritten(context.em(), named, state);
  return isWritten ? EVENT_REASONS.replyWritten : EVENT_REASONS.replyNotWritten;
}

async function newReply(
  context: ScmContext,
  { repoId, pull, body }: PullComment,
): Promise<StoredReply | null> {
  const references = referencesIn(body);
  if (references.threadIds.length + references.hostIds.length === 0) return null;
  const thread = await findThreadOfPull(context.em(), { repoId, pull }, references);
  return thread && { ...thread, id: newId("com") };
}
