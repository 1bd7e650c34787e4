import type { Outcome } from "../../../shared/alerts/outcome.rule.ts";
import { CHANNEL_NAMES } from "../../../shared/contracts/monitors/alerts.ts";
import type { Sender } from "../alerts-context.ts";
import { CHANNELS } from "../channels/registry.ts";
import { NOTIFICATION_ERRORS } from "../texts.ts";
import { notificationPayload } from "./message.ts";
import type { LeasedNotification } from "./notification.store.ts";
import { receiver } from "./receiver.ts";

/** Makes one attempt to send a notification. @throws Error that may be temporary */
export async function deliver(
  { id, channel: name, target, payload }: LeasedNotification,
  sender: Sender,
  signal: AbortSignal,
): Promise<Outcome> {
  const known = CHANNEL_NAMES.find(channel => channel === name);
  const [to, content] = [receiver.safeParse(target), notificationPayload.safeParse(payload)];
  if (!known || !to.success || !content.success)
    return { kind: "refused", answer: NOTIFICATION_ERRORS.unknownFormat };
  const channel = CHANNELS[known];
  const outgoing = { id, receiver: to.data, signal };
  if ("alert" in content.data) return channel.send({ ...outgoing, message: content.data.alert }, sender);
  if (!channel.notify) return { kind: "refused", answer: NOTIFICATION_ERRORS.noNotices };
  return channel.notify({ ...outgoing, message: content.data.notice }, sender);
}
