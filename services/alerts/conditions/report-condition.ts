import { call } from "../../../shared/contracts/bus.ts";
import type { Condition } from "../../../shared/contracts/monitors/conditions.ts";
import { publishMonitorsChanged } from "../../../shared/contracts/monitors/monitors-changed.ts";
import type { AlertsContext } from "../alerts-context.ts";
import { CHANNELS } from "../channels/registry.ts";
import { planNotifications } from "../decisions/plan-notifications.ts";
import { readStatuses } from "../decisions/snooze-monitor.ts";
import { findDecision, findOptOuts, insertDecision, lockState } from "../decisions/state.store.ts";
import { mailNotice } from "../mail/mail-notice.ts";
import { findReceiversOfMonitors } from "../notices/project-email.store.ts";
import type { AlertMessage } from "../notifications/message.ts";
import { insertNotifications, type NewNotification } from "../notifications/notification.store.ts";
import { CONDITION_TEXTS } from "../texts.ts";
import { conditionEvent } from "../webhooks/monitor-event.ts";
import { queueEvents } from "../webhooks/publish-events.ts";
import { recordConditionIncident } from "./condition-incident.ts";
import { aboutOf, isShared, trackOf } from "./condition-track.rule.ts";

/**
 * Notifies the receivers of monitors of something besides their pages, once per receiver and source. Opens or resolves
 * its incident and queues its event for webhooks, once per source. Admins get a mail about unchecked monitors that have
 * no receivers. Snoozed monitors are left out. A final end of a snoozed one, or the end of a problem that it shares with
 * others, only closes its incident, here and at incident services.
 * @returns false if all monitors are snoozed
 */
export async function reportCondition(context: AlertsContext, condition: Condition): Promise<boolean> {
  const { source, kind, monitors } = condition;
  const statuses = await readStatuses(
    context.em(),
    monitors.map(({ id }) => id),
  );
  const snoozed = new Set(statuses.flatMap(one => (one.snoozedUntil === null ? [] : [one.monitorId])));
  const active = monitors.filter(({ id }) => !snoozed.has(id));
  if (active.length === 0 && !condition.isFinal) return false;
  const { track, isEnd } = trackOf(kind);
  // Nothing reports the end for a snoozed one later.
  const reported = condition.isFinal || (isEnd && isShared(track)) ? monitors : active;
  const [first] = reported;
  if (!first) return false;
  const queued = await context.em().transactional(async tx => {
    // Reports of the same monitor wait for each other, and a repeated one finds the decision.
    await lockState(tx, first.id, first.teamId);
    const decision = `condition ${source}`;
    const isNew = (await findDecision(tx, decision)) === null;
    const incidentId = isNew ? await recordConditionIncident(tx, condition, first) : null;
    if (isNew) {
      await insertDecision(tx, decision, first.id, isEnd ? "recovered" : "alerted");
      await queueEvents(tx, [conditionEvent(condition, reported)]);
    }
    const planned: NewNotification[] = [];
    const everyMonitor = await findReceiversOfMonitors(tx, first.teamId);
    for (const { channels, ...monitor } of reported) {
      const optedOut = await findOptOuts(tx, monitor.id);
      const message = { ...messageOf(condition, monitor), incidentId };
      const all = planNotifications({
        ...{ source, message, replaces: null, channels, optedOut, everyMonitor },
        hasMailer: context.mailer !== null,
      });
      planned.push(
        ...(snoozed.has(monitor.id) ? all.filter(({ channel }) => CHANNELS[channel].incidents) : all),
      );
    }
    // The key has no monitor, so that a receiver of several monitors gets one message. An address that unsubscribed from
    // one of them gets that of another.
    const isSent = ({ dropped }: NewNotification) => dropped === undefined;
    await insertNotifications(tx, [...planned.filter(isSent), ...planned.filter(one => !isSent(one))]);
    return planned.length;
  });
  context.wake();
  await publishMonitorsChanged(
    context.bus,
    reported.map(({ id: monitorId, teamId }) => ({ monitorId, teamId })),
  );
  if (queued === 0 && (kind === "unchecked" || kind === "checked")) await mailAdmins(context, condition);
  return true;
}

function messageOf(
  { kind, at, title, text }: Condition,
  { id, teamId, name, url }: AlertMessage["monitor"],
): AlertMessage {
  return {
    monitor: { id, teamId, name, url },
    ...{ kind, at, runId: null, about: aboutOf(trackOf(kind).track), title, reason: text },
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
