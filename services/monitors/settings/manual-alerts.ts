import { call } from "../../../shared/contracts/bus.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { ServiceError } from "../../../shared/errors.ts";
import { alertedMonitor } from "../checks/report-check.ts";
import type { MonitorsContext } from "../monitors-context.ts";
import { monitorOf } from "../queries/read-monitors.ts";
import { MONITOR_ERRORS } from "../texts.ts";
import { reserveTest } from "./monitor.store.ts";

/** Enough test alerts to see whether a channel works and to fix it, too few to fill a mailbox. */
const TEST_LIMIT = { burst: 5, intervalSeconds: 60 };

/** Snoozes a monitor's alerts, on any plan. @throws ServiceError not_found */
export async function snooze(
  context: MonitorsContext,
  caller: Caller,
  { id, hours }: { id: string; hours: number },
): Promise<{ snoozedUntil: string }> {
  const { teamId } = await monitorOf(context, caller, id);
  const { snoozedUntil } = await call(context.as(caller), "alerts.snooze", { monitorId: id, teamId, hours });
  return { snoozedUntil };
}

/** Ends a monitor's snooze. @throws ServiceError not_found */
export async function unsnooze(context: MonitorsContext, caller: Caller, id: string): Promise<void> {
  const { teamId } = await monitorOf(context, caller, id);
  await call(context.as(caller), "alerts.unsnooze", { monitorId: id, teamId });
}

/**
 * Sends a test alert to every channel of a monitor, on any plan. Without channels, nothing is sent.
 * @throws ServiceError not_found; rate_limited
 */
export async function testAlert(
  context: MonitorsContext,
  caller: Caller,
  id: string,
): Promise<{ deliveries: { id: string; channel: string }[] }> {
  const monitor = await monitorOf(context, caller, id);
  const waitSeconds = await reserveTest(context.em(), id, TEST_LIMIT);
  if (waitSeconds !== null) {
    const message = MONITOR_ERRORS.testedTooOften(waitSeconds);
    throw new ServiceError("rate_limited", message, { retryAfterSeconds: waitSeconds });
  }
  const { notifications } = await call(context.bus, "alerts.test", { monitor: alertedMonitor(monitor) });
  return { deliveries: notifications };
}
