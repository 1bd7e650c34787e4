import type { EntityManager } from "../../../mixins/database.ts";
import type { AlertedMonitor } from "../../../shared/contracts/monitors/alert-actions.ts";
import type { AlertsContext } from "../alerts-context.ts";
import { INCIDENT_CHANNELS } from "../channels/registry.ts";
import { aboutOf } from "../conditions/condition-track.rule.ts";
import { findOpenConditions } from "../incidents/incident.store.ts";
import { dropAllButClosings, insertNotifications } from "../notifications/notification.store.ts";
import { NOTIFICATION_ERRORS } from "../texts.ts";
import { planClosing } from "./plan-notifications.ts";
import { deleteState, lockKnownState } from "./state.store.ts";

/**
 * Closes a deleted monitor's incidents, and sends nothing more for it. Its notifications stay until their retention
 * ends.
 */
export async function deleteMonitorAlerts(context: AlertsContext, monitor: AlertedMonitor): Promise<void> {
  await context.em().transactional(async tx => {
    await dropAllButClosings(tx, monitor.id, NOTIFICATION_ERRORS.monitorDeleted, INCIDENT_CHANNELS);
    await queueClosing(tx, monitor);
    await deleteState(tx, monitor.id);
  });
  context.wake();
}

/** Closes the incidents of a channel that the monitor no longer has. The alerts themselves stay open. */
export async function closeIncident(context: AlertsContext, monitor: AlertedMonitor): Promise<void> {
  await context.em().transactional(tx => queueClosing(tx, monitor));
  context.wake();
}

async function queueClosing(tx: EntityManager, monitor: AlertedMonitor): Promise<void> {
  const state = await lockKnownState(tx, monitor.id, monitor.teamId);
  const close = (about: string, source: string) =>
    insertNotifications(tx, planClosing(monitor, about, `close ${source} ${monitor.id}`));
  if (state?.alerted != null)
    await close(state.alerted, `${state.alertingSince?.toISOString()} ${state.alerted}`);
  for (const { id, track } of await findOpenConditions(tx, monitor.id)) await close(aboutOf(track), id);
}
