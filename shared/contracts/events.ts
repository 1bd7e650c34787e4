import type { PlanName } from "./billing/usage.ts";
import type { RunProgress } from "./runs/runs.ts";
import type { Actor } from "./teams/caller.ts";
import type { ActivityType } from "./teams/people.ts";

/** An activity of an actor. */
export interface Noted {
  id: string;
  teamId: string;
  type: ActivityType;
  actor: Actor;
  /** The object of the activity: an id, a login, or a name. */
  target: string | null;
  details: Record<string, string | number>;
}

/**
 * Every event on the bus. An event may be lost or come twice, so listeners read the row again and are
 * idempotent.
 */
export interface Events {
  "run.submitted": { runId: string; teamId: string };
  "run.progressed": RunProgress & { teamId: string; project: string };
  "run.completed": { runId: string; teamId: string };
  /** A completed run was approved or rejected, in whole or in part. */
  "run.reviewed": { runId: string; teamId: string };
  /** The proof of a cause ended. */
  "run.proved": { runId: string; teamId: string };
  /** A comment on a run was added, changed or deleted. */
  "run.commented": { runId: string; teamId: string };
  "run.canceled": { runId: string };
  /** The same as `run.canceled`, but for one node of each listening service: work that is done once. */
  "run.stopped": { runId: string; teamId: string };
  /**
   * Something on the pages of these monitors changed: settings, checks, alerts, snoozes. Null for any of the
   * team's.
   */
  "monitor.changed": { teamId: string; ids: string[] | null };
  /** The permissions of these keys, users, sessions or teams changed. It ends their streams and tunnels. */
  "access.changed": { ids: string[] };
  /** A team's name or settings changed, but no one's permissions. */
  "team.changed": { teamId: string };
  /** Links of this team's runs expire at another time. */
  "links.changed": { teamId: string };
  /** A team and all its data are deleted for good. */
  "team.gone": { teamId: string };
  /** The URL of a commit's deployment, which each scm node remembers. The key is `owner/repo@sha`. */
  "preview.seen": { key: string; url: string };
  /** A provider announced the URL of a commit's pending deployment. Null if it has none. */
  "preview.expected": { key: string; url: string | null };
  /** An entry for the team's activity. The sender creates its id. */
  "activity.noted": Noted;
  /** A team has another plan. `billing.plan` returns it. */
  "plan.changed": { teamId: string; plan: PlanName; was: PlanName };
}

export type EventName = keyof Events;
