import { call } from "../../../shared/contracts/bus.ts";
import type { Condition } from "../../../shared/contracts/monitors/conditions.ts";
import type { AlertsContext } from "../alerts-context.ts";
import { planNotifications } from "../decisions/plan-notifications.ts";
import { readStatuses } from "../decisions/snooze-monitor.ts";
import { findOptOuts } from "../decisions/state.store.ts";
import { mailNotice } from "../mail/mail-notice.ts";
import type { AlertMessage } from "../notifications/message.ts";
import { insertNotifications } from "../notifications/notification.store.ts";
import { CONDITION_TEXTS } from "../texts.ts";

/** An end of a condition is about the same incident as its start. */
const ABOUT = {
  unchecked: "schedule",
  checked: "schedule",
  certificate: "certificate",
  renewed: "certificate",
} as const;

/**
 * Notifies the receivers of monitors of something besides their pages, once per receiver and source. Admins get a mail
 * about unchecked monitors that have no receivers. Snoozed monitors are left out.
 * @returns false if all monitors are snoozed
 */
export async function reportCondition(context: AlertsContext, condition: Condition): Promise<boolean> {
  const { source, kind, monitors } = condition;
  const statuses = await readStatuses(
    context.em(),
    monitors.map(({ id }) => id),
  );
  const snoozed = new Set(statuses.flatMap(one => (one.snoozedUntil === null ? [] : [one.monitorId])));
  const awake = monitors.filter(({ id }) => !snoozed.has(id));
  if (awake.length === 0) return false;
  const planned = await context.em().transactional(async tx => {
    let count = 0;
    for (const { channels, ...monitor } of awake) {
      const optedOut = await findOptOuts(tx, monitor.id);
      const message = messageOf(condition, monitor);
      const plan = planNotifications({
        ...{ source, message, replaces: null, channels, optedOut },
        hasMailer: context.mailer !== null,
      });
      count += plan.length;
      // The key has no monitor, so that a receiver of several monitors gets one message.
      await insertNotifications(tx, plan);
    }
    return count;
  });
  context.wake();
  if (planned === 0 && (kind === "unchecked" || kind === "checked")) await mailAdmins(context, condition);
  return true;
}

function messageOf(
  { kind, at, title, text }: Condition,
  { id, teamId, name, url }: AlertMessage["monitor"],
): AlertMessage {
  return {
    monitor: { id, teamId, name, url },
    ...{ kind, at, runId: null, about: ABOUT[kind], title, reason: text },
    ...{ regressions: [], count: 0, otherRenderers: 0, down: null, since: null, resolvedBy: null },
    incidentId: null,
  };
}

async function mailAdmins(
  context: AlertsContext,
  { source, title, text, monitors: [monitor] }: Condition,
): Promise<void> {
  if (!context.mailer || !monitor) return;
  const { teamId } = monitor;
  const { addresses } = await call(context.bus, "teams.adminAddresses", { teamId });
  await mailNotice(context, {
    ...{ id: source, teamId, to: addresses, subject: title },
    paragraphs: [text, CONDITION_TEXTS.footer],
    button: { label: CONDITION_TEXTS.button, url: `${context.baseUrl}/monitors` },
  });
}
