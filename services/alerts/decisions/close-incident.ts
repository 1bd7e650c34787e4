import type { EntityManager } from "../../../mixins/database.ts";
import { call } from "../../../shared/contracts/bus.ts";
import type { AlertedMonitor } from "../../../shared/contracts/monitors/alert-actions.ts";
import type { AlertsContext } from "../alerts-context.ts";
import { INCIDENT_CHANNELS } from "../channels/registry.ts";
import { aboutOf, isShared } from "../conditions/condition-track.rule.ts";
import { findOpenConditions } from "../incidents/incident.store.ts";
import { findCompanions, handOverIncidents } from "../incidents/shared-incident.store.ts";
import {
  dropAllButClosings,
  handOverQueued,
  insertNotifications,
} from "../notifications/notification.store.ts";
import { NOTIFICATION_ERRORS } from "../texts.ts";
import { endsOf, planClosing } from "./plan-notifications.ts";
import { deleteState, lockKnownState } from "./state.store.ts";

/**
 * Closes a deleted monitor's incidents, and sends nothing more for it. An incident that stands for other monitors too
 * goes to one of them. Its notifications stay until their retention ends.
 */
export async function deleteMonitorAlerts(context: AlertsContext, monitor: AlertedMonitor): Promise<void> {
  const { heir, shared } = await companionsOf(context, monitor);
  await context.em().transactional(async tx => {
    if (heir) await handOverQueued(tx, monitor.id, heir, shared);
    await dropAllButClosings(tx, monitor.id, NOTIFICATION_ERRORS.monitorDeleted, INCIDENT_CHANNELS);
    await queueClosing(tx, monitor, shared);
    await handOverIncidents(tx, monitor);
    await deleteState(tx, monitor.id);
  });
  context.wake();
}

/** Closes the incidents of a channel that the monitor no longer has. The alerts themselves stay open. */
export async function closeIncident(context: AlertsContext, monitor: AlertedMonitor): Promise<void> {
  const { shared } = await companionsOf(context, monitor);
  await context.em().transactional(tx => queueClosing(tx, monitor, shared));
  context.wake();
}

interface Companions {
  /** One of them. Null if there are none. */
  heir: AlertedMonitor | null;
  /** Lanes of the messages to their receivers. For these, the incident stays open. */
  shared: ReadonlySet<string>;
}

/** Returns the monitors that one open incident stands for besides this one. Reads only as many as it takes. */
async function companionsOf({ em, bus }: AlertsContext, monitor: AlertedMonitor): Promise<Companions> {
  const { teamId } = monitor;
  const lanesOf = ({ channels }: AlertedMonitor) => endsOf(channels).map(end => `${teamId} ${end}`);
  const own = lanesOf(monitor);
  const shared = new Set<string>();
  let heir: AlertedMonitor | null = null;
  for (const id of await findCompanions(em(), monitor)) {
    if (heir && own.every(lane => shared.has(lane))) break;
    const other = await call(bus, "monitors.alerted", { id, teamId });
    if (!other) continue;
    heir ??= other;
    for (const lane of lanesOf(other)) shared.add(lane);
  }
  return { heir, shared };
}

/** @param shared lanes for which the incident of several monitors stays open */
async function queueClosing(
  tx: EntityManager,
  monitor: AlertedMonitor,
  shared: ReadonlySet<string>,
): Promise<void> {
  const state = await lockKnownState(tx, monitor.id, monitor.teamId);
  const closing = (about: string, source: string) =>
    planClosing(monitor, about, `close ${source} ${monitor.id}`);
  if (state?.alerted != null) {
    const source = `${state.alertingSince?.toISOString()} ${state.alerted}`;
    await insertNotifications(tx, closing(state.alerted, source));
  }
  for (const { id, track } of await findOpenConditions(tx, monitor)) {
    const all = closing(aboutOf(track), id);
    const isOver = (lane: string | null) => lane === null || !shared.has(lane);
    await insertNotifications(tx, isShared(track) ? all.filter(({ lane }) => isOver(lane)) : all);
  }
}
