import { resultWithin } from "../../../shared/async.ts";
import type { Plan } from "../../../shared/contracts/billing/usage.ts";
import { call } from "../../../shared/contracts/bus.ts";
import type { ListQuery } from "../../../shared/contracts/fields.ts";
import type { AlertStatus } from "../../../shared/contracts/monitors/alert-actions.ts";
import { type CheckList, RECENT_CHECKS } from "../../../shared/contracts/monitors/checks.ts";
import type { MonitorList, MonitorsQuery, MonitorView } from "../../../shared/contracts/monitors/monitors.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { notFound } from "../../../shared/errors.ts";
import { decodeCursor, pageOf } from "../../../shared/pagination.ts";
import { findCertificates } from "../certificates/certificate.store.ts";
import { findChecks, listChecks } from "../checks/check.store.ts";
import { findHttpStates } from "../http/http-check.store.ts";
import { findCurrent } from "../maintenance/maintenance.store.ts";
import type { MonitorsContext } from "../monitors-context.ts";
import type { Monitor } from "../settings/monitor.entity.ts";
import { findMonitor, listMonitors as listStoredMonitors } from "../settings/monitor.store.ts";
import { syncPlan } from "../settings/sync-plan.ts";
import { LOG_MESSAGES } from "../texts.ts";
import { availabilityFrom, readAvailability } from "./availability-of.ts";
import { viewOfCheck, viewOfMonitor } from "./present-monitor.ts";
import { findRecent } from "./series.store.ts";

/** Monitors can be read without the alerts service. */
const STATUS_TIMEOUT_MS = 2_000;

/** @throws ServiceError not_found */
export async function getMonitor(context: MonitorsContext, caller: Caller, id: string): Promise<MonitorView> {
  const plan = await syncPlan(context, caller.teamId);
  return showMonitor(context, await monitorOf(context, caller, id), plan);
}

/** Lists the team's monitors, newest first. @throws ServiceError for an invalid cursor */
export async function listMonitors(
  context: MonitorsContext,
  caller: Caller,
  { limit, cursor, ...filter }: MonitorsQuery,
): Promise<MonitorList> {
  const before = decodeCursor("monitors", cursor);
  const plan = await syncPlan(context, caller.teamId);
  const monitors = await listStoredMonitors(context.em(), caller.teamId, {
    limit,
    filter,
    ...(before !== undefined && { before }),
  });
  const views = await show(context, monitors.slice(0, limit), plan);
  const { nextCursor } = pageOf("monitors", monitors, limit, monitor => monitor);
  return { data: views, nextCursor };
}

/** Lists a monitor's checks, newest first. @throws ServiceError not_found, or for an invalid cursor */
export async function listHistory(
  context: MonitorsContext,
  caller: Caller,
  id: string,
  page: ListQuery,
): Promise<CheckList> {
  const list = `history ${id}`;
  const before = decodeCursor(list, page.cursor);
  await monitorOf(context, caller, id);
  const links = await context.links();
  const checks = await listChecks(context.em(), id, {
    limit: page.limit,
    ...(before !== undefined && { before }),
  });
  return pageOf(list, checks, page.limit, check => viewOfCheck(check, links));
}

/** @throws ServiceError not_found */
export async function monitorOf(context: MonitorsContext, caller: Caller, id: string): Promise<Monitor> {
  const monitor = await findMonitor(context.em(), caller.teamId, id);
  if (!monitor) throw notFound("monitor", id);
  return monitor;
}

/** Returns a monitor with its status. */
export async function showMonitor(
  context: MonitorsContext,
  monitor: Monitor,
  plan: Plan,
): Promise<MonitorView> {
  const [view] = await show(context, [monitor], plan);
  if (!view) throw new Error("One monitor is one view.");
  return view;
}

async function show(context: MonitorsContext, monitors: Monitor[], plan: Plan): Promise<MonitorView[]> {
  if (monitors.length === 0) return [];
  const named = monitors.flatMap(({ checkId, lastCheckId }) =>
    [checkId, lastCheckId].filter(id => id !== null),
  );
  const ids = monitors.map(({ id }) => id);
  const [links, found, recent, statuses, availabilities, current, certificates, https] = await Promise.all([
    context.links(),
    findChecks(context.em(), named),
    findRecent(context.em(), ids, RECENT_CHECKS),
    alertStatusesOf(context, ids),
    readAvailability(context.em(), ids),
    findCurrent(context.em(), ids),
    findCertificates(context.em(), ids),
    findHttpStates(context.em(), ids),
  ]);
  const checks = new Map(found.map(check => [check.id, check]));
  const recentOf = Map.groupBy(recent, ({ monitorId }) => monitorId);
  return monitors.map(monitor => {
    const { id } = monitor;
    const availability = availabilities.get(id) ?? availabilityFrom([]);
    const about = { recent: recentOf.get(id) ?? [], alertStatus: statuses.get(id), availability };
    const certificate = certificates.find(({ monitorId }) => monitorId === id);
    const during = current.find(({ monitorId }) => monitorId === id);
    const maintenance = during
      ? { title: during.title, mode: during.mode, until: new Date(during.until).toISOString() }
      : null;
    return viewOfMonitor(monitor, {
      plan,
      links,
      checks,
      maintenance,
      certificate,
      http: https.find(({ monitorId }) => monitorId === id),
      baseUrl: context.baseUrl,
      ...about,
    });
  });
}

async function alertStatusesOf(
  context: MonitorsContext,
  monitorIds: string[],
): Promise<Map<string, AlertStatus>> {
  const statusesRead = call(context.bus, "alerts.status", { monitorIds }).catch((error: unknown) => {
    context.warn(error, LOG_MESSAGES.alertsNotRead);
    return null;
  });
  const statuses = (await resultWithin(statusesRead, STATUS_TIMEOUT_MS)) ?? [];
  return new Map(statuses.map(alertStatus => [alertStatus.monitorId, alertStatus]));
}
