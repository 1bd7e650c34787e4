import type { EntityManager } from "../../../mixins/database.ts";

/** Runs of others that are to be reported on their pull requests, or were looked at; `em` is one unit of work. */

/** Longer than it takes to find a run's pull request and to make its check. */
const CLAIMED_FOR = "interval '5 minutes'";
/** Longer than what was missed is looked for. What could not be done by then is given up. */
const KNOWN_FOR = "interval '48 hours'";

/** Has a run reported, or looked at once more. @param teamId whose it is; null for the app's team */
export async function requestExternalRun(
  em: EntityManager,
  runId: string,
  teamId: string | null = null,
): Promise<void> {
  await em.execute(
    `insert into scm.adoption (run_id, team_id, asked_at, due_at) values (?, ?, now(), now())
     on conflict (run_id) do update set tries = 0, due_at = now()`,
    [runId, teamId],
  );
}

/** Has those of these runs reported that are no check's, and that nobody asked for. */
export async function requestMissedRuns(
  em: EntityManager,
  runIds: string[],
  teamId: string | null,
): Promise<void> {
  await em.execute(
    `insert into scm.adoption (run_id, team_id, asked_at, due_at)
     select missed.id, ?, now(), now() from jsonb_array_elements_text(?::jsonb) as missed (id)
     where not exists (select from scm.check_run where run_id = missed.id)
     on conflict do nothing`,
    [teamId, JSON.stringify(runIds)],
  );
}

/** A run that is the caller's to report. */
export interface ExternalRun {
  runId: string;
  /** Null for the app's. */
  teamId: string | null;
  /** This one among them. */
  tries: number;
}

/** Takes those that are due, the longest due first. */
export async function leaseExternalRuns(em: EntityManager, limit: number): Promise<ExternalRun[]> {
  return em.execute(
    `update scm.adoption set due_at = now() + ${CLAIMED_FOR}, tries = tries + 1
     where run_id in (
       select run_id from scm.adoption where due_at <= now() order by due_at limit ? for update skip locked)
     returning run_id as "runId", team_id as "teamId", tries`,
    [limit],
  );
}

/** Notes that there is nothing more to do about a run, reported or not. */
export async function finishExternalRun(em: EntityManager, runId: string): Promise<void> {
  await em.execute("update scm.adoption set due_at = null where run_id = ?", [runId]);
}

export async function postponeExternalRun(em: EntityManager, runId: string, forMs: number): Promise<void> {
  await em.execute("update scm.adoption set due_at = now() + make_interval(secs => ?) where run_id = ?", [
    forMs / 1_000,
    runId,
  ]);
}

export async function deleteOldExternalRuns(em: EntityManager): Promise<void> {
  await em.execute(`delete from scm.adoption where asked_at < now() - ${KNOWN_FOR}`);
}
