import type { AlertsContext } from "../alerts-context.ts";
import { insertOptOut } from "../decisions/state.store.ts";
import { ALERT_LINK, noteActivity } from "../note-activity.ts";
import { dropQueued } from "../notifications/notification.store.ts";
import { DELIVERY_ERRORS } from "../texts.ts";

/** Writes to an address no more of a monitor; only the first time its team's activity says so. */
export async function unsubscribe(
  context: AlertsContext,
  { monitorId, teamId, address }: { monitorId: string; teamId: string; address: string },
): Promise<void> {
  const isNew = await context.em().transactional(async tx => {
    const isNew = await insertOptOut(tx, monitorId, address);
    await dropQueued(tx, monitorId, DELIVERY_ERRORS.unsubscribed, address);
    return isNew;
  });
  if (!isNew) return;
  const noted = { teamId, type: "monitor.unsubscribed", actor: ALERT_LINK, target: monitorId } as const;
  await noteActivity(context, { ...noted, details: { address } });
}
