import type { Notice } from "../../../shared/contracts/monitors/alert-actions.ts";
import { newId } from "../../../shared/ids.ts";
import type { AlertsContext } from "../alerts-context.ts";
import { insertNotifications } from "../notifications/notification.store.ts";
import { digestOf } from "../notifications/receiver.ts";

/** Queues a mail to each address, once per notice. Does nothing without a mail server. */
export async function mailNotice(context: AlertsContext, notice: Notice): Promise<void> {
  if (!context.mailer) return;
  const { id, teamId, to, subject, paragraphs, button = null } = notice;
  const notifications = to.map(address => {
    const target = { address, secret: null };
    return {
      id: newId("dlv"),
      key: `notice ${id} ${digestOf(target)}`,
      teamId,
      monitorId: null,
      lane: null,
      channel: "email" as const,
      kind: "notice" as const,
      receiver: address,
      target,
      payload: { notice: { subject, paragraphs, button } },
    };
  });
  await context.em().transactional(tx => insertNotifications(tx, notifications));
  context.wake();
}
