import type { EntityManager } from "../../../mixins/database.ts";
import { call } from "../../../shared/contracts/bus.ts";
import { type IncidentView, MAX_TIMELINE_ENTRIES } from "../../../shared/contracts/monitors/incidents.ts";
import { publishMonitorsChanged } from "../../../shared/contracts/monitors/monitors-changed.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import type { NoticePerson } from "../../../shared/contracts/teams/notices.ts";
import { invalidField, notFound, ServiceError } from "../../../shared/errors.ts";
import type { AlertsContext } from "../alerts-context.ts";
import { noteActivity } from "../decisions/snooze-monitor.ts";
import { mailNotice } from "../mail/mail-notice.ts";
import { INCIDENT_ERRORS, INCIDENT_MAIL } from "../texts.ts";
import { acknowledgeIncident, assignIncident, type Incident, lockIncident } from "./incident.store.ts";
import { readIncident } from "./read-incidents.ts";
import { countEntries, insertEntry } from "./timeline.store.ts";

/** Acknowledges an incident. Does nothing if it is acknowledged or resolved. @throws ServiceError not_found */
export async function acknowledge(
  context: AlertsContext,
  caller: Caller,
  { id }: { id: string },
): Promise<IncidentView> {
  const isChanged = await inIncident(context, caller, id, async (tx, incident) => {
    if (incident.acknowledgedAt !== null || incident.resolvedAt !== null) return false;
    await acknowledgeIncident(tx, id, caller.actor.name);
    await insertEntry(tx, id, { kind: "acknowledged", by: caller.actor.name });
    return true;
  });
  const view = await readIncident(context, caller, { id });
  if (isChanged) await announce(context, caller, view, "incident.acknowledged");
  return view;
}

/**
 * Assigns an incident to a member, and mails the member. @throws ServiceError not_found; invalid_request for a login
 * that can't act on incidents; conflict for a resolved incident
 */
export async function assign(
  context: AlertsContext,
  caller: Caller,
  { id, login }: { id: string; login: string | null },
): Promise<IncidentView> {
  const person = login === null ? null : await memberNamed(context, caller.teamId, login);
  const assignee = person && { id: person.id, login: person.login ?? person.id };
  const isChanged = await inIncident(context, caller, id, async (tx, incident) => {
    if (incident.resolvedAt !== null) throw new ServiceError("conflict", INCIDENT_ERRORS.resolved);
    if (incident.assigneeId === (assignee?.id ?? null)) return false;
    await requireRoom(tx, id);
    await assignIncident(tx, id, assignee);
    await insertEntry(tx, id, {
      ...{ kind: "assigned", by: caller.actor.name, login: assignee?.login ?? null },
    });
    return true;
  });
  const view = await readIncident(context, caller, { id });
  if (!isChanged) return view;
  await announce(context, caller, view, "incident.assigned", { assignee: assignee?.login ?? "-" });
  if (person && person.id !== caller.actor.id) await mailAssignee(context, caller, person, view);
  return view;
}

/** Adds a comment to an incident's timeline, also after it was resolved. @throws ServiceError not_found; conflict */
export async function comment(
  context: AlertsContext,
  caller: Caller,
  { id, text }: { id: string; text: string },
): Promise<IncidentView> {
  await inIncident(context, caller, id, async tx => {
    await requireRoom(tx, id);
    await insertEntry(tx, id, { kind: "commented", by: caller.actor.name, text });
  });
  const view = await readIncident(context, caller, { id });
  await publishMonitorsChanged(context.bus, [{ monitorId: view.monitor.id, teamId: caller.teamId }]);
  return view;
}

/** Runs an operation on a locked incident. @throws ServiceError not_found */
function inIncident<Result>(
  { em }: AlertsContext,
  { teamId }: Caller,
  id: string,
  operation: (tx: EntityManager, incident: Incident) => Promise<Result>,
): Promise<Result> {
  return em().transactional(async tx => {
    const incident = await lockIncident(tx, teamId, id);
    if (!incident) throw notFound("incident", id);
    return operation(tx, incident);
  });
}

/** Records an action on an incident in the team's activity, and publishes it to open pages. */
export async function announce(
  context: AlertsContext,
  { teamId, actor }: Caller,
  { id, title, monitor }: IncidentView,
  type: "incident.acknowledged" | "incident.assigned" | "incident.resolved",
  details: Record<string, string> = {},
): Promise<void> {
  await noteActivity(context, { teamId, type, actor, target: id, details: { name: title, ...details } });
  await publishMonitorsChanged(context.bus, [{ monitorId: monitor.id, teamId }]);
}

async function requireRoom(tx: EntityManager, id: string): Promise<void> {
  if ((await countEntries(tx, id)) >= MAX_TIMELINE_ENTRIES)
    throw new ServiceError("conflict", INCIDENT_ERRORS.full(MAX_TIMELINE_ENTRIES));
}

async function memberNamed({ bus }: AlertsContext, teamId: string, login: string): Promise<NoticePerson> {
  const people = await call(bus, "teams.noticePeople", { teamId });
  const found = people.find(person => person.login?.toLowerCase() === login.toLowerCase());
  if (!found) throw invalidField("login", INCIDENT_ERRORS.noMember);
  if (found.role === "viewer") throw invalidField("login", INCIDENT_ERRORS.viewer);
  return found;
}

async function mailAssignee(
  context: AlertsContext,
  { teamId, actor }: Caller,
  { id: personId, email }: NoticePerson,
  { id, title, timeline }: IncidentView,
): Promise<void> {
  if (email === null) return;
  await mailNotice(context, {
    id: `incident ${id} ${personId} ${timeline.length}`,
    teamId,
    to: [email],
    subject: INCIDENT_MAIL.subject(title),
    paragraphs: [INCIDENT_MAIL.assigned(actor.name, title), INCIDENT_MAIL.footer],
    button: { label: INCIDENT_MAIL.button, url: `${context.baseUrl}/incidents/${id}` },
  });
}
