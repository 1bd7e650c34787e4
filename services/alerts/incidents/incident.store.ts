import type { EntityManager } from "../../../mixins/database.ts";
import type {
  IncidentKind,
  IncidentsQuery,
  Resolution,
} from "../../../shared/contracts/monitors/incidents.ts";
import type { ConditionTrack } from "../conditions/condition-track.rule.ts";
import { COVERS } from "./shared-incident.store.ts";

/** The track of incidents about pages. Conditions have tracks of their own. */
const PAGES = "pages";

/** A stored incident. */
export interface Incident {
  id: string;
  teamId: string;
  monitorId: string;
  monitorName: string;
  kind: IncidentKind;
  /** Fingerprint of the pages, as in the alert state. */
  about: string;
  title: string;
  checkId: string;
  runId: string | null;
  openedAt: Date;
  /** The source of the notifications that reported it. See plan-notifications.ts. */
  openedSource: string;
  acknowledgedAt: Date | null;
  acknowledgedBy: string | null;
  assigneeId: string | null;
  assigneeLogin: string | null;
  resolvedAt: Date | null;
  resolvedSource: string | null;
  resolution: Resolution | null;
  resolvedBy: string | null;
}

type Row = Omit<Incident, "openedAt" | "acknowledgedAt" | "resolvedAt"> & {
  openedAt: string | Date;
  acknowledgedAt: string | Date | null;
  resolvedAt: string | Date | null;
};

const COLUMNS = `id, team_id as "teamId", monitor_id as "monitorId", monitor_name as "monitorName", kind, about, title,
  check_id as "checkId", run_id as "runId", opened_at as "openedAt", opened_source as "openedSource",
  acknowledged_at as "acknowledgedAt", acknowledged_by as "acknowledgedBy", assignee_id as "assigneeId",
  assignee_login as "assigneeLogin", resolved_at as "resolvedAt", resolved_source as "resolvedSource", resolution,
  resolved_by as "resolvedBy"`;

export type NewIncident = Pick<
  Incident,
  | "id"
  | "teamId"
  | "monitorId"
  | "monitorName"
  | "kind"
  | "about"
  | "title"
  | "checkId"
  | "runId"
  | "openedAt"
  | "openedSource"
> & { track?: ConditionTrack };

