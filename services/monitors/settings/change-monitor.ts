import type { EntityManager } from "../../../mixins/database.ts";
import { call } from "../../../shared/contracts/bus.ts";
import type { AlertedMonitor } from "../../../shared/contracts/monitors/alert-actions.ts";
import {
  type ChangeMonitor,
  type MonitorView,
  pagesFailure,
} from "../../../shared/contracts/monitors/monitors.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { invalidField, notFound } from "../../../shared/errors.ts";
import { alertedMonitor } from "../checks/report-check.ts";
import type { MonitorsContext } from "../monitors-context.ts";
import { monitorOf, showMonitor } from "../queries/read-monitors.ts";
import { LOG_MESSAGES, MONITOR_ERRORS } from "../texts.ts";
import { changeOptions, keptHeaders } from "./capture-options.ts";
import { keepPlan } from "./keep-plan.ts";
import type { Monitor } from "./monitor.entity.ts";
import { lockMonitor } from "./monitor.store.ts";
import { lockTeam, scheduleTeam } from "./team.store.ts";
import { requireWritable } from "./writable-monitor.ts";
import { channelsAfter, noteActivity, refuseSite } from "./write-monitor.ts";

/**
 * Changes what is named. Another address begins anew, with baselines of its own; new routes and viewports take their
 * first look for their baseline, and those that were there before keep theirs, however their screenshots are taken now:
 * what looks different then is approved by people, as ever.
 * @throws ServiceError not_found; forbidden for channels; invalid_request; plan_limit_exceeded for a monitor that the
 *   plan has no room for any more
 */
export async function changeMonitor(
  context: MonitorsContext,
  caller: Caller,
  id: string,
  body: ChangeMonitor,
): Promise<MonitorView> {
  const plan = await keepPlan(context, caller.teamId);
  if (body.url !== undefined) refuseSite(context, body.url);
  const before = await context.em().transactional(async tx => {
    await lockTeam(tx, caller.teamId, plan);
    const monitor = await lockMonitor(tx, caller.teamId, id);
    if (!monitor) throw notFound("monitor", id);
    await requireWritable(tx, monitor, plan);
    const before = alertedMonitor(monitor);
    await apply(tx, monitor, body, channelsAfter(context, caller, monitor.channels, body.alerts ?? {}));
    return before;
  });
  await closeIncident(context, before, await monitorOf(context, caller, id));
  await noteActivity(context, caller, "monitor.changed", id, { fields: Object.keys(body).join(", ") });
  return showMonitor(context, await monitorOf(context, caller, id), plan);
}

/** With a key that is another now, or none, nobody else could close what is open. */
async function closeIncident(
  context: MonitorsContext,
  { channels: { pagerduty }, ...before }: AlertedMonitor,
  { channels: after }: Monitor,
): Promise<void> {
  if (pagerduty === undefined || pagerduty === after.pagerduty) return;
  const monitor = { ...before, channels: { pagerduty } };
  await call(context.bus, "alerts.closeIncident", { monitor }).catch(error =>
    context.warn(error, LOG_MESSAGES.incidentNotClosed(before.id)),
  );
}

async function apply(
  tx: EntityManager,
  monitor: Monitor,
  { alerts: _alerts, options: asked, ...changes }: ChangeMonitor,
  channels: Monitor["channels"],
): Promise<void> {
  const { routes, viewports, url } = { ...monitor, ...changes };
  const options = changeOptions(monitor.options, asked ?? {});
  const fault = pagesFailure({ routes, viewports, options });
  if (fault)
    throw invalidField(
      fault.field === "routes" && !changes.routes ? "viewports" : fault.field,
      fault.message,
    );
  refuseElsewhere(monitor, url, asked);
  if (url !== monitor.url) {
    monitor.generation += 1;
    monitor.status = "never";
    monitor.look = null;
  }
  // Its turns are others now.
  if (changes.intervalMinutes !== undefined && changes.intervalMinutes !== monitor.intervalMinutes)
    monitor.nextAt = null;
  tx.assign(monitor, { ...changes, channels, options });
  await tx.flush();
  await scheduleTeam(tx, monitor.teamId);
}

/** Headers are shown to nobody who may change the address: they do not follow it to another site by themselves. */
function refuseElsewhere(monitor: Monitor, url: string, changes: ChangeMonitor["options"]): void {
  const kept = keptHeaders(monitor.options, changes);
  if (kept === null || new URL(url).origin === new URL(monitor.url).origin) return;
  throw invalidField(kept, MONITOR_ERRORS.headersOfOtherSite);
}
