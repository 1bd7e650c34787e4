import { setTimeout as delay } from "node:timers/promises";
import type { Plan } from "../../../shared/contracts/billing/usage.ts";
import { call } from "../../../shared/contracts/bus.ts";
import type { ListQuery } from "../../../shared/contracts/fields.ts";
import type { AlertStanding } from "../../../shared/contracts/monitors/alert-actions.ts";
import {
  type CheckList,
  type MonitorList,
  type MonitorView,
  RECENT_CHECKS,
} from "../../../shared/contracts/monitors/monitors.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { notFound } from "../../../shared/errors.ts";
import { decodeCursor, pageOf } from "../../../shared/pagination.ts";
import { findChecks, listChecks } from "../checks/check.store.ts";
import type { MonitorsNode } from "../monitors-context.ts";
import { keepPlan } from "../settings/keep-plan.ts";
import type { Monitor } from "../settings/monitor.entity.ts";
import { findMonitor, listMonitors as listStoredMonitors } from "../settings/monitor.store.ts";
import { LOG_MESSAGES } from "../texts.ts";
import { viewOfCheck, viewOfMonitor } from "./present-monitor.ts";
import { findRecent } from "./series.store.ts";

/** A monitor can be read although whoever alerts does not answer. */
const STANDING_WITHIN_MS = 2_000;

/** @throws ServiceError not_found */
export async function getMonitor(node: MonitorsNode, caller: Caller, id: string): Promise<MonitorView> {
  const plan = await keepPlan(node, caller.teamId);
  return showMonitor(node, await monitorOf(node, caller, id), plan);
}

/** The team's monitors, newest first. @throws ServiceError for a cursor that is none */
export async function listMonitors(
  node: MonitorsNode,
  caller: Caller,
  page: ListQuery,
): Promise<MonitorList> {
  const before = decodeCursor("monitors", page.cursor);
  const plan = await keepPlan(node, caller.teamId);
  const monitors = await listStoredMonitors(node.em(), caller.teamId, {
    limit: page.limit,
    ...(before !== undefined && { before }),
  });
  const views = await show(node, monitors.slice(0, page.limit), plan);
  const { nextCursor } = pageOf("monitors", monitors, page.limit, monitor => monitor);
  return { data: views, nextCursor };
}

/** A monitor's checks, newest first. @throws ServiceError not_found; for a cursor that is none */
export async function listHistory(
  node: MonitorsNode,
  caller: Caller,
  id: string,
  page: ListQuery,
): Promise<CheckList> {
  const list = `history ${id}`;
  const before = decodeCursor(list, page.cursor);
  await monitorOf(node, caller, id);
  const links = await node.links();
  const checks = await listChecks(node.em(), id, {
    limit: page.limit,
    ...(before !== undefined && { before }),
  });
  return pageOf(list, checks, page.limit, check => viewOfCheck(check, links));
}

/** @throws ServiceError not_found */
export async function monitorOf(node: MonitorsNode, caller: Caller, id: string): Promise<Monitor> {
  const monitor = await findMonitor(node.em(), caller.teamId, id);
  if (!monitor) throw notFound("monitor", id);
  return monitor;
}

/** A monitor with how it stands. */
export async function showMonitor(node: MonitorsNode, monitor: Monitor, plan: Plan): Promise<MonitorView> {
  const [view] = await show(node, [monitor], plan);
  if (!view) throw new Error("One monitor is one view.");
  return view;
}

async function show(node: MonitorsNode, monitors: Monitor[], plan: Plan): Promise<MonitorView[]> {
  if (monitors.length === 0) return [];
  const named = monitors.flatMap(({ checkId, lastCheckId }) =>
    [checkId, lastCheckId].filter(id => id !== null),
  );
  const ids = monitors.map(({ id }) => id);
  const [links, found, recent, standings] = await Promise.all([
    node.links(),
    findChecks(node.em(), named),
    findRecent(node.em(), ids, RECENT_CHECKS),
    standingsOf(node, ids),
  ]);
  const checks = new Map(found.map(check => [check.id, check]));
  const recentOf = Map.groupBy(recent, ({ monitorId }) => monitorId);
  return monitors.map(monitor => {
    const { id } = monitor;
    const about = { recent: recentOf.get(id) ?? [], standing: standings.get(id) };
    return viewOfMonitor(monitor, { plan, links, checks, ...about });
  });
}

async function standingsOf(node: MonitorsNode, monitorIds: string[]): Promise<Map<string, AlertStanding>> {
  const over = new AbortController();
  const tooLate = delay(STANDING_WITHIN_MS, null, { signal: over.signal, ref: false }).catch(() => null);
  try {
    const asked = call(node.bus, "alerts.standing", { monitorIds }).catch((error: unknown) => {
      node.warn(error, LOG_MESSAGES.alertsNotRead);
      return null;
    });
    const standings = (await Promise.race([asked, tooLate])) ?? [];
    return new Map(standings.map(standing => [standing.monitorId, standing]));
  } finally {
    over.abort();
  }
}
