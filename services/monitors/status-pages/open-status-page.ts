import { databaseTime } from "../../../mixins/database.ts";
import { call } from "../../../shared/contracts/bus.ts";
import type {
  BadgeContent,
  OpenedStatusPage,
  StatusContent,
  StatusOutage,
} from "../../../shared/contracts/monitors/status-pages.ts";
import { WHOLE_MONITOR } from "../checks/availability.rule.ts";
import { findOutdated } from "../heartbeat/heartbeat.store.ts";
import { findCurrent } from "../maintenance/maintenance.store.ts";
import type { MonitorsContext } from "../monitors-context.ts";
import { findPoints } from "../queries/availability.store.ts";
import { readAvailability } from "../queries/availability-of.ts";
import { findByBadge, findMonitorsOf } from "../settings/monitor.store.ts";
import { LOG_MESSAGES } from "../texts.ts";
import { daysOf, stateOf } from "./component-state.rule.ts";
import { isPassword, isTicket, ticketOf } from "./page-password.ts";
import { findBySlug, reserveAttempt, type StatusPage } from "./status-page.store.ts";

const SHOWN_DAYS = 90;
const OUTAGE_DAYS = 14;
/** Enough for readers who mistype, too little to guess. */
const ATTEMPTS = { burst: 10, intervalSeconds: 6 };

/**
 * Opens a status page for everyone: a public one, or a protected one with its password or the ticket of an earlier
 * visit. The page of a deleted team is missing.
 */
export async function openStatusPage(
  context: MonitorsContext,
  { slug, ticket, password }: { slug: string; ticket?: string | undefined; password?: string | undefined },
): Promise<OpenedStatusPage> {
  const page = await findBySlug(context.em(), slug);
  if (!page || !(await call(context.bus, "teams.isOpen", { teamId: page.teamId })))
    return { kind: "missing" };
  const { id, title, passwordHash } = page;
  if (passwordHash === null) return { kind: "open", content: await readContent(context, page), ticket: null };
  const opened = { kind: "open", ticket: ticketOf(id, passwordHash) } as const;
  if (ticket !== undefined && isTicket(ticket, id, passwordHash))
    return { ...opened, content: await readContent(context, page) };
  if (password === undefined) return { kind: "locked", title, isWrong: false };
  const retryAfterSeconds = await reserveAttempt(context.em(), id, ATTEMPTS);
  if (retryAfterSeconds !== null) return { kind: "limited", retryAfterSeconds };
  if (!(await isPassword(password, passwordHash))) return { kind: "locked", title, isWrong: true };
  return { ...opened, content: await readContent(context, page) };
}

/** Reads what everyone may know, once for all who ask at the same time. */
function readContent(context: MonitorsContext, page: StatusPage): Promise<StatusContent> {
  const key = `${page.id} ${new Date(page.changedAt).getTime()}`;
  return context.statusReads.share(key, () => collectContent(context, page));
}

async function collectContent(
  context: MonitorsContext,
  { teamId, title, components }: StatusPage,
): Promise<StatusContent> {
  const ids = components.map(({ monitorId }) => monitorId);
  const [now, monitors, current, outdated, availability, points, outages] = await Promise.all([
    databaseTime(context.em()),
    findMonitorsOf(context.em(), teamId, ids),
    findCurrent(context.em(), ids),
    findOutdated(context.em(), ids),
    readAvailability(context.em(), ids),
    findPoints(context.em(), ids, { unit: "day", days: SHOWN_DAYS, route: WHOLE_MONITOR }),
    readOutages(context, teamId, components),
  ]);
  const byId = new Map(monitors.map(monitor => [monitor.id, monitor]));
  const inMaintenance = new Set(current.map(({ monitorId }) => monitorId));
  return {
    ...{ title, at: now.toISOString(), outages },
    // Deleted monitors are left out.
    components: components.flatMap(({ monitorId, name }) => {
      const monitor = byId.get(monitorId);
      if (!monitor) return [];
      const state = stateOf({
        status: monitor.status,
        isInMaintenance: inMaintenance.has(monitorId),
        isOutdated: outdated.has(monitorId),
      });
      const ownPoints = points.filter(point => point.monitorId === monitorId);
      const uptime = availability.get(monitorId)?.quarter.uptime ?? null;
      return [{ name, state, uptime, days: daysOf(ownPoints, now, SHOWN_DAYS) }];
    }),
  };
}

/** Reads the outages of the last days. None while the alerts service is unavailable: the page still shows states. */
async function readOutages(
  context: MonitorsContext,
  teamId: string,
  components: StatusPage["components"],
): Promise<StatusOutage[]> {
  const names = new Map(components.map(({ monitorId, name }) => [monitorId, name]));
  try {
    const monitorIds = [...names.keys()];
    const outages = await call(context.bus, "alerts.outages", { teamId, monitorIds, days: OUTAGE_DAYS });
    return outages.map(({ monitorId, from, until }) => ({ name: names.get(monitorId) ?? "", from, until }));
  } catch (error) {
    context.warn(error, LOG_MESSAGES.alertsNotRead);
    return [];
  }
}

/** Reads a badge for everyone. Null if there is none, or its team was deleted. */
export async function readBadge(
  context: MonitorsContext,
  { token }: { token: string },
): Promise<BadgeContent | null> {
  const monitor = await findByBadge(context.em(), token);
  if (!monitor || !(await call(context.bus, "teams.isOpen", { teamId: monitor.teamId }))) return null;
  const [current, outdated, availability] = await Promise.all([
    findCurrent(context.em(), [monitor.id]),
    findOutdated(context.em(), [monitor.id]),
    readAvailability(context.em(), [monitor.id]),
  ]);
  return {
    state: stateOf({
      status: monitor.status,
      isInMaintenance: current.length > 0,
      isOutdated: outdated.size > 0,
    }),
    uptime: availability.get(monitor.id)?.month.uptime ?? null,
  };
}
