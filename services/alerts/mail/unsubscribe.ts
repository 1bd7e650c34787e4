import type { AlertsContext } from "../alerts-context.ts";
import { ALERT_LINK, noteActivity } from "../decisions/snooze-monitor.ts";
import { insertOptOut } from "../decisions/state.store.ts";
import { dropQueued } from "../notifications/notification.store.ts";
import { NOTIFICATION_ERRORS } from "../texts.ts";

/** Unsubscribes an address from a monitor. Only the first time is recorded in the team's activity. */
export async function unsubscribe(
  context: AlertsContext,
  { monitorId, teamId, address }: { monitorId: string; teamId: string; address: string },
): Promise<void> {
  const isNew = await context.em().transactional(async tx => {
    const isNew = await insertOptOut(tx, monitorId, address);
    await dropQueued(tx, monitorId, NOTIFICATION_ERRORS.unsubscribed, address);
    return isNew;
  });
  if (!isNew) return;
  const noted = { teamId, type: "monitor.unsubscribed", actor: ALERT_LINK, target: monitorId } as const;
  await noteActivity(context, { ...noted, details: { address } });
}
