import { call } from "../../../shared/contracts/bus.ts";
import type { AlertsContext } from "../alerts-context.ts";
import { mailNotice } from "../mail/mail-notice.ts";
import { urlTail } from "../notifications/receiver.ts";
import { PAUSED_MAIL } from "../texts.ts";
import { findDueNotices, markNoticed } from "./webhook.store.ts";

type Paused = Awaited<ReturnType<typeof findDueNotices>>[number];

/**
 * Mails the admins of teams whose webhooks were paused because their receivers failed, and notes it in the teams'
 * activity. Repeating it sends nothing twice.
 */
export async function mailPaused(context: AlertsContext): Promise<void> {
  for (const webhook of await findDueNotices(context.em())) {
    await notePaused(context, webhook);
    await mailAdmins(context, webhook);
    await markNoticed(context.em(), webhook.id);
  }
}

async function notePaused({ bus }: AlertsContext, { id, noticeId, teamId, target }: Paused): Promise<void> {
  await call(bus, "teams.note", {
    id: noticeId,
    teamId,
    type: "webhook.paused",
    actor: { kind: "service", id: "webhooks", name: "webhooks" },
    target: id,
    details: { receiver: urlTail(target.url) },
  });
}

async function mailAdmins(context: AlertsContext, webhook: Paused): Promise<void> {
  if (!context.mailer) return;
  const { noticeId, teamId, pausedBecause, target } = webhook;
  const { name, addresses } = await call(context.bus, "teams.adminAddresses", { teamId });
  if (addresses.length === 0) return;
  const receiver = urlTail(target.url);
  await mailNotice(context, {
    id: `webhook ${noticeId}`,
    teamId,
    to: addresses,
    subject: PAUSED_MAIL.subject(name),
    paragraphs: [
      pausedBecause === "gone" ? PAUSED_MAIL.gone(receiver) : PAUSED_MAIL.failures(receiver),
      PAUSED_MAIL.remedy,
      PAUSED_MAIL.footer,
    ],
    button: { label: PAUSED_MAIL.button, url: `${context.baseUrl}/settings/webhooks` },
  });
}
