import { type EntityManager, openJson, secretsOf } from "../../../mixins/database.ts";
import type { RunOptions } from "../../../shared/contracts/capture/capture-options.ts";
import { PROOF_BOUNDS, type ProofResult } from "../../../shared/contracts/runs/proof.ts";
import { fileKey } from "../../../shared/explain/loaded-files.ts";
import type { Run } from "../run.entity.ts";

/** A proof as it is stored. */
export interface StoredProof {
  screenshotId: string;
  runId: string;
  requestedBy: string;
  requestedAt: Date;
  dispatches: number;
  /** Null while it runs. */
  result: ProofResult | null;
  endedAt: Date | null;
}

const COLUMNS = `screenshot_id as "screenshotId", run_id as "runId", requested_by as "requestedBy",
  requested_at as "requestedAt", dispatches, result, ended_at as "endedAt"`;
/** Outcomes that a repeated proof can change. */
const REPEATABLE = "result ->> 'outcome' not in ('proven', 'not_explained', 'not_kept')";
/** Long enough for a job to reach the queue after its row was written. */
const QUEUED_BEFORE = "now() - interval '15 seconds'";

/** Finds the proofs of screenshots, by the screenshot's id. */
export async function findProofs(em: EntityManager, ids: string[]): Promise<Map<string, StoredProof>> {
  if (ids.length === 0) return new Map();
  const rows: StoredProof[] = await em.execute(
    `select ${COLUMNS} from runs.proof where screenshot_id in
       (select id from jsonb_array_elements_text(?::jsonb) as v (id))`,
    [JSON.stringify(ids)],
  );
  return new Map(
    rows.map(row => {
      const [requestedAt, endedAt] = [new Date(row.requestedAt), row.endedAt && new Date(row.endedAt)];
      return [row.screenshotId, { ...row, requestedAt, endedAt }];
    }),
  );
}

/** Keeps the options of a run that is about to end, so that it can be repeated and its changes can be proved. */
export async function keepOptions(em: EntityManager, { id }: Pick<Run, "id">): Promise<void> {
  await em.execute(
    `insert into runs.provable_run (run_id, options)
     select r.id, r.options from runs.run r where r.id = ? on conflict do nothing`,
    [id],
  );
}

/** Returns the kept options of a run; null if they are no longer kept. */
export async function findKeptOptions(em: EntityManager, runId: string): Promise<RunOptions | null> {
  const rows: { options: RunOptions }[] = await em.execute(
    "select options from runs.provable_run where run_id = ? and ended_at > now() - make_interval(days => ?)",
    [runId, PROOF_BOUNDS.days],
  );
  const [row] = rows;
  return row === undefined ? null : openJson(secretsOf(em), row.options, "capture options");
}

/** Deletes options that were kept for long enough. */
export async function deleteKeptOptions(em: EntityManager): Promise<void> {
  await em.execute("delete from runs.provable_run where ended_at < now() - make_interval(days => ?)", [
    PROOF_BOUNDS.days,
  ]);
}

/** Locks the proofs of a team until the transaction ends. @returns how many it started in the last minute */
export async function countRecentProofs(em: EntityManager, teamId: string): Promise<number> {
  await em.execute("select pg_advisory_xact_lock(hashtext(?))", [`vrs proofs ${teamId}`]);
  const [row]: { proofs: number }[] = await em.execute(
    `select count(*)::int as proofs from runs.proof
     where team_id = ? and requested_at > now() - interval '1 minute'`,
    [teamId],
  );
  return row?.proofs ?? 0;
}

/** Starts a proof, or repeats one whose outcome may change. @returns whether this caller started it */
export async function startProof(
  em: EntityManager,
  { id, teamId }: Pick<Run, "id" | "teamId">,
  { screenshotId, requestedBy }: { screenshotId: string; requestedBy: string },
): Promise<boolean> {
  const rows: object[] = await em.execute(
    `insert into runs.proof as p (screenshot_id, run_id, team_id, requested_by) values (?, ?, ?, ?)
     on conflict (screenshot_id) do update set requested_by = excluded.requested_by, requested_at = now(),
       dispatched_at = now(), dispatches = 1, result = null, ended_at = null
       where p.result is not null and p.${REPEATABLE}
     returning screenshot_id`,
    [screenshotId, id, teamId, requestedBy],
  );
  return rows.length === 1;
}

/** Ends proofs, each once. @returns those that this caller ended */
export async function endProofs(
  em: EntityManager,
  results: { screenshotId: string; runId: string; result: ProofResult }[],
): Promise<StoredProof[]> {
  if (results.length === 0) return [];
  return await em.execute(
    `update runs.proof p set result = v.result, ended_at = now()
     from (select distinct on ("screenshotId") * from jsonb_to_recordset(?::jsonb) as v (
       "screenshotId" text, "runId" text, result jsonb)) v
     where p.screenshot_id = v."screenshotId" and p.run_id = v."runId" and p.result is null
     returning p.screenshot_id as "screenshotId", p.run_id as "runId", p.requested_by as "requestedBy",
       p.requested_at as "requestedAt", p.dispatches, p.result, p.ended_at as "endedAt"`,
    [JSON.stringify(results)],
  );
}

/** Returns the keys of the causes of a run's screenshots whose files their proofs found. */
export async function findProvenCauses(em: EntityManager, runId: string): Promise<string[]> {
  const rows: { key: string; url: string; files: string[] }[] = await em.execute(
    `select c.cause ->> 'key' as key, c.cause -> 'file' ->> 'url' as url, p.result -> 'files' as files
     from runs.proof p join runs.screenshot s on s.id = p.screenshot_id and s.run_id = p.run_id,
       jsonb_array_elements(s.explanation -> 'causes') as c (cause)
     where p.run_id = ? and p.result is not null and c.cause -> 'file' ->> 'url' is not null`,
    [runId],
  );
  // A reused explanation has the URLs of an earlier deployment.
  const proven = rows.filter(({ url, files }) =>
    files.some(file => fileKey(file, file) === fileKey(url, url)),
  );
  return [...new Set(proven.map(({ key }) => key))];
}

/** Marks the causes of a run whose file was proven. */
export async function markProvenCauses(em: EntityManager, runId: string, keys: string[]): Promise<void> {
  if (keys.length === 0) return;
  await em.execute(
    `update runs.run set causes = (
       select coalesce(jsonb_agg(case when cause ->> 'key' in (?) then cause || '{"isProven": true}' else cause end
         order by rank), '[]')
       from jsonb_array_elements(causes) with ordinality as c (cause, rank))
     where id = ?`,
    [keys, runId],
  );
}

/** A running proof. */
export interface UnansweredProof extends StoredProof {
  /** Whether it was requested so long ago that it ends without a result. */
  isLate: boolean;
}

/** Finds running proofs whose job was queued a while ago. */
export async function findUnansweredProofs(em: EntityManager): Promise<UnansweredProof[]> {
  return await em.execute(
    `select ${COLUMNS}, requested_at < now() - interval '1 hour' as "isLate"
     from runs.proof where result is null and dispatched_at < ${QUEUED_BEFORE}`,
  );
}

/** Takes a lost proof to queue it again. @returns whether this caller took it */
export async function takeLostProof(
  em: EntityManager,
  { screenshotId, dispatches }: Pick<StoredProof, "screenshotId" | "dispatches">,
): Promise<boolean> {
  const rows: object[] = await em.execute(
    `update runs.proof set dispatches = dispatches + 1, dispatched_at = now()
     where screenshot_id = ? and dispatches = ? and result is null returning screenshot_id`,
    [screenshotId, dispatches],
  );
  return rows.length === 1;
}
