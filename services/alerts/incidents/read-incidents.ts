import type {
  IncidentList,
  IncidentSummary,
  IncidentsQuery,
  IncidentView,
} from "../../../shared/contracts/monitors/incidents.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { notFound } from "../../../shared/errors.ts";
import { decodeCursor, pageOf } from "../../../shared/pagination.ts";
import type { AlertsContext } from "../alerts-context.ts";
import { findIncident, findIncidents, findOutages, type Incident } from "./incident.store.ts";
import { findEntries, findNotified } from "./timeline.store.ts";

/** Lists the incidents of a team, newest first. */
export async function listIncidents(
  { em }: AlertsContext,
  { teamId }: Caller,
  { query }: { query: IncidentsQuery },
): Promise<IncidentList> {
  const list = `incidents ${query.state ?? ""} ${query.monitor ?? ""}`;
  const found = await findIncidents(em(), teamId, query, decodeCursor(list, query.cursor));
  return pageOf(list, found, query.limit, summaryOf);
}

/** Returns an incident with its timeline. @throws ServiceError not_found */
export async function readIncident(
  { em }: AlertsContext,
  { teamId }: Caller,
  { id }: { id: string },
): Promise<IncidentView> {
  const incident = await findIncident(em(), teamId, id);
  if (!incident) throw notFound("incident", id);
  const [entries, notified] = await Promise.all([findEntries(em(), id), findNotified(em(), incident)]);
  const timeline = [...entries, ...notified].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
  return { ...summaryOf(incident), timeline };
}

/** Returns when monitors of a team were down in the last days, newest first. */
export async function readOutages(
  { em }: AlertsContext,
  { teamId, monitorIds, days }: { teamId: string; monitorIds: string[]; days: number },
): Promise<{ monitorId: string; from: string; until: string | null }[]> {
  const outages = await findOutages(em(), teamId, monitorIds, days);
  return outages.map(({ monitorId, openedAt, resolvedAt }) => ({
    ...{ monitorId, from: openedAt.toISOString(), until: resolvedAt?.toISOString() ?? null },
  }));
}

/** Returns the state of an incident. */
function stateOf({
  acknowledgedAt,
  resolvedAt,
}: Pick<Incident, "acknowledgedAt" | "resolvedAt">): IncidentSummary["state"] {
  if (resolvedAt !== null) return "resolved";
  return acknowledgedAt === null ? "open" : "acknowledged";
}

function summaryOf(incident: Incident): IncidentSummary {
  const { id, monitorId, monitorName, kind, title, checkId, runId, assigneeId, assigneeLogin } = incident;
  return {
    id,
    monitor: { id: monitorId, name: monitorName },
    kind,
    title,
    state: stateOf(incident),
    checkId,
    runId,
    openedAt: incident.openedAt.toISOString(),
    acknowledgedAt: incident.acknowledgedAt?.toISOString() ?? null,
    acknowledgedBy: incident.acknowledgedBy,
    assignee: assigneeId === null || assigneeLogin === null ? null : { id: assigneeId, login: assigneeLogin },
    resolvedAt: incident.resolvedAt?.toISOString() ?? null,
    resolution: incident.resolution,
    resolvedBy: incident.resolvedBy,
  };
}
