import type { EntityManager } from "../../../mixins/database.ts";
import type { Region } from "../../../shared/compare/comparison.ts";
import type { Explanation } from "../../../shared/contracts/runs/explanation.ts";
import { jsonOf } from "../capture/result.store.ts";

/** A comparison of two images, as it is stored. */
export interface StoredPair {
  id: string;
  diffPixels: number | null;
  faintPixels: number;
  diffRatio: number | null;
  regions: Region[];
  maskHash: string | null;
  fingerprint: string | null;
  explanation: Explanation | null;
  /** Null until it is compared. */
  comparedAt: Date | null;
  error: string | null;
}

/** Days after which an unread result is deleted. */
const KEPT_DAYS = 7;
/** A comparison without a result after this time doesn't count as open: its job may be lost, and no reader asks for it. */
const OPEN_MINUTES = 10;
/** A failed comparison is tried again after this time, because the cause may be gone. */
const RETRY_FAILED_MINUTES = 10;

const FIELDS = `id, diff_pixels as "diffPixels", faint_pixels as "faintPixels", diff_ratio as "diffRatio", regions, mask_hash as "maskHash", fingerprint,
  explanation, compared_at as "comparedAt", error`;

/** Finds a team's comparisons by their ids, and keeps them from being deleted. */
export async function findPairs(
  em: EntityManager,
  teamId: string,
  ids: readonly string[],
): Promise<Map<string, StoredPair>> {
  if (ids.length === 0) return new Map();
  const wanted = JSON.stringify(ids);
  await em.execute(
    `update runs.pair set read_at = now() where team_id = ? and read_at < now() - interval '1 day'
       and id in (select jsonb_array_elements_text(?::jsonb))`,
    [teamId, wanted],
  );
  const rows: StoredPair[] = await em.execute(
    `select ${FIELDS} from runs.pair where team_id = ? and id in (select jsonb_array_elements_text(?::jsonb))`,
    [teamId, wanted],
  );
  return new Map(rows.map(row => [row.id, row]));
}

/** Counts a team's comparisons that were queued lately and have no result yet. */
export async function countOpenPairs(em: EntityManager, teamId: string): Promise<number> {
  const [row]: { open: number }[] = await em.execute(
    `select count(*)::int as open from runs.pair
     where team_id = ? and compared_at is null and failed_at is null
       and dispatched_at > now() - make_interval(mins => ${OPEN_MINUTES})`,
    [teamId],
  );
  return row?.open ?? 0;
}

/** Two images to compare. */
export interface NewPair {
  id: string;
  baseHash: string;
  headHash: string;
}

/**
 * Inserts comparisons, and reopens those that failed a while ago. @returns the ids that this call opened, with their
 * attempt, and that no other node got
 */
export async function openPairs(
  em: EntityManager,
  teamId: string,
  pairs: NewPair[],
): Promise<Map<string, number>> {
  if (pairs.length === 0) return new Map();
  // Sorted, so that two writers lock rows in the same order.
  const sorted = pairs.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const rows: { id: string; dispatches: number }[] = await em.execute(
    `insert into runs.pair as p (team_id, id, base_hash, head_hash)
     select ?, v.id, v."baseHash", v."headHash"
     from jsonb_to_recordset(?::jsonb) as v (id text, "baseHash" text, "headHash" text)
     on conflict (team_id, id) do update set failed_at = null, error = null, dispatched_at = now(),
       dispatches = p.dispatches + 1
       where p.failed_at < now() - make_interval(mins => ${RETRY_FAILED_MINUTES})
     returning id, dispatches`,
    [teamId, JSON.stringify(sorted)],
  );
  return new Map(rows.map(({ id, dispatches }) => [id, dispatches]));
}

/**
 * Takes over comparisons whose jobs may be lost: queued a while ago, without a result. @returns the ids that this call
 * took over, with their attempt
 */
export async function takeOverPairs(
  em: EntityManager,
  teamId: string,
  ids: readonly string[],
  seconds: number,
): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const rows: { id: string; dispatches: number }[] = await em.execute(
    `update runs.pair set dispatched_at = now(), dispatches = dispatches + 1
     where team_id = ? and id in (select jsonb_array_elements_text(?::jsonb))
       and compared_at is null and failed_at is null and dispatched_at < now() - make_interval(secs => ?)
     returning id, dispatches`,
    [teamId, JSON.stringify(ids), seconds],
  );
  return new Map(rows.map(({ id, dispatches }) => [id, dispatches]));
}

/** The result of a comparison. */
export interface PairResult {
  teamId: string;
  id: string;
  baseHash: string;
  headHash: string;
  diffPixels: number;
  diffRatio: number;
  faintPixels: number;
  regions: object[];
  maskHash: string | null;
  fingerprint: string | null;
  explanation: Explanation | null;
}

/** Records results, each once. */
export async function recordPairs(em: EntityManager, results: PairResult[]): Promise<void> {
  if (results.length === 0) return;
  await em.execute(
    `update runs.pair p set diff_pixels = v."diffPixels", diff_ratio = v."diffRatio",
       faint_pixels = v."faintPixels", regions = v.regions, mask_hash = v."maskHash", fingerprint = v.fingerprint, explanation = v.explanation, compared_at = now(),
       failed_at = null, error = null
     from jsonb_to_recordset(?::jsonb) as v ("teamId" text, id text, "baseHash" text, "headHash" text,
       "diffPixels" int, "diffRatio" double precision, "faintPixels" int, regions jsonb, "maskHash" text,
       fingerprint text, explanation jsonb)
     where p.team_id = v."teamId" and p.id = v.id and p.base_hash = v."baseHash" and p.head_hash = v."headHash"
       and p.compared_at is null`,
    [jsonOf(results)],
  );
}

/** Records that comparisons failed, each only if it has no result. */
export async function recordFailedPairs(
  em: EntityManager,
  failures: { teamId: string; id: string; error: string }[],
): Promise<void> {
  if (failures.length === 0) return;
  await em.execute(
    `update runs.pair p set failed_at = now(), error = v.error
     from jsonb_to_recordset(?::jsonb) as v ("teamId" text, id text, error text)
     where p.team_id = v."teamId" and p.id = v.id and p.compared_at is null and p.failed_at is null`,
    [jsonOf(failures)],
  );
}

/** Deletes comparisons without a reader for a week, or all of a team. @returns the number of deleted ones */
export async function deletePairs(
  em: EntityManager,
  teamId: string,
  limit: number,
  days = KEPT_DAYS,
): Promise<number> {
  const rows: object[] = await em.execute(
    `delete from runs.pair where team_id = ? and id in (
       select id from runs.pair where team_id = ? and read_at <= now() - make_interval(days => ?) limit ?)
     returning id`,
    [teamId, teamId, days, limit],
  );
  return rows.length;
}
