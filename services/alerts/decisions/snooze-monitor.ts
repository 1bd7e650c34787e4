import type { EntityManager } from "../../../mixins/database.ts";
import type { Noted } from "../../../shared/contracts/events.ts";
import type { AlertStanding } from "../../../shared/contracts/monitors/alert-actions.ts";
import { SNOOZE_HOURS } from "../../../shared/contracts/monitors/alerts.ts";
import { invalidField, notFound } from "../../../shared/errors.ts";
import type { AlertsContext } from "../alerts-context.ts";
import { noteActivity } from "../note-activity.ts";
import { publishChanged } from "../publish-changed.ts";
import { DELIVERY_ERRORS } from "../texts.ts";
import { endSnoozes, insertSnooze } from "./mark.store.ts";
import { findStates, snoozeState, unsnoozeState } from "./state.store.ts";

/** Tells nobody anything of a monitor for so many hours. @throws ServiceError not_found, invalid_request */
export async function snoozeMonitor(
  context: AlertsContext,
  actor: Noted["actor"],
  { monitorId, teamId, hours }: { monitorId: string; teamId: string; hours: number },
): Promise<{ snoozedUntil: string }> {
  const { min, max } = SNOOZE_HOURS;
  if (!Number.isInteger(hours) || hours < min || hours > max)
    throw invalidField("hours", DELIVERY_ERRORS.hours(min, max));
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
  await publishChanged(context, { monitorId, teamId });
  return { snoozedUntil: until.toISOString() };
}

/** Lifts a snooze: the next check decides. Where there is none, or it is another team's, nothing happens. */
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
  await publishChanged(context, { monitorId, teamId });
}

/** Where these monitors' alerts stand, in the order asked for; of one that nothing is known of, that all is well. */
export async function readStanding(em: EntityManager, monitorIds: string[]): Promise<AlertStanding[]> {
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
