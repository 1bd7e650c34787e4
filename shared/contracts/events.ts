import type { PlanName } from "./billing/usage.ts";
import type { RunProgress } from "./runs/runs.ts";
import type { Actor } from "./teams/caller.ts";
import type { ActivityType } from "./teams/people.ts";

/** Something that an actor changed. */
export interface Noted {
  id: string;
  teamId: string;
  type: ActivityType;
  actor: Actor;
  /** What it was done to: an id, a login, a name. */
  target: string | null;
  details: Record<string, string | number>;
}

/** Every event on the bus. An event may be lost or come twice; who listens re-reads and is idempotent. */
export interface Events {
  "run.submitted": { runId: string; teamId: string };
  "run.progressed": RunProgress & { teamId: string; project: string };
  "run.completed": { runId: string; teamId: string };
  /** A completed run was approved or rejected, in whole or in part. */
  "run.reviewed": { runId: string; teamId: string };
  "run.canceled": { runId: string };
  /** The same, for one node of each service that listens: what is done once because of it. */
  "run.stopped": { runId: string; teamId: string };
  /** Something that a page of these monitors shows: settings, checks, alerts, snoozes. Null for any of the team's. */
  "monitor.changed": { teamId: string; ids: string[] | null };
  /** What these keys, people and sessions may do is not what it was. */
  "access.changed": { ids: string[] };
  /** A team and all that was in it is gone for good. */
  "team.gone": { teamId: string };
  /** Where a commit can be seen: for the scm nodes, each of which remembers it. The key is `owner/repo@sha`. */
  "preview.seen": { key: string; url: string };
  /** A provider told where a commit will be seen once its deployment succeeds; null: it will not. */
  "preview.expected": { key: string; url: string | null };
  /** Something that others are to read in the team's activity; the id is its teller's to make. */
  "activity.noted": Noted;
  /** A team has another plan now; `billing.plan` says what it holds. */
  "plan.changed": { teamId: string; plan: PlanName; was: PlanName };
}

export type EventName = keyof Events;
