import type { ListQuery } from "../fields.ts";
import type { Action } from "../teams/team-actions.ts";
import type { DriftView, SeriesQuery } from "./monitor-series.ts";
import type {
  ChangeMonitor,
  CheckList,
  CheckView,
  CreateMonitor,
  MonitorList,
  MonitorView,
} from "./monitors.ts";

/** What the monitors service offers. Ids of new things are their caller's to make, so that a message that comes twice makes one. */
export interface MonitorActions {
  "monitors.create": Action<{ id: string; body: CreateMonitor }, MonitorView>;
  "monitors.list": Action<{ query: ListQuery }, MonitorList>;
  "monitors.get": Action<{ id: string }, MonitorView>;
  "monitors.change": Action<{ id: string; body: ChangeMonitor }, MonitorView>;
  "monitors.delete": Action<{ id: string }, null>;
  /** Checks at once, on every plan. */
  "monitors.run": Action<{ id: string; checkId: string }, CheckView>;
  "monitors.history": Action<{ id: string; query: ListQuery }, CheckList>;
  /** How far its pages were from their baselines, for a chart. */
  "monitors.drift": Action<{ id: string; query: SeriesQuery }, DriftView>;
  /** Its alerts are sent again from now on. */
  "monitors.unsnooze": Action<{ id: string }, null>;
  "monitors.snooze": Action<{ id: string; hours: number }, { snoozedUntil: string }>;
  "monitors.testAlert": Action<{ id: string }, { deliveries: { id: string; channel: string }[] }>;
  /** Whether a team has this monitor, which is so until it is deleted. */
  "monitors.exists": Action<{ id: string; teamId: string }, boolean>;
  /** Those that a team has. */
  "monitors.count": Action<{ teamId: string }, number>;
}
