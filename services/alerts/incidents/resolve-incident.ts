import type { EntityManager } from "../../../mixins/database.ts";
import { call } from "../../../shared/contracts/bus.ts";
import type { AlertedMonitor } from "../../../shared/contracts/monitors/alert-actions.ts";
import type { IncidentView } from "../../../shared/contracts/monitors/incidents.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import type { AlertsContext } from "../alerts-context.ts";
import { aboutOf, isConditionTrack } from "../conditions/condition-track.rule.ts";
import { findPeople, isForPeople, type MonitorPerson } from "../decisions/people-of-monitors.ts";
import { planClosing, planNotifications } from "../decisions/plan-notifications.ts";
import { findOptOuts, lockState, saveState } from "../decisions/state.store.ts";
import { findReceiversOfMonitors } from "../notices/project-email.store.ts";
import type { AlertMessage } from "../notifications/message.ts";
import { insertNotifications } from "../notifications/notification.store.ts";
import { monitorEvent } from "../webhooks/monitor-event.ts";
import { queueEvents } from "../webhooks/publish-events.ts";
import { type Incident, lockIncident, resolveIncident } from "./incident.store.ts";
import { announce } from "./manage-incidents.ts";
import { readIncident } from "./read-incidents.ts";
import { findCovered } from "./shared-incident.store.ts";
import { insertEntry } from "./timeline.store.ts";

/**
 * Resolves an incident by hand. Receivers of the alert get a recovery, so that no other system waits for one. The
 * incident of a condition is only closed at incident services, because the condition may go on. Does nothing if the
 * incident is resolved.
 * @throws ServiceError not_found
 */
export async function resolve(
  context: AlertsContext,
  caller: Caller,
  { id, note = null }: { id: string; note?: string | null | undefined },
): Promise<IncidentView> {
  const { teamId, actor } = caller;
  const { monitor: named } = await readIncident(context, caller, { id });
  const monitor = await call(context.bus, "monitors.alerted", { id: named.id, teamId });
  const people = await findPeople(context, teamId);
  const others = await alertedOf(context, teamId, await findCovered(context.em(), id));
  const isChanged = await context.em().transactional(async tx => {
    // In the order in which reports lock them.
    const { state, now } = await lockState(tx, named.id, teamId);
    const incident = await lockIncident(tx, teamId, id);
    if (!incident || incident.resolvedAt !== null) return false;
    const source = `resolve ${id}`;
    await resolveIncident(tx, id, { source, resolution: "manual", by: actor.name });
    await insertEntry(tx, id, { kind: "resolved", by: actor.name, resolution: "manual", text: note });
    if (isConditionTrack(incident.kind)) {
      const about = aboutOf(incident.kind);
      // Receivers of several monitors get one message, by its key.
      for (const one of [monitor, ...others])
        if (one) await insertNotifications(tx, planClosing(one, about, source));
      return true;
    }
    if (state.alerted !== incident.about) return true;
    await saveState(tx, named.id, {
      ...state,
      ...{ alerted: null, alertedOutcome: null, alertingSince: null },
    });
    if (monitor) await queueRecovery(tx, context, { monitor, incident, people, source, by: actor.name, now });
    return true;
  });
  context.wake();
  const view = await readIncident(context, caller, { id });
  if (isChanged) await announce(context, caller, view, "incident.resolved");
  return view;
}

async function alertedOf(
  { bus }: AlertsContext,
  teamId: string,
  ids: readonly string[],
): Promise<(AlertedMonitor | null)[]> {
  return await Promise.all(ids.map(id => call(bus, "monitors.alerted", { id, teamId })));
}

interface Recovery {
  monitor: AlertedMonitor;
  incident: Incident;
  people: MonitorPerson[];
  source: string;
  by: string;
  now: Date;
}

async function queueRecovery(
  tx: EntityManager,
  { mailer }: AlertsContext,
  { monitor: { channels, ...monitor }, incident, people, source, by, now }: Recovery,
): Promise<void> {
  const { id, teamId, name, url } = monitor;
  const message: AlertMessage = {
    monitor: { id, teamId, name, url },
    ...{ kind: "recovered", at: now.toISOString(), runId: incident.runId, about: incident.about },
    ...{ regressions: [], count: 0, otherRenderers: 0, reason: null, down: null },
    since: incident.openedAt.toISOString(),
    resolvedBy: by,
    title: null,
    incidentId: incident.id,
  };
  await queueEvents(tx, [monitorEvent("recovered", message)]);
  const optedOut = await findOptOuts(tx, id);
  const everyMonitor = await findReceiversOfMonitors(tx, teamId);
  const plan = {
    source,
    message,
    replaces: null,
    channels,
    optedOut,
    everyMonitor,
    people: isForPeople({ about: incident.about, replaces: null }) ? people : [],
    hasMailer: mailer !== null,
  };
  await insertNotifications(tx, planNotifications(plan));
}
