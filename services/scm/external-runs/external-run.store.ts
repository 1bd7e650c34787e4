import type { EntityManager } from "../../../mixins/database.ts";
import type { FullLanes, Lane } from "../lanes/lanes.ts";
import { leaseLanes } from "../lanes/lease-lanes.ts";

/** Queries about runs that other programs submitted. `em` is one unit of work. */

/** Longer than it takes to find a run's pull request and create its check. */
const LEASE_DURATION = "interval '5 minutes'";
/** Longer than `findMissedRuns` looks back. A run that is still not reported by then is dropped. */
const RETENTION = "interval '48 hours'";

/** The team of external runs, and its connection to their repository. */
export interface RunOwner {
  /** Null for the app's team. */
  teamId: string | null;
  /** Undefined for a repository of the app. */
  connectionId?: string | undefined;
}

const OF_APP: RunOwner = { teamId: null };

/** Requests a report of a run, also if it was reported before. */
export async function requestExternalRun(
  em: EntityManager,
  runId: string,
  { teamId, connectionId = "" }: RunOwner = OF_APP,
): Promise<void> {
  await em.execute(
    `insert into scm.external_run (run_id, team_id, installation_id, requested_at, due_at)
     values (?, ?, nullif(?, ''), now(), now())
     on conflict (run_id) do update set attempts = 0, due_at = now()`,
    [runId, teamId, connectionId],
  );
}

/** Requests reports of runs that no check has and no event requested. */
export async function requestMissedRuns(
  em: EntityManager,
  runIds: string[],
  { teamId, connectionId = "" }: RunOwner,
): Promise<void> {
  await em.execute(
    `insert into scm.external_run (run_id, team_id, installation_id, requested_at, due_at)
     select missed.id, ?, nullif(?, ''), now(), now() from jsonb_array_elements_text(?::jsonb) as missed (id)
     where not exists (select from scm.check_run where run_id = missed.id)
     on conflict do nothing`,
    [teamId, connectionId, JSON.stringify(runIds)],
  );
}

/** An external run under the caller's lease. */
export interface ExternalRun {
  runId: string;
  /** Null for the app's team. */
  teamId: string | null;
  /** Includes the current attempt. */
  attempts: number;
}

/** Leases due runs: the longest overdue one of each code host and team, outside of full lanes. */
export function leaseExternalRuns(em: EntityManager, full: FullLanes): Promise<(ExternalRun & Lane)[]> {
  return leaseLanes(
    em,
    {
      table: "scm.external_run",
      key: "run_id",
      set: `due_at = now() + ${LEASE_DURATION}, attempts = attempts + 1`,
      where: "due_at <= now()",
      dueAt: "due_at",
      // The installation of a run of the app is unknown until its repository is read.
      lane: "coalesce(installation_id, team_id, run_id)",
      team: "coalesce(team_id, 'app')",
      returning: `run_id as "runId", team_id as "teamId", attempts`,
    },
    full,
  );
}

/** A request during the lease sets the attempts back. The run then stays due. */
const STILL_LEASED = "run_id = ? and attempts = ?";

/** Ends the attempts at a run, reported or not. */
export async function finishExternalRun(
  em: EntityManager,
  { runId, attempts }: Pick<ExternalRun, "runId" | "attempts">,
): Promise<void> {
  await em.execute(`update scm.external_run set due_at = null where ${STILL_LEASED}`, [runId, attempts]);
}

export async function postponeExternalRun(
  em: EntityManager,
  { runId, attempts }: Pick<ExternalRun, "runId" | "attempts">,
  forMs: number,
): Promise<void> {
  await em.execute(
    `update scm.external_run set due_at = now() + make_interval(secs => ?) where ${STILL_LEASED}`,
    [forMs / 1_000, runId, attempts],
  );
}

export async function deleteOldExternalRuns(em: EntityManager): Promise<void> {
  await em.execute(`delete from scm.external_run where requested_at < now() - ${RETENTION}`);
}
