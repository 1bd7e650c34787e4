import type { LooksQuery, LooksView } from "../comparisons/looks.ts";
import type { ListQuery } from "../fields.ts";
import type { Action } from "../teams/team-actions.ts";
import type { AlertedMonitor } from "./alert-actions.ts";
import type { UptimeQuery, UptimeView } from "./availability.ts";
import type { CheckList, CheckView } from "./checks.ts";
import type { DriftView, SeriesQuery } from "./monitor-series.ts";
import type { ChangeMonitor, CreateMonitor, MonitorList, MonitorsQuery, MonitorView } from "./monitors.ts";

/**
 * Actions of the monitors service. Callers create the ids of new monitors and checks, so that a repeated message
 * creates only one.
 */
export interface MonitorActions {
  "monitors.create": Action<{ id: string; body: CreateMonitor }, MonitorView>;
  "monitors.list": Action<{ query: MonitorsQuery }, MonitorList>;
  "monitors.get": Action<{ id: string }, MonitorView>;
  "monitors.change": Action<{ id: string; body: ChangeMonitor }, MonitorView>;
  /** Gives a monitor a badge with an unguessable URL, or another one. */
  "monitors.createBadge": Action<{ id: string }, MonitorView>;
  "monitors.deleteBadge": Action<{ id: string }, null>;
  "monitors.delete": Action<{ id: string }, null>;
  /** Starts a check now, on every plan. */
  "monitors.run": Action<{ id: string; checkId: string }, CheckView>;
  "monitors.history": Action<{ id: string; query: ListQuery }, CheckList>;
  /** Reads how much its pages differed from their baselines, for a chart. */
  "monitors.drift": Action<{ id: string; query: SeriesQuery }, DriftView>;
  /** Reads its uptime and response times, per page. */
  "monitors.uptime": Action<{ id: string; query: UptimeQuery }, UptimeView>;
  /** Reads how one of its pages looked over time, at its current URL. */
  "monitors.looks": Action<{ id: string; query: LooksQuery }, LooksView>;
  /** Ends a snooze. */
  "monitors.unsnooze": Action<{ id: string }, null>;
  "monitors.snooze": Action<{ id: string; hours: number }, { snoozedUntil: string }>;
  "monitors.testAlert": Action<{ id: string }, { deliveries: { id: string; channel: string }[] }>;
  /** Returns whether a team has this monitor. False once it is deleted. */
  "monitors.exists": Action<{ id: string; teamId: string }, boolean>;
  /** Returns what alerts need to know about a monitor, with its channels. Null for another team's monitor. */
  "monitors.alerted": Action<{ id: string; teamId: string }, AlertedMonitor | null>;
  /** Counts a team's monitors. */
  "monitors.count": Action<{ teamId: string }, number>;
}
