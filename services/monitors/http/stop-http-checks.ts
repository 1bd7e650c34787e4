import { databaseTime } from "../../../mixins/database.ts";
import { forEachIsolated } from "../../../shared/async.ts";
import { call } from "../../../shared/contracts/bus.ts";
import { alertedMonitor } from "../checks/report-check.ts";
import type { MonitorsContext } from "../monitors-context.ts";
import type { Monitor } from "../settings/monitor.entity.ts";
import { findAnyMonitor } from "../settings/monitor.store.ts";
import { HTTP_TEXTS, LOG_MESSAGES } from "../texts.ts";
import { deleteStoppedHttpCheck, findHttpStates, findStoppedHttpChecks } from "./http-check.store.ts";

const BATCH_SIZE = 50;

/**
 * Ends what was alerted about HTTP checks that were turned off. The state of a check stays until that succeeded, so that
 * no incident stays open. Any number of nodes may do it at the same time.
 */
export async function endStoppedHttpChecks(context: MonitorsContext): Promise<void> {
  await forEachIsolated(
    await findStoppedHttpChecks(context.em(), BATCH_SIZE),
    id => endStoppedHttpCheck(context, id),
    (error, id) => context.warn(error, LOG_MESSAGES.httpNotChecked(id)),
  );
}

/** Ends what was alerted about one HTTP check that was turned off. */
export async function endStoppedHttpCheck(context: MonitorsContext, id: string): Promise<void> {
  const monitor = await findAnyMonitor(context.em(), id);
  if (!monitor || monitor.http !== null) return;
  const [state] = await findHttpStates(context.em(), [id]);
  // The alerts service closes the incidents of deleted monitors.
  if (state && state.isAlerted !== false && monitor.deletedAt === null)
    await reportTurnedOff(context, monitor, `http off ${id} ${state.since.toISOString()}`);
  await deleteStoppedHttpCheck(context.em(), id);
}

/** Reports that the failure of an HTTP check isn't watched anymore, once for each source. */
export async function reportTurnedOff(
  context: MonitorsContext,
  monitor: Monitor,
  source: string,
): Promise<void> {
  await call(context.bus, "alerts.reportCondition", {
    source,
    ...{ kind: "passing", isFinal: true, at: (await databaseTime(context.em())).toISOString() },
    ...{ title: HTTP_TEXTS.off.title(monitor.name), text: HTTP_TEXTS.off.text },
    monitors: [alertedMonitor(monitor)],
  });
}
