import { cardToolOf } from "../../../shared/alerts/chat-tool.ts";
import { forEachIsolated } from "../../../shared/async.ts";
import { projectOfBuildBase } from "../../../shared/contracts/builds/builds.ts";
import { call } from "../../../shared/contracts/bus.ts";
import { newId } from "../../../shared/ids.ts";
import type { AlertsContext } from "../alerts-context.ts";
import { findChatApps } from "../chat-apps/chat-app.store.ts";
import { insertNotifications, type NewNotification } from "../notifications/notification.store.ts";
import { digestOf } from "./digest.rule.ts";
import type { DigestMessage } from "./digest-message.ts";
import { isProjectReceiver, receiversOf } from "./email-receivers.rule.ts";
import { type DueDigest, findDueDigests, findWaitingNotices, takeNotices } from "./notice.store.ts";
import { findProjectChat } from "./project-chat.store.ts";
import { findProjectEmail } from "./project-email.store.ts";
import { CHAT } from "./receivers.rule.ts";

const BATCH_SIZE = 20;
/** Of one digest. Later ones wait for the next. */
const MAX_NOTICES = 200;
/** Between two digests of a run to a receiver, so that a lively discussion is no flood. */
const GAP_FACTOR = 5;
const DIGESTS_PER_HOUR = 20;

type Address = Pick<NewNotification, "channel" | "receiver" | "target"> & {
  /** Whether the buttons of its messages can decide runs. */
  canDecide?: boolean;
};

/**
 * Queues due digests: one for each run and receiver. Any number of nodes may do it at the same time, and stop at any
 * moment. A digest that fails waits for the next call, and doesn't stop the others.
 * @throws Error of a failed digest, after the others
 */
export async function sendDigests(context: AlertsContext, signal?: AbortSignal): Promise<void> {
  const { noticeDelaySeconds: delaySeconds } = context;
  const pace = { delaySeconds, gapSeconds: GAP_FACTOR * delaySeconds, perHour: DIGESTS_PER_HOUR };
  const failures: unknown[] = [];
  for (let isFull = true; isFull && !signal?.aborted; ) {
    const due = await findDueDigests(context.em(), pace, BATCH_SIZE);
    await forEachIsolated(
      due,
      digest => sendDigest(context, digest),
      error => failures.push(error),
    );
    isFull = due.length === BATCH_SIZE;
  }
  if (failures.length > 0) throw failures[0];
}

async function sendDigest(context: AlertsContext, due: DueDigest): Promise<void> {
  const notices = await findWaitingNotices(context.em(), due, MAX_NOTICES);
  if (notices.length === 0) return;
  const { teamId, runId, receiver } = due;
  const commentIds = notices.flatMap(({ commentId }) => (commentId === null ? [] : [commentId]));
  const facts = await call(context.bus, "runs.digest", { teamId, runId, commentIds });
  const isPerson = receiver !== CHAT && !isProjectReceiver(receiver);
  const person = isPerson ? await personOf(context, due) : null;
  const address = isPerson ? addressOf(person) : await projectAddressOf(context, due);
  const digest = facts && address && digestOf(teamId, notices, facts, person);
  const message = digest && { ...digest, canDecide: digest.open !== null && address.canDecide === true };
  const id = newId("dlv");
  await context.em().transactional(async tx => {
    if (!(await takeNotices(tx, due, notices, message ? id : ""))) return;
    if (message) await insertNotifications(tx, [notificationOf(id, message, address)]);
  });
  if (message) context.wake();
}

async function personOf({ bus }: AlertsContext, { teamId, receiver }: DueDigest) {
  const people = await call(bus, "teams.noticePeople", { teamId });
  return people.find(({ id }) => id === receiver) ?? null;
}

function addressOf(
  person: { email: string | null; login: string | null; id: string } | null,
): Address | null {
  if (!person || person.email === null) return null;
  // Other members see the login, not the address.
  const receiver = person.login ?? person.id;
  return { channel: "email", receiver, target: { address: person.email, secret: null } };
}

/** Returns the chat channel or the address of the project. Null if it was removed or unsubscribed meanwhile. */
async function projectAddressOf(context: AlertsContext, due: DueDigest): Promise<Address | null> {
  if (due.receiver === CHAT) return chatOf(context, due);
  const email = await findProjectEmail(context.em(), due.teamId, projectOfBuildBase(due.project));
  const found = receiversOf(due.teamId, email).find(({ receiver }) => receiver === due.receiver);
  if (!found) return null;
  const { address, projectEmailId } = found;
  return { channel: "email", receiver: address, target: { address, secret: null, projectEmailId } };
}

async function chatOf(context: AlertsContext, { teamId, project }: DueDigest): Promise<Address | null> {
  const receiver = projectOfBuildBase(project);
  const chat = await findProjectChat(context.em(), teamId, receiver);
  if (!chat) return null;
  const tool = cardToolOf(chat.address) ?? "slack";
  const canDecide = (await findChatApps(context.em(), teamId)).some(app => app.tool === tool);
  return { channel: "slack", receiver, target: { address: chat.address, secret: null }, canDecide };
}

function notificationOf(
  id: string,
  digest: DigestMessage,
  { channel, receiver, target }: Address,
): NewNotification {
  return {
    ...{ id, key: `digest ${id}`, teamId: digest.teamId, monitorId: null, lane: null, kind: "digest" },
    ...{ channel, receiver, target },
    payload: { digest },
  };
}
