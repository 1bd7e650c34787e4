import { leaseRows } from "../../../mixins/database/lease-rows.ts";
import type { EntityManager } from "../../../mixins/database.ts";

/** Queries about runs that other programs submitted. `em` is one unit of work. */

/** Longer than it takes to find a run's pull request and create its check. */
const LEASE_DURATION = "interval '5 minutes'";
/** Longer than `findMissedRuns` looks back. A run that is still not reported by then is dropped. */
const RETENTION = "interval '48 hours'";

/** Requests a report of a run, also if it was reported before. @param teamId the run's team; null for the app's team */
export async function requestExternalRun(
  em: EntityManager,
  runId: string,
  teamId: string | null = null,
): Promise<void> {
  await em.execute(
    `insert into scm.external_run (run_id, team_id, requested_at, due_at) values (?, ?, now(), now())
     on conflict (run_id) do update set attempts = 0, due_at = now()`,
    [runId, teamId],
  );
}

/** Requests reports of runs that no check has and no event requested. */
export async function requestMissedRuns(
  em: EntityManager,
  runIds: string[],
  teamId: string | null,
): Promise<void> {
  await em.execute(
    `insert into scm.external_run (run_id, team_id, requested_at, due_at)
     select missed.id, ?, now(), now() from jsonb_array_elements_text(?::jsonb) as missed (id)
     where not exists (select from scm.check_run where run_id = missed.id)
     on conflict do nothing`,
    [teamId, JSON.stringify(runIds)],
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

/** Leases due runs, the longest overdue first. */
export async function leaseExternalRuns(em: EntityManager, limit: number): Promise<ExternalRun[]> {
  return em.execute(
    leaseRows({
      table: "scm.external_run",
      key: "run_id",
      set: `due_at = now() + ${LEASE_DURATION}, attempts = attempts + 1`,
      where: "due_at <= now()",
      orderBy: "due_at",
      returning: `run_id as "runId", team_id as "teamId", attempts`,
    }),
    [limit],
  );
}

/** Ends the attempts at a run, reported or not. */
export async function finishExternalRun(em: EntityManager, runId: string): Promise<void> {
  await em.execute("update scm.external_run set due_at = null where run_id = ?", [runId]);
}

export async function postponeExternalRun(em: EntityManager, runId: string, forMs: number): Promise<void> {
  await em.execute("update scm.external_run set due_at = now() + make_interval(secs => ?) where run_id = ?", [
    forMs / 1_000,
    runId,
  ]);
}

export async function deleteOldExternalRuns(em: EntityManager): Promise<void> {
  await em.execute(`delete from scm.external_run where requested_at < now() - ${RETENTION}`);
}
