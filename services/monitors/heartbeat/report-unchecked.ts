import { forEachIsolated } from "../../../shared/async.ts";
import { call } from "../../../shared/contracts/bus.ts";
import { alertedMonitor } from "../checks/report-check.ts";
import type { MonitorsContext } from "../monitors-context.ts";
import { findMonitorsOf } from "../settings/monitor.store.ts";
import { HEARTBEAT_TEXTS, LOG_MESSAGES } from "../texts.ts";
import {
  clearUnchecked,
  endUncheckedReport,
  findUncheckedTeams,
  startUncheckedReport,
  type UncheckedTeam,
} from "./heartbeat.store.ts";

/**
 * Reports teams whose monitors have had no result for several intervals, whatever the reason: no renderers, a full
 * queue, or a scheduler that stands still. Each receiver gets one message for all monitors, and one when all are
 * checked again. Any number of nodes may do it at the same time.
 */
export async function reportUnchecked(context: MonitorsContext): Promise<void> {
  await forEachIsolated(
    await findUncheckedTeams(context.em()),
    team => reportTeam(context, team),
    (error, { teamId }) => context.warn(error, LOG_MESSAGES.uncheckedNotReported(teamId)),
  );
}

async function reportTeam(
  context: MonitorsContext,
  { teamId, since, ids, checkedIds, isReported, isOver }: UncheckedTeam,
): Promise<void> {
  // Nothing was reported, so its end is no news. A report whose answer was lost may have been sent.
  if (isOver && isReported === false) return clearUnchecked(context.em(), teamId);
  const monitors = await findMonitorsOf(context.em(), teamId, ids);
  const kind = isOver ? "checked" : "unchecked";
  const checked = monitors.filter(({ id }) => checkedIds.includes(id));
  // Members can pause monitors that weren't checked, or plan maintenance.
  const texts = isOver && checked.length === 0 ? HEARTBEAT_TEXTS.ended : HEARTBEAT_TEXTS[kind];
  const names = (isOver && checked.length > 0 ? checked : monitors).map(({ name }) => name);
  if (monitors.length > 0) {
    if (!isOver) await startUncheckedReport(context.em(), teamId);
    const isQueued = await call(context.bus, "alerts.reportCondition", {
      source: `${kind} ${teamId} ${since.toISOString()}`,
      kind,
      at: new Date().toISOString(),
      title: texts.title(names),
      text: texts.text(names),
      monitors: monitors.map(alertedMonitor),
    });
    // Snoozed monitors are reported later. Their incident stays open until then.
    if (!isQueued && (isOver || isReported === null)) return;
    if (!isQueued) return endUncheckedReport(context.em(), teamId, false);
  }
  if (isOver) await clearUnchecked(context.em(), teamId);
  else await endUncheckedReport(context.em(), teamId, true);
}