/** Inserts an open incident. The monitor must have no other one of its track: of its pages, or of a condition. */
export async function insertIncident(tx: EntityManager, incident: NewIncident): Promise<void> {
  await tx.execute(
    `insert into alerts.incident (id, team_id, monitor_id, monitor_name, kind, about, title, check_id, run_id,
       opened_at, opened_source, track) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      ...[incident.id, incident.teamId, incident.monitorId, incident.monitorName, incident.kind],
      ...[incident.about, incident.title, incident.checkId, incident.runId],
      ...[incident.openedAt, incident.openedSource, incident.track ?? PAGES],
    ],
  );
}

/** Returns the open incident about a monitor's pages, and locks it until the transaction ends. */
export async function lockOpenIncident(tx: EntityManager, monitorId: string): Promise<Incident | null> {
  const rows: Row[] = await tx.execute(
    `select ${COLUMNS} from alerts.incident
     where monitor_id = ? and track = ? and resolved_at is null for update`,
    [monitorId, PAGES],
  );
  return first(rows);
}

/** Returns the open incident about a condition, and locks it. @param monitorId null for any monitor of the team */
export async function lockConditionIncident(
  tx: EntityManager,
  track: ConditionTrack,
  { teamId, monitorId }: { teamId: string; monitorId: string | null },
): Promise<Incident | null> {
  const rows: Row[] = await tx.execute(
    `select ${COLUMNS} from alerts.incident
     where team_id = ? and track = ? and resolved_at is null ${monitorId === null ? "" : "and monitor_id = ?"}
     order by id limit 1 for update`,
    [teamId, track, ...(monitorId === null ? [] : [monitorId])],
  );
  return first(rows);
}

/** Finds the open incidents about conditions that are of a monitor, or stand for it among others. */
export async function findOpenConditions(
  em: EntityManager,
  { id, teamId }: { id: string; teamId: string },
): Promise<{ id: string; track: ConditionTrack }[]> {
  return await em.execute(
    `select i.id, i.track from alerts.incident i
     where i.team_id = ? and (i.monitor_id = ? or ${COVERS}) and i.track <> ? and i.resolved_at is null order by i.id`,
    [teamId, id, id, PAGES],
  );
}

export async function renameIncident(tx: EntityManager, id: string, title: string): Promise<void> {
  await tx.execute("update alerts.incident set title = ? where id = ?", [title, id]);
}

/** Returns an incident of a team and locks it until the transaction ends. */
export async function lockIncident(tx: EntityManager, teamId: string, id: string): Promise<Incident | null> {
  const rows: Row[] = await tx.execute(
    `select ${COLUMNS} from alerts.incident where id = ? and team_id = ? for update`,
    [id, teamId],
  );
  return first(rows);
}

export async function findIncident(em: EntityManager, teamId: string, id: string): Promise<Incident | null> {
  const rows: Row[] = await em.execute(
    `select ${COLUMNS} from alerts.incident where id = ? and team_id = ?`,
    [id, teamId],
  );
  return first(rows);
}

const STATE_CONDITIONS = {
  unresolved: "and resolved_at is null",
  open: "and resolved_at is null and acknowledged_at is null",
  acknowledged: "and resolved_at is null and acknowledged_at is not null",
  resolved: "and resolved_at is not null",
} as const;

/** Returns a team's incidents, newest first. One more than the limit shows that there are more. */
export async function findIncidents(
  em: EntityManager,
  teamId: string,
  { state, monitor, limit }: Pick<IncidentsQuery, "state" | "monitor" | "limit">,
  before: string | undefined,
): Promise<Incident[]> {
  const rows: Row[] = await em.execute(
    `select ${COLUMNS} from alerts.incident i
     where team_id = ? ${state === undefined ? "" : STATE_CONDITIONS[state]}
       ${monitor === undefined ? "" : `and (monitor_id = ? or ${COVERS})`} ${before === undefined ? "" : "and id < ?"}
     order by id desc limit ?`,
    [
      teamId,
      ...(monitor === undefined ? [] : [monitor, monitor]),
      ...(before === undefined ? [] : [before]),
      limit + 1,
    ],
  );
  return rows.map(incidentOf);
}

export async function acknowledgeIncident(tx: EntityManager, id: string, by: string): Promise<void> {
  await tx.execute(
    "update alerts.incident set acknowledged_at = clock_timestamp(), acknowledged_by = ? where id = ?",
    [by, id],
  );
}

export async function assignIncident(
  tx: EntityManager,
  id: string,
  assignee: { id: string; login: string } | null,
): Promise<void> {
  await tx.execute("update alerts.incident set assignee_id = ?, assignee_login = ? where id = ?", [
    assignee?.id ?? null,
    assignee?.login ?? null,
    id,
  ]);
}

export async function resolveIncident(
  tx: EntityManager,
  id: string,
  { source, resolution, by }: { source: string; resolution: Resolution; by: string | null },
): Promise<void> {
  await tx.execute(
    `update alerts.incident set resolved_at = clock_timestamp(), resolved_source = ?, resolution = ?, resolved_by = ?
     where id = ?`,
    [source, resolution, by, id],
  );
}

/** The most outages that a page shows. */
const MAX_OUTAGES = 50;

/** Returns the incidents of the last days in which pages were down, newest first. */
export async function findOutages(
  em: EntityManager,
  teamId: string,
  monitorIds: string[],
  days: number,
): Promise<Incident[]> {
  const rows: Row[] = await em.execute(
    `select ${COLUMNS} from alerts.incident
     where team_id = ? and kind = 'down' and monitor_id in (select jsonb_array_elements_text(?::jsonb))
       and coalesce(resolved_at, now()) > now() - make_interval(days => ?)
     order by opened_at desc limit ?`,
    [teamId, JSON.stringify(monitorIds), days, MAX_OUTAGES],
  );
  return rows.map(incidentOf);
}

export async function deleteIncidents(em: EntityManager, monitorId: string): Promise<void> {
  await em.execute("delete from alerts.incident where monitor_id = ?", [monitorId]);
}

export async function deleteTeamIncidents(em: EntityManager, teamId: string): Promise<void> {
  await em.execute("delete from alerts.incident where team_id = ?", [teamId]);
}

export async function deleteOldIncidents(em: EntityManager, days: number): Promise<void> {
  await em.execute("delete from alerts.incident where resolved_at < now() - make_interval(days => ?)", [
    days,
  ]);
}

function first(rows: Row[]): Incident | null {
  return rows[0] ? incidentOf(rows[0]) : null;
}

function incidentOf({ openedAt, acknowledgedAt, resolvedAt, ...row }: Row): Incident {
  return {
    ...row,
    openedAt: new Date(openedAt),
    acknowledgedAt: acknowledgedAt === null ? null : new Date(acknowledgedAt),
    resolvedAt: resolvedAt === null ? null : new Date(resolvedAt),
  };
}
