import type { EntityManager } from "../../../mixins/database.ts";
import { emit } from "../../../shared/contracts/bus.ts";
import type { Noted } from "../../../shared/contracts/events.ts";
import type { AlertStatus } from "../../../shared/contracts/monitors/alert-actions.ts";
import { SNOOZE_HOURS } from "../../../shared/contracts/monitors/alerts.ts";
import { publishMonitorsChanged } from "../../../shared/contracts/monitors/monitors-changed.ts";
import type { Actor } from "../../../shared/contracts/teams/caller.ts";
import { invalidField, notFound } from "../../../shared/errors.ts";
import { newId } from "../../../shared/ids.ts";
import type { AlertsContext } from "../alerts-context.ts";
import { NOTIFICATION_ERRORS } from "../texts.ts";
import { endSnoozes, insertSnooze } from "./chart-mark.store.ts";
import { findStates, snoozeState, unsnoozeState } from "./state.store.ts";

/** The actor of a request that a message's link made. Its user is unknown. */
export const ALERT_LINK: Actor = { kind: "service", id: "alert-link", name: "alert link" };

/** Records an action on a monitor's alerts in the team's activity. */
export async function noteActivity(context: AlertsContext, noted: Omit<Noted, "id">): Promise<void> {
  await emit(context.bus, "activity.noted", { id: newId("act"), ...noted });
}

/** Snoozes a monitor's alerts. @throws ServiceError not_found, invalid_request */
export async function snoozeMonitor(
  context: AlertsContext,
  actor: Noted["actor"],
  { monitorId, teamId, hours }: { monitorId: string; teamId: string; hours: number },
): Promise<{ snoozedUntil: string }> {
  const { min, max } = SNOOZE_HOURS;
  if (!Number.isInteger(hours) || hours < min || hours > max)
    throw invalidField("hours", NOTIFICATION_ERRORS.hours(min, max));
  const until = await context.em().transactional(async tx => {
    const snoozedUntil = await snoozeState(tx, monitorId, teamId, hours);
    if (!snoozedUntil) return null;
    await endSnoozes(tx, { monitorId, teamId });
    await insertSnooze(tx, { monitorId, teamId }, hours);
    return snoozedUntil;
  });
  if (!until) throw notFound("monitor", monitorId);
  await noteActivity(context, {
    teamId,
    type: "monitor.snoozed",
    actor,
    target: monitorId,
    details: { hours },
  });
  await publishMonitorsChanged(context.bus, [{ monitorId, teamId }]);
  return { snoozedUntil: until.toISOString() };
}

/**
 * Ends a snooze, so that the next check decides again. Without a snooze, or for another team's monitor, nothing
 * happens.
 */
export async function unsnoozeMonitor(
  context: AlertsContext,
  actor: Noted["actor"],
  { monitorId, teamId }: { monitorId: string; teamId: string },
): Promise<void> {
  const isLifted = await context.em().transactional(async tx => {
    const wasSnoozed = await unsnoozeState(tx, monitorId, teamId);
    await endSnoozes(tx, { monitorId, teamId });
    return wasSnoozed;
  });
  if (!isLifted) return;
  await noteActivity(context, { teamId, type: "monitor.unsnoozed", actor, target: monitorId, details: {} });
  await publishMonitorsChanged(context.bus, [{ monitorId, teamId }]);
}

/** Returns the alert status of monitors, in the given order. A monitor without a stored state has no alert. */
export async function readStatuses(em: EntityManager, monitorIds: string[]): Promise<AlertStatus[]> {
  const known = new Map((await findStates(em, monitorIds)).map(state => [state.monitorId, state]));
  const iso = (at: Date | null | undefined) => at?.toISOString() ?? null;
  const now = Date.now();
  return monitorIds.map(monitorId => {
    const state = known.get(monitorId);
    const snoozed = state?.snoozedUntil && state.snoozedUntil.getTime() > now ? state.snoozedUntil : null;
    return {
      monitorId,
      alertingSince: iso(state?.alertingSince),
      lastAlertAt: iso(state?.lastAlertAt),
      snoozedUntil: iso(snoozed),
    };
  });
}
