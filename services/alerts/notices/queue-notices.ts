import { projectOfBuildBase } from "../../../shared/contracts/builds/builds.ts";
import { call } from "../../../shared/contracts/bus.ts";
import type { OutgoingEvent } from "../../../shared/contracts/webhooks/events.ts";
import type { AlertsContext } from "../alerts-context.ts";
import { receiversOf } from "./email-receivers.rule.ts";
import { insertNotices } from "./notice.store.ts";
import { findProjectChat } from "./project-chat.store.ts";
import { findProjectEmail } from "./project-email.store.ts";
import { noticesOf } from "./receivers.rule.ts";

/**
 * Queues the notices of events for people, and for chat channels and email addresses of projects. A repeated message queues nothing.
 * @throws Error while the teams service is unavailable
 */
export async function queueNotices(context: AlertsContext, events: readonly OutgoingEvent[]): Promise<void> {
  for (const event of events) {
    const { notify = [], teamId, project } = event;
    if (notify.length === 0 || project === null) continue;
    const em = context.em();
    const base = projectOfBuildBase(project);
    const hasChat = (await findProjectChat(em, teamId, base)) !== null;
    // Without a mail server, no person and no address can be reached.
    const people = context.mailer ? await call(context.bus, "teams.noticePeople", { teamId }) : [];
    const email = context.mailer ? await findProjectEmail(em, teamId, base) : null;
    const notices = noticesOf(notify, people, hasChat, receiversOf(teamId, email));
    if (notices.length > 0) await insertNotices(em, event, notices);
  }
}
