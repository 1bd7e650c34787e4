import { leaseRows } from "../../../mixins/database/lease-rows.ts";
import { type EntityManager, openJson, secretsOf } from "../../../mixins/database.ts";
import type { RunOptions } from "../../../shared/contracts/capture/capture-options.ts";
import { newId } from "../../../shared/ids.ts";
import type { RunTally } from "../capture/conclude.rule.ts";
import type { Run } from "../run.entity.ts";

/** Why a planned null rerun was skipped. */
export type SkipReason = "plan_limit_exceeded" | "expired" | "deleted";

/** After this time, the deployment may have changed, so a difference may not be a false alarm. */
const EXPIRES_AFTER = "interval '1 hour'";
/** Time after which another node may submit a null rerun that this node didn't submit. */
const LEASE = "interval '1 minute'";
const OPEN = "submitted_at is null and skipped is null";

/**
 * Plans a null rerun of a run that is about to end, if its project wants one and had none for a day. The plan keeps the
 * run's options, because the run loses them at its end.
 */
export async function planNullRerun(
  em: EntityManager,
  { id, projectId, scope }: Pick<Run, "id" | "projectId" | "scope">,
): Promise<void> {
  await em.execute(
    `with due as (
       update runs.project set null_rerun_at = now()
       where id = ? and null_reruns and 'branch:' || default_branch = ?
         and (null_rerun_at is null or null_rerun_at <= now() - interval '1 day')
       returning id)
     insert into runs.null_rerun (run_id, project_id, of_run_id, options)
     select ?, due.id, r.id, r.options from due, runs.run r where r.id = ?`,
    [projectId, scope, newId("run"), id],
  );
}

/** A null rerun to submit. */
export interface PlannedRerun {
  runId: string;
  ofRunId: string;
  options: RunOptions;
}

/** Leases null reruns to submit, each to one node. Skips those that have waited too long. */
export async function leaseNullReruns(em: EntityManager, limit: number): Promise<PlannedRerun[]> {
  await em.execute(
    `update runs.null_rerun set skipped = 'expired', options = null
     where ${OPEN} and planned_at < now() - ${EXPIRES_AFTER}`,
  );
  const rows: PlannedRerun[] = await em.execute(
    leaseRows({
      table: "runs.null_rerun",
      key: "run_id",
      set: "leased_at = now()",
      where: `${OPEN} and (leased_at is null or leased_at < now() - ${LEASE})`,
      orderBy: "planned_at",
      returning: `run_id as "runId", of_run_id as "ofRunId", options`,
    }),
    [limit],
  );
  const secrets = secretsOf(em);
  return rows.map(row => ({ ...row, options: openJson(secrets, row.options, "capture options") }));
}

/** Marks a null rerun as submitted. Returns true to the one caller who did. */
export async function markSubmitted(em: EntityManager, runId: string): Promise<boolean> {
  const rows: object[] = await em.execute(
    `update runs.null_rerun set submitted_at = now(), options = null where run_id = ? and ${OPEN} returning run_id`,
    [runId],
  );
  return rows.length === 1;
}

/** Marks a planned null rerun as skipped. */
export async function skipNullRerun(em: EntityManager, runId: string, why: SkipReason): Promise<void> {
  await em.execute(`update runs.null_rerun set skipped = ?, options = null where run_id = ? and ${OPEN}`, [
    why,
    runId,
  ]);
}

/** Records the result of an ended null rerun. */
export async function recordNullRerunResult(
  em: EntityManager,
  runId: string,
  tally: RunTally,
): Promise<void> {
  await em.execute(
    "update runs.null_rerun set completed_at = now(), compared = ?, false_alarms = ? where run_id = ?",
    [tally.unchanged + tally.changed, tally.changed, runId],
  );
}

/** A null rerun, submitted or not. */
export interface StoredNullRerun {
  runId: string;
  ofRunId: string;
  at: Date;
  /** Null until it ends. */
  compared: number | null;
  falseAlarms: number | null;
  skipped: SkipReason | null;
  /** Whether its run still exists. */
  kept: boolean;
}

/** Lists a project's null reruns of the last days, latest first. */
export function listNullReruns(
  em: EntityManager,
  projectId: string,
  days: number,
): Promise<StoredNullRerun[]> {
  return em.execute(
    `select n.run_id as "runId", n.of_run_id as "ofRunId", n.planned_at as at, n.compared,
       n.false_alarms as "falseAlarms", n.skipped, r.id is not null as kept
     from runs.null_rerun n left join runs.run r on r.id = n.run_id
     where n.project_id = ? and n.planned_at > now() - make_interval(days => ?)
     order by n.planned_at desc`,
    [projectId, days],
  );
}
