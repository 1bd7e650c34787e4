import type { Action } from "../teams/team-actions.ts";
import type { AlertedMonitor } from "./alert-actions.ts";
import type { CONDITION_KINDS } from "./alerts.ts";

/** What a condition reports. */
export type ConditionKind = (typeof CONDITION_KINDS)[number];

/** A condition of one monitor, or of several monitors of a team. */
export interface Condition {
  /** Makes a repeated message harmless. */
  source: string;
  kind: ConditionKind;
  /** ISO 8601 in UTC. */
  at: string;
  /** What happened, in one line. */
  title: string;
  /** What it means and what to do, in a few sentences. */
  text: string;
  monitors: AlertedMonitor[];
  /**
   * Set if the condition ends because it isn't watched anymore. Nothing reports its end later, so a snooze doesn't keep
   * its incident open.
   */
  isFinal?: true;
}

/** Actions of the alerts service on conditions. */
export interface ConditionActions {
  /** Notifies each receiver of these monitors once. Returns false if all monitors are snoozed, unless it is final. */
  "alerts.reportCondition": Action<Condition, boolean>;
}
