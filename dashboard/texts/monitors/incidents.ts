import type {
  INCIDENT_STATES,
  IncidentSummary,
  Resolution,
} from "../../../shared/contracts/monitors/incidents.ts";
import { plural } from "../format.ts";

/** Texts of incidents: their list, an incident's page, and a monitor's page. */
export const incidentTexts = {
  title: "Incidents",
  incident: "Incident",
  thing: "incidents",
  oneThing: "the incident",
  filter: "Filter incidents",
  filters: { unresolved: "Unresolved", resolved: "Resolved", all: "All" },
  older: "Show older incidents",
  emptyUnresolved:
    "No unresolved incidents. A monitor opens an incident when it confirms a problem and alerts.",
  empty: "No incidents yet. A monitor opens an incident when it confirms a problem and alerts.",
  emptyOfMonitor: "No incidents yet.",
  all: "All incidents",
  backToIncidents: "Go to incidents",

  opened: "opened {time}",
  resolved: "resolved {time}",
  assignedTo: (login: string) => `Assigned to ${login}`,
  unassigned: "Not assigned",

  acknowledge: "Acknowledge",
  acknowledged: "Incident acknowledged. The same problem isn't alerted again.",

  assign: "Assign…",
  assignLabel: "Assign incident",
  noAssignee: "No assignee",
  assigned: (login: string) => `Incident assigned to ${login}.`,
  unassignedDone: "Assignee removed.",
  resolve: "Resolve…",
  resolveTitle: "Resolve this incident?",
  resolveAbout: (incident: Pick<IncidentSummary, "kind">) =>
    isOfPages(incident)
      ? "Receivers of the alert get a recovery. If the next check finds the problem, another incident opens."
      : "Incidents in an incident service close. Other receivers get a message when the problem ends.",
  note: "Note (optional)",
  confirmResolve: "Resolve incident",
  resolvedDone: "Incident resolved.",
  openRun: "Open run",
  openMonitor: "Open monitor",

  facts: {
    monitor: "Monitor",
    opened: "Opened",
    duration: "Duration",
    assignee: "Assignee",
    acknowledged: "Acknowledged by",
    resolved: "Resolved",
  },
  notAcknowledged: "Not acknowledged",

  timeline: "Timeline",
  comment: "Comment",
  commentPlaceholder: "What did you find, and what do you do about it?",
  addComment: "Add comment",
} as const;

export const incidentStateNames: Record<(typeof INCIDENT_STATES)[number], string> = {
  open: "Open",
  acknowledged: "Acknowledged",
  resolved: "Resolved",
};

const resolutionNames: Record<Resolution, string> = {
  recovered: "A check found no problem",
  approved: "The changes were approved",
  replaced: "Another problem replaced it",
  manual: "Resolved by hand",
};

/** Titles of the entries of a timeline. */
export const timelineTexts = {
  opened: (incident: Pick<IncidentSummary, "kind">) => (isOfPages(incident) ? "Opened by a check" : "Opened"),
  confirmed: (attempts: number) => `Confirmed by ${plural(attempts, "attempt")}`,
  notified: (channel: string, receiver: string) => `${channel}: ${receiver}`,
  acknowledged: (by: string) => `${by} acknowledged the incident`,
  assigned: (by: string, login: string | null) =>
    login === null ? `${by} removed the assignee` : `${by} assigned the incident to ${login}`,
  commented: (by: string) => `${by} commented`,
  resolved: (by: string | null) => (by === null ? "Resolved by itself" : `${by} resolved the incident`),
} as const;

/** Returns how an incident ended, in a few words. Null while it is open. */
export function resolutionText({
  kind,
  resolution,
  resolvedBy,
}: Pick<IncidentSummary, "kind" | "resolution" | "resolvedBy">): string | null {
  if (resolution === null) return null;
  return resolvedBy === null ? resolutionName(resolution, { kind }) : timelineTexts.resolved(resolvedBy);
}

/** Returns why an incident ended, in a few words. */
export function resolutionName(resolution: Resolution, incident: Pick<IncidentSummary, "kind">): string {
  if (resolution === "recovered" && !isOfPages(incident)) return "The problem ended";
  return resolutionNames[resolution];
}

/** Returns whether an incident is about pages that a check captured. Others are about checks, certificates and HTTP. */
function isOfPages({ kind }: Pick<IncidentSummary, "kind">): boolean {
  return kind === "changed" || kind === "down";
}
