import { z } from "zod";
import { list, pageQuery, text, time } from "../fields.ts";
import { login } from "../teams/people.ts";
import type { Action } from "../teams/team-actions.ts";
import { CHANNEL_NAMES, NOTIFICATION_STATUSES, notificationView } from "./alerts.ts";

/** Bodies, queries and responses of `/v1/incidents`. */

const INCIDENT_KINDS = ["changed", "down", "unchecked", "certificate", "failing"] as const;
export const INCIDENT_STATES = ["open", "acknowledged", "resolved"] as const;
const RESOLUTIONS = ["recovered", "approved", "replaced", "manual"] as const;

/** The most timeline entries and notifications that one response has. */
export const MAX_TIMELINE_ENTRIES = 500;

const incidentSummary = z.object({
  id: z.string(),
  monitor: z.object({ id: z.string(), name: z.string().describe("Its name when the incident opened") }),
  kind: z
    .enum(INCIDENT_KINDS)
    .describe(
      "`unchecked`: monitors had no results. `certificate`: it expires soon. `failing`: the HTTP check fails",
    ),
  title: z.string().describe("What happened, in one line"),
  state: z.enum(INCIDENT_STATES),
  checkId: z
    .string()
    .describe("The check that opened the incident. Empty unless its kind is `changed` or `down`"),
  runId: z.string().nullable().describe("The run that shows the problem"),
  openedAt: time.describe("When the check that found the problem started"),
  acknowledgedAt: time.nullable(),
  acknowledgedBy: z.string().nullable(),
  assignee: z.object({ id: z.string(), login: z.string() }).nullable(),
  resolvedAt: time.nullable(),
  resolution: z
    .enum(RESOLUTIONS)
    .nullable()
    .describe(
      "`recovered`: a check found no problem. `approved`: a reviewer approved the changes. `replaced`: the problem changed, and another incident opened. `manual`: a member resolved it",
    ),
  resolvedBy: z.string().nullable().describe("The member who resolved it. Null unless `manual`"),
});

const by = z.string().describe("The member's name at that time");

/** An entry of an incident's timeline. */
const timelineEntry = z.discriminatedUnion("kind", [
  z.object({ at: time, kind: z.literal("opened"), text: z.string().describe("Why it opened") }),
  z.object({ at: time, kind: z.literal("confirmed"), attempts: z.int() }),
  z.object({
    at: time,
    kind: z.literal("notified"),
    channel: z.enum(CHANNEL_NAMES),
    receiver: z.string(),
    message: notificationView.shape.kind,
    status: z.enum(NOTIFICATION_STATUSES),
    answer: z.string().nullable(),
  }),
  z.object({ at: time, kind: z.literal("acknowledged"), by }),
  z.object({
    at: time,
    kind: z.literal("assigned"),
    by,
    login: z.string().nullable().describe("Null if the assignee was removed"),
  }),
  z.object({ at: time, kind: z.literal("commented"), by, text: z.string() }),
  z.object({
    at: time,
    kind: z.literal("resolved"),
    by: by.nullable(),
    resolution: z.enum(RESOLUTIONS),
    text: z.string().nullable().describe("The note of the member who resolved it"),
  }),
]);

export const incidentView = incidentSummary.extend({
  timeline: z
    .array(timelineEntry)
    .describe(`Oldest first, at most ${MAX_TIMELINE_ENTRIES} entries and as many notifications`),
});

/** Query of `GET /v1/incidents`. */
export const incidentsQuery = z.strictObject({
  ...pageQuery,
  state: z
    .enum(["unresolved", ...INCIDENT_STATES])
    .optional()
    .describe("`unresolved` stands for open and acknowledged incidents"),
  monitor: z.string().max(64).optional().describe("Id of a monitor"),
});

const note = text(2_000);

export const assignBody = z.strictObject({
  login: login.nullable().describe("A reviewer or admin of the team. Null removes the assignee"),
});
export const incidentCommentBody = z.strictObject({ text: note });
export const resolveBody = z.strictObject({ note: note.optional() }).prefault({});

export const incidentList = list(incidentSummary);

export type IncidentKind = (typeof INCIDENT_KINDS)[number];
export type Resolution = (typeof RESOLUTIONS)[number];
export type IncidentSummary = z.infer<typeof incidentSummary>;
export type IncidentView = z.infer<typeof incidentView>;
export type IncidentList = z.infer<typeof incidentList>;
export type IncidentsQuery = z.infer<typeof incidentsQuery>;
export type TimelineEntry = z.infer<typeof timelineEntry>;

/** Actions of the alerts service on incidents. All throw not_found for incidents of other teams. */
export interface IncidentActions {
  "alerts.incidents": Action<{ query: IncidentsQuery }, IncidentList>;
  "alerts.incident": Action<{ id: string }, IncidentView>;
  /** Lists when monitors of a team were down in the last days, newest first. */
  "alerts.outages": Action<
    { teamId: string; monitorIds: string[]; days: number },
    { monitorId: string; from: string; until: string | null }[]
  >;
  /** Acknowledges an incident once. Its problem isn't alerted again while it affects no other pages. */
  "alerts.acknowledge": Action<{ id: string }, IncidentView>;
  "alerts.assign": Action<{ id: string; login: string | null }, IncidentView>;
  "alerts.comment": Action<{ id: string; text: string }, IncidentView>;
  /** Resolves an incident once, and reports the recovery. The next check that finds the problem opens another. */
  "alerts.resolve": Action<{ id: string; note?: string | undefined }, IncidentView>;
}
