import type { UsageNotice } from "../billing/usage.ts";
import type { StoredPage } from "../capture/page-fields.ts";
import type { ListQuery } from "../fields.ts";
import type { Action } from "../teams/team-actions.ts";
import type { AlertsView, AvailableChannels, NotificationList } from "./alerts.ts";
import type { IncidentChannel } from "./monitor-channels.ts";
import type { SeriesQuery } from "./monitor-series.ts";

/** The alert channels of a monitor. Channels that the team did not set are missing. */
export interface AlertChannels {
  /** Incoming webhook of a chat tool. */
  slack?: string;
  email?: string[];
  /** Routing key of an incident service. */
  pagerduty?: string;
  /** Another incident service, with its API key. */
  incidents?: IncidentChannel;
  /** The team's own receiver. Its messages are signed with the secret. */
  webhook?: { url: string; secret: string };
}

/** The monitor that an alert is about. */
export interface AlertedMonitor {
  id: string;
  teamId: string;
  name: string;
  url: string;
  channels: AlertChannels;
}

/** A changed page. */
export type Regression = StoredPage & {
  /** Share of changed pixels, 0–1. */
  diffRatio: number;
  /** Whether renderers that draw differently captured the baseline. */
  isOtherRenderer?: boolean;
  /** Why it changed, in words. Absent if unknown. */
  cause?: string;
  /** Regions that see the difference. Absent without regions. */
  regions?: string[];
  /** SHA-256 of images in the store. Null if there is none. */
  images: { baseline: string | null; current: string | null; diff: string | null };
};

/** The outcome of a completed check: no problem, changed pages, or pages that don't respond. */
export type CheckOutcome =
  | { kind: "ok" }
  | { kind: "changed"; regressions: Regression[] }
  | {
      kind: "down";
      reason: string;
      /** Routes that don't respond. */
      routes: string[];
      /** Whether these are all of the monitor's pages. */
      isWhole: boolean;
      /** Changed pages besides. */
      regressions: Regression[];
    };

/** The outcome of a check that found a problem. */
export type ProblemOutcome = Exclude<CheckOutcome, { kind: "ok" }>;

/** A completed check. Its id makes a repeated message harmless. */
export interface CheckReport {
  checkId: string;
  runId: string;
  /** Time at which it started. Missing in reports of an earlier version. */
  startedAt?: string;
  /** Time at which it ended, ISO 8601 in UTC. */
  at: string;
  /** Number of its attempts. Missing in reports of an earlier version. */
  attempts?: number;
  monitor: AlertedMonitor;
  outcome: CheckOutcome;
  /** Pages that it couldn't capture. Their open alerts stay: see uncaptured.rule.ts. */
  uncaptured: StoredPage[];
}

/** The alert status of a monitor. */
export interface AlertStatus {
  monitorId: string;
  /** Start of the open alert, ISO 8601. Null if there is none. */
  alertingSince: string | null;
  lastAlertAt: string | null;
  snoozedUntil: string | null;
}

export const ALERT_DECISIONS = ["none", "repeated", "snoozed", "alerted", "recovered"] as const;
export type AlertDecision = (typeof ALERT_DECISIONS)[number];

/** A mail from the service to users, as plain text. The alerts service lays it out. */
export interface Notice {
  /** Makes a repeated message harmless. */
  id: string;
  teamId: string | null;
  to: string[];
  subject: string;
  /** One entry per paragraph. */
  paragraphs: string[];
  button?: { label: string; url: string };
}

/** Actions of the alerts service. */
export interface AlertActions {
  /** Decides whether notifications are due, and queues them. The same check always gets the same decision. */
  "alerts.report": Action<CheckReport, AlertDecision>;
  /** Snoozes a monitor's alerts. */
  "alerts.snooze": Action<{ monitorId: string; teamId: string; hours: number }, { snoozedUntil: string }>;
  /** Ends a snooze, if there is one. */
  "alerts.unsnooze": Action<{ monitorId: string; teamId: string }, null>;
  /**
   * Lists alerts and snoozes for a chart, and the last response of each receiver. Throws not_found for another
   * team's monitor.
   */
  "alerts.chart": Action<{ monitorId: string; query: SeriesQuery }, AlertsView>;
  /** Queues a test alert for every channel. */
  "alerts.test": Action<{ monitor: AlertedMonitor }, { notifications: { id: string; channel: string }[] }>;
  /** Returns the channels that this service can use. */
  "alerts.channels": Action<Record<string, never>, AvailableChannels>;
  "alerts.status": Action<{ monitorIds: string[] }, AlertStatus[]>;
  /** Closes a deleted monitor's incident on the given channels. Nothing more is sent for it. */
  "alerts.deleteMonitor": Action<{ monitor: AlertedMonitor }, null>;
  /** Closes the open incident on these channels, which the monitor no longer has. */
  "alerts.closeIncident": Action<{ monitor: AlertedMonitor }, null>;
  /** Sends a mail once, also if the message is repeated. Without a mail server it does nothing. */
  "alerts.mail": Action<Notice, null>;
  /** Mails a team's admins about a usage limit, in the same way. */
  "alerts.mailUsage": Action<UsageNotice, null>;
  /** Lists the notifications of a monitor. Throws not_found for another team's monitor. */
  "alerts.notifications": Action<{ monitorId: string; query: ListQuery }, NotificationList>;
  /** Unsubscribes an address from a monitor. */
  "alerts.unsubscribe": Action<{ monitorId: string; teamId: string; address: string }, null>;
}
