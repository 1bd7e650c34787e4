import type { EntityManager } from "../../../mixins/database.ts";
import type { RunCause } from "../../../shared/contracts/runs/explanation.ts";
import { isSamePage, pageColumns } from "../page-columns.ts";

/** Hashes of the capsules of a screenshot and of its baseline. */
export interface CapsulePair {
  baseline: string;
  current: string;
}

const MAX_RUN_CAUSES = 10;

/** Records the capsules of captured screenshots. The latest capsule of a page's image counts. */
export async function recordCapsules(
  em: EntityManager,
  capsules: { screenshotId: string; hash: string; capsuleHash: string }[],
): Promise<void> {
  if (capsules.length === 0) return;
  // Sorted, so that two writers lock rows in the same order.
  const sorted = capsules.toSorted((a, b) => (a.screenshotId < b.screenshotId ? -1 : 1));
  await em.execute(
    `insert into runs.capsule (project_id, ${pageColumns()}, image_hash, capsule_hash)
     select distinct on (r.project_id, ${pageColumns("s")}, s.hash) r.project_id, ${pageColumns("s")}, s.hash, v."capsuleHash"
     from jsonb_to_recordset(?::jsonb) as v ("screenshotId" text, hash text, "capsuleHash" text)
     join runs.screenshot s on s.id = v."screenshotId" and s.hash = v.hash join runs.run r on r.id = s.run_id
     on conflict (project_id, ${pageColumns()}, image_hash) do update set capsule_hash = excluded.capsule_hash`,
    [JSON.stringify(sorted)],
  );
}

/** Finds the capsules of screenshots and of their baselines, where both exist, by the screenshot's id. */
export async function findCapsulePairs(em: EntityManager, ids: string[]): Promise<Map<string, CapsulePair>> {
  if (ids.length === 0) return new Map();
  const rows: ({ id: string } & CapsulePair)[] = await em.execute(
    `select s.id, b.capsule_hash as baseline, c.capsule_hash as current
     from jsonb_array_elements_text(?::jsonb) as v (id)
     join runs.screenshot s on s.id = v.id join runs.run r on r.id = s.run_id
     join runs.capsule c on c.project_id = r.project_id and ${isSamePage("c", "s")} and c.image_hash = s.hash
     join runs.capsule b on b.project_id = r.project_id and ${isSamePage("b", "s")} and b.image_hash = s.baseline_hash`,
    [JSON.stringify(ids)],
  );
  return new Map(rows.map(({ id, baseline, current }) => [id, { baseline, current }]));
}

/** Finds the capsules of screenshots' baselines, by the screenshot's id. */
export async function findExplainable(em: EntityManager, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows: { id: string; hash: string }[] = await em.execute(
    `select s.id, b.capsule_hash as hash from jsonb_array_elements_text(?::jsonb) as v (id)
     join runs.screenshot s on s.id = v.id join runs.run r on r.id = s.run_id
     join runs.capsule b on b.project_id = r.project_id and ${isSamePage("b", "s")} and b.image_hash = s.baseline_hash`,
    [JSON.stringify(ids)],
  );
  return new Map(rows.map(({ id, hash }) => [id, hash]));
}

/** Deletes capsules whose files are about to be deleted. */
export async function deleteCapsules(em: EntityManager, hashes: string[]): Promise<void> {
  if (hashes.length > 0) await em.execute("delete from runs.capsule where capsule_hash in (?)", [hashes]);
}

/** Counts the causes of a run's changed screenshots, most frequent first. */
export function countCauses(em: EntityManager, runId: string): Promise<RunCause[]> {
  return em.execute(
    `select c.cause ->> 'key' as key, min(c.cause ->> 'kind') as kind, min(c.cause ->> 'text') as text,
       count(distinct s.id)::int as screenshots
     from runs.screenshot s, jsonb_array_elements(s.explanation -> 'causes') with ordinality as c (cause, rank)
     where s.run_id = ? and s.status = 'changed'
     group by 1 order by screenshots desc, min(c.rank), 1 limit ${MAX_RUN_CAUSES}`,
    [runId],
  );
}
