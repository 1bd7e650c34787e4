import type { UsageNotice } from "../billing/usage.ts";
import type { ListQuery } from "../fields.ts";
import type { Action } from "../teams/team-actions.ts";
import type { AlertsView, ChannelsHere, DeliveryList } from "./alerts.ts";
import type { SeriesQuery } from "./monitor-series.ts";

/** Where a monitor's alerts go. Each is absent where its team has not set it. */
export interface AlertChannels {
  /** Incoming webhook of a chat tool. */
  slack?: string;
  email?: string[];
  /** Routing key of an incident service. */
  pagerduty?: string;
  /** Any receiver; its messages are signed with the secret. */
  webhook?: { url: string; secret: string };
}

/** What an alert says of the monitor that it is about. */
export interface AlertedMonitor {
  id: string;
  teamId: string;
  name: string;
  url: string;
  channels: AlertChannels;
}

/** A page at a width. */
export interface PageAt {
  route: string;
  viewport: number;
}

/** A page at a width that looks different from its baseline. */
export interface Regression extends PageAt {
  /** 0–1 of all pixels. */
  diffRatio: number;
  /** Whether its baseline was captured by renderers that draw differently. */
  isOtherRenderer?: boolean;
  /** SHA-256 of images in the store; null where there is none. */
  images: { baseline: string | null; current: string | null; diff: string | null };
}

/** What a finished check of a monitor found: nothing, that pages look different, or that some do not answer. */
export type CheckOutcome =
  | { kind: "ok" }
  | { kind: "changed"; regressions: Regression[] }
  | {
      kind: "down";
      reason: string;
      /** The pages that do not answer. */
      routes: string[];
      /** Whether those are all that the monitor looks at. */
      isWhole: boolean;
      /** What looks different beside them. */
      regressions: Regression[];
    };

/** What is wrong, where something is. */
export type WrongOutcome = Exclude<CheckOutcome, { kind: "ok" }>;

/** A finished check; its id makes a repeat of the message harmless. */
export interface CheckReport {
  checkId: string;
  runId: string;
  /** When it ended; ISO 8601, UTC. */
  at: string;
  monitor: AlertedMonitor;
  outcome: CheckOutcome;
  /** What it could say nothing of, where what was alerted goes on: see unseen.rule.ts. */
  unseen: PageAt[];
}

/** Where a monitor's alerts stand. */
export interface AlertStanding {
  monitorId: string;
  /** Since when it has been alerted and has not recovered; ISO 8601, null when all is well. */
  alertingSince: string | null;
  lastAlertAt: string | null;
  snoozedUntil: string | null;
}

export const ALERT_DECISIONS = ["none", "repeated", "snoozed", "alerted", "recovered"] as const;
export type AlertDecision = (typeof ALERT_DECISIONS)[number];

/** A mail to people of the service, in plain words; the service lays it out. */
export interface Notice {
  /** Makes a repeat harmless. */
  id: string;
  teamId: string | null;
  to: string[];
  subject: string;
  /** One a paragraph. */
  paragraphs: string[];
  button?: { label: string; url: string };
}

/** Actions of the alerts service. */
export interface AlertActions {
  /** Decides whether anybody is to be told, and sees to it; the same answer for the same check. */
  "alerts.report": Action<CheckReport, AlertDecision>;
  /** Nobody is told anything of this monitor until then. */
  "alerts.snooze": Action<{ monitorId: string; teamId: string; hours: number }, { snoozedUntil: string }>;
  /** Lifts a snooze, if there is one. */
  "alerts.unsnooze": Action<{ monitorId: string; teamId: string }, null>;
  /** When people were told, for a chart, and what each receiver answered last; not_found for another team's monitor. */
  "alerts.marks": Action<{ monitorId: string; query: SeriesQuery }, AlertsView>;
  /** Sends a sample to every channel; names what was queued. */
  "alerts.test": Action<{ monitor: AlertedMonitor }, { deliveries: { id: string; channel: string }[] }>;
  /** Which channels this service can serve. */
  "alerts.channels": Action<Record<string, never>, ChannelsHere>;
  "alerts.standing": Action<{ monitorIds: string[] }, AlertStanding[]>;
  /** The monitor is gone: its open incident, of the channels named, is closed, and nothing more is sent of it. */
  "alerts.forget": Action<{ monitor: AlertedMonitor }, null>;
  /** Closes the open incident with these channels, which the monitor has no more. */
  "alerts.closeIncident": Action<{ monitor: AlertedMonitor }, null>;
  /** Sends a mail, once however often it is asked to; where no mail server is set up it does nothing. */
  "alerts.mail": Action<Notice, null>;
  /** Mails a team's admins of an allowance, in the same way. */
  "alerts.mailUsage": Action<UsageNotice, null>;
  /** What was sent of a monitor of the caller's team; not_found for another. */
  "alerts.deliveries": Action<{ monitorId: string; query: ListQuery }, DeliveryList>;
  /** Writes to this address no more of a monitor. */
  "alerts.unsubscribe": Action<{ monitorId: string; teamId: string; address: string }, null>;
}
