import type { EntityManager } from "../../../mixins/database.ts";
import type { AlertedMonitor } from "../../../shared/contracts/monitors/alert-actions.ts";
import { CHANNEL_NAMES } from "../../../shared/contracts/monitors/alerts.ts";
import type { AlertsContext } from "../alerts-context.ts";
import { CHANNELS } from "../channels/registry.ts";
import { dropAllButClosings, insertDeliveries } from "../notifications/notification.store.ts";
import { DELIVERY_ERRORS } from "../texts.ts";
import { planClosing } from "./plan-notifications.ts";
import { deleteState, holdState } from "./state.store.ts";

/** Forgets a monitor: its incident is closed, and nothing more is sent of it. What was sent is kept until its time is over. */
export async function deleteMonitorAlerts(context: AlertsContext, monitor: AlertedMonitor): Promise<void> {
  await context.em().transactional(async tx => {
    const incidentChannels = CHANNEL_NAMES.filter(channel => CHANNELS[channel].incidents);
    await dropAllButClosings(tx, monitor.id, DELIVERY_ERRORS.monitorDeleted, incidentChannels);
    await queueClosing(tx, monitor);
    await deleteState(tx, monitor.id);
  });
  context.nudge();
}

/** Closes what is open with a key that the monitor has no more; what is alerted stays alerted. */
export async function closeIncident(context: AlertsContext, monitor: AlertedMonitor): Promise<void> {
  await context.em().transactional(tx => queueClosing(tx, monitor));
  context.nudge();
}

async function queueClosing(tx: EntityManager, monitor: AlertedMonitor): Promise<void> {
  const state = await holdState(tx, monitor.id, monitor.teamId);
  if (state?.alerted == null) return;
  const source = `close ${state.alertingSince?.toISOString()} ${state.alerted}`;
  await insertDeliveries(tx, planClosing(monitor, state.alerted, `${source} ${monitor.id}`));
}
