import { isDeepStrictEqual } from "node:util";
import type { EntityManager } from "../../../mixins/database.ts";
import { call } from "../../../shared/contracts/bus.ts";
import type { AlertedMonitor } from "../../../shared/contracts/monitors/alert-actions.ts";
import {
  type ChangeMonitor,
  type MonitorView,
  pagesFailure,
  regionsFailure,
} from "../../../shared/contracts/monitors/monitors.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { invalidField, notFound } from "../../../shared/errors.ts";
import { endMovedCertificate } from "../certificates/end-moved-certificates.ts";
import { alertedMonitor } from "../checks/report-check.ts";
import { makeHttpCheckDue } from "../http/http-check.store.ts";
import { endStoppedHttpCheck } from "../http/stop-http-checks.ts";
import type { MonitorsContext } from "../monitors-context.ts";
import { monitorOf, showMonitor } from "../queries/read-monitors.ts";
import { LOG_MESSAGES, MONITOR_ERRORS } from "../texts.ts";
import { changeOptions, keptCredentials } from "./capture-options.ts";
import type { Monitor } from "./monitor.entity.ts";
import { lockMonitor } from "./monitor.store.ts";
import { syncPlan } from "./sync-plan.ts";
import { lockTeam, scheduleTeam } from "./team.store.ts";
import { requireWritable } from "./writable-monitor.ts";
import { channelsAfter, noteActivity, refuseSite, refuseUnknownReferences } from "./write-monitor.ts";

/**
 * Changes the given settings. Another URL starts with its own baselines. The first screenshots of new routes and
 * viewports become their baselines. Existing pages keep theirs, also with other capture options, so reviewers
 * approve the resulting changes.
 * @throws ServiceError not_found; forbidden for channels; invalid_request; plan_limit_exceeded for a monitor over
 * the plan's limit
 */
export async function changeMonitor(
  context: MonitorsContext,
  caller: Caller,
  id: string,
  body: ChangeMonitor,
): Promise<MonitorView> {
  const plan = await syncPlan(context, caller.teamId);
  if (body.url !== undefined) refuseSite(context, body.url);
  if (body.options) await refuseUnknownReferences(context, caller, changeOptions({}, body.options));
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
  // If one fails now, the periodic tasks end what was alerted.
  if (body.http === null)
    await endStoppedHttpCheck(context, id).catch(error =>
      context.warn(error, LOG_MESSAGES.httpNotChecked(id)),
    );
  if (body.url !== undefined)
    await endMovedCertificate(context, id).catch(error =>
      context.warn(error, LOG_MESSAGES.certificateNotChecked(id)),
    );
  await noteActivity(context, caller, "monitor.changed", id, { fields: Object.keys(body).join(", ") });
  return showMonitor(context, await monitorOf(context, caller, id), plan);
}

/** After the key of an incident service changes, no other key can close the open incidents there. */
async function closeIncident(
  context: MonitorsContext,
  { channels: { pagerduty, incidents }, ...before }: AlertedMonitor,
  { channels: after }: Monitor,
): Promise<void> {
  const channels = {
    ...(pagerduty !== undefined && pagerduty !== after.pagerduty && { pagerduty }),
    ...(incidents !== undefined && !isDeepStrictEqual(incidents, after.incidents) && { incidents }),
  };
  if (Object.keys(channels).length === 0) return;
  const monitor = { ...before, channels };
  await call(context.bus, "alerts.closeIncident", { monitor }).catch(error =>
    context.warn(error, LOG_MESSAGES.incidentNotClosed(before.id)),
  );
}

async function apply(
  tx: EntityManager,
  monitor: Monitor,
  { alerts: _alerts, options: requested, ...changes }: ChangeMonitor,
  channels: Monitor["channels"],
): Promise<void> {
  const { routes, viewports, url, regions, agree } = { ...monitor, ...changes };
  const options = changeOptions(monitor.options, requested ?? {});
  const failure = regionsFailure({ regions, agree }) ?? pagesFailure({ routes, viewports, options, regions });
  if (failure)
    throw invalidField(
      failure.field === "routes" && !changes.routes ? "viewports" : failure.field,
      failure.message,
    );
  refuseKeptCredentials(monitor, url, requested);
  if (url !== monitor.url) {
    monitor.generation += 1;
    monitor.status = "never";
    monitor.changedDigest = null;
  }
  // The new interval has other times.
  if (changes.intervalMinutes !== undefined && changes.intervalMinutes !== monitor.intervalMinutes)
    monitor.nextAt = null;
  tx.assign(monitor, { ...changes, channels, options });
  await tx.flush();
  if (changes.http ?? changes.url ?? changes.routes) await makeHttpCheckDue(tx, monitor.id);
  await scheduleTeam(tx, monitor.teamId);
}

/**
 * Refuses to send stored headers and passwords to another origin. Users who can change the URL must not learn them
 * that way.
 */
function refuseKeptCredentials(monitor: Monitor, url: string, changes: ChangeMonitor["options"]): void {
  const kept = keptCredentials(monitor.options, changes);
  if (kept === null || new URL(url).origin === new URL(monitor.url).origin) return;
  throw invalidField(kept.field, MONITOR_ERRORS.credentialsOfOtherSite[kept.kind]);
}
