import type { EntityManager } from "../../mixins/database.ts";
import type { AlertStanding } from "../../shared/contracts/alert-actions.ts";
import { invalidField, notFound } from "../../shared/errors.ts";
import { findStates, snoozeState } from "./state.store.ts";

const HOURS_AT_MOST = 720;

/** Tells nobody anything of a monitor for so many hours. @throws ServiceError not_found, invalid_request */
export async function snoozeMonitor(
  em: EntityManager,
  { monitorId, teamId, hours }: { monitorId: string; teamId: string; hours: number },
): Promise<{ snoozedUntil: string }> {
  if (!Number.isInteger(hours) || hours < 1 || hours > HOURS_AT_MOST)
    throw invalidField("hours", `must be a whole number from 1 to ${HOURS_AT_MOST}`);
  const until = await snoozeState(em, monitorId, teamId, hours);
  if (!until) throw notFound("monitor", monitorId);
  return { snoozedUntil: until.toISOString() };
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
