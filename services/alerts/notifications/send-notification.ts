import { z } from "zod";
import type { Outcome } from "../../../shared/alerts/outcome.rule.ts";
import { CHANNEL_NAMES } from "../../../shared/contracts/monitors/alerts.ts";
import type { Sender } from "../alerts-context.ts";
import { CHANNELS } from "../channels/registry.ts";
import { digestMessage } from "../notices/digest-message.ts";
import { NOTIFICATION_ERRORS } from "../texts.ts";
import { notificationPayload } from "./message.ts";
import type { LeasedNotification } from "./notification.store.ts";
import { receiver } from "./receiver.ts";

const anyPayload = z.union([...notificationPayload.options, z.object({ digest: digestMessage })]);

/** Makes one attempt to send a notification. @throws Error that may be temporary */
export async function deliver(
  { id, channel: name, target, payload }: LeasedNotification,
  sender: Sender,
  signal: AbortSignal,
): Promise<Outcome> {
  const known = CHANNEL_NAMES.find(channel => channel === name);
  const [to, content] = [receiver.safeParse(target), anyPayload.safeParse(payload)];
  if (!known || !to.success || !content.success)
    return { kind: "refused", answer: NOTIFICATION_ERRORS.unknownFormat };
  const channel = CHANNELS[known];
  const outgoing = { id, receiver: to.data, signal };
  if ("digest" in content.data) {
    if (!channel.digest) return { kind: "refused", answer: NOTIFICATION_ERRORS.noNotices };
    return channel.digest({ ...outgoing, message: content.data.digest }, sender);
  }
  if ("alert" in content.data) return channel.send({ ...outgoing, message: content.data.alert }, sender);
  if (!channel.notify) return { kind: "refused", answer: NOTIFICATION_ERRORS.noNotices };
  return channel.notify({ ...outgoing, message: content.data.notice }, sender);
}
