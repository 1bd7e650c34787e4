import type { EntityManager } from "../../../mixins/database.ts";
import { type DueNotification, decide, type Problem, problemOf } from "../../../shared/alerts/decide.rule.ts";
import { withUncaptured } from "../../../shared/alerts/uncaptured.rule.ts";
import type {
  AlertDecision,
  CheckOutcome,
  CheckReport,
} from "../../../shared/contracts/monitors/alert-actions.ts";
import { publishMonitorsChanged } from "../../../shared/contracts/monitors/monitors-changed.ts";
import type { AlertsContext } from "../alerts-context.ts";
import { isCovered } from "../incidents/covered-problem.rule.ts";
import { type Incident, lockOpenIncident } from "../incidents/incident.store.ts";
import { recordIncident, sourceOf } from "../incidents/record-incident.ts";
import { findReceiversOfMonitors } from "../notices/project-email.store.ts";
import { messageOf } from "../notifications/message.ts";
import { insertNotifications } from "../notifications/notification.store.ts";
import { monitorEvent } from "../webhooks/monitor-event.ts";
import { queueEvents } from "../webhooks/publish-events.ts";
import type { AlertStateRow } from "./alert-state.entity.ts";
import { insertAlertMark } from "./chart-mark.store.ts";
import { findPeople, isForPeople, type MonitorPerson } from "./people-of-monitors.ts";
import { planNotifications } from "./plan-notifications.ts";
import { findDecision, findOptOuts, insertDecision, lockState, saveState } from "./state.store.ts";

/**
 * Decides on a completed check and queues its notifications in one transaction, one check of a monitor at a time.
 * A report can be repeated after any failure without a second notification.
 */
export async function reportCheck(context: AlertsContext, report: CheckReport): Promise<AlertDecision> {
  const { monitor, checkId, at, uncaptured } = report;
  const people = await findPeople(context, monitor.teamId);
  const decision = await context.em().transactional(async tx => {
    const { state, now } = await lockState(tx, monitor.id, monitor.teamId);
    const before = await findDecision(tx, checkId);
    if (before) return before;
    const outcome = withUncaptured(report.outcome, uncaptured, state.alertedOutcome);
    const incident = await lockOpenIncident(tx, monitor.id);
    const decided = decide(state, { at: new Date(at), problem: newProblem(outcome, state, incident) }, now);
    await insertDecision(tx, checkId, monitor.id, decided.decision);
    const problem = outcome.kind === "ok" ? null : outcome;
    const alertedOutcome = decided.notification ? problem : state.alertedOutcome;
    await saveState(tx, monitor.id, { ...decided.state, alertedOutcome });
    const incidentId = await recordIncident(tx, incident, { ...report, outcome }, decided);
    if (decided.notification) {
      const marked = { monitorId: monitor.id, teamId: monitor.teamId };
      await insertAlertMark(tx, marked, { kind: decided.notification.kind, checkId });
      await queue(tx, context, { ...report, outcome }, { ...decided.notification, incidentId, people });
    }
    return decided.decision;
  });
  context.wake();
  await publishMonitorsChanged(context.bus, [{ monitorId: monitor.id, teamId: monitor.teamId }]);
  return decision;
}

/** Returns the problem of a check. Within an acknowledged problem, it is the acknowledged one. */
function newProblem(outcome: CheckOutcome, state: AlertStateRow, incident: Incident | null): Problem | null {
  const problem = problemOf(outcome);
  if (outcome.kind === "ok" || problem === null || incident?.acknowledgedAt == null) return problem;
  const { alerted, alertedOutcome } = state;
  if (incident.about !== alerted || alertedOutcome === null) return problem;
  return isCovered(outcome, alertedOutcome) ? { ...problem, about: alerted } : problem;
}

async function queue(
  tx: EntityManager,
  context: AlertsContext,
  report: CheckReport,
  notification: DueNotification & { people: MonitorPerson[]; incidentId: string | null },
): Promise<void> {
  const since = notification.kind === "recovered" ? (notification.since?.toISOString() ?? null) : null;
  const replaces = notification.kind === "recovered" ? null : notification.replaces;
  const { kind, about, incidentId, people } = notification;
  const message = messageOf(report, { kind, about, since, incidentId });
  await queueEvents(tx, [monitorEvent(notification.kind, message)]);
  const plan = planNotifications({
    source: sourceOf(report.checkId),
    message,
    replaces,
    channels: report.monitor.channels,
    optedOut: await findOptOuts(tx, report.monitor.id),
    hasMailer: context.mailer !== null,
    people: isForPeople({ about, replaces }) ? people : [],
    everyMonitor: await findReceiversOfMonitors(tx, report.monitor.teamId),
  });
  await insertNotifications(tx, plan);
}
