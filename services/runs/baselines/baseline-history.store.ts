import type { EntityManager } from "../../../mixins/database.ts";
import { type Baseline, BaselineEntity } from "./baseline.entity.ts";

/** Where a branch was left: that commit, and every commit of the branch since, where somebody counted them. */
export interface LeftAt {
  sha: string;
  missing: string[] | null;
}

/**
 * A branch's baselines as they stood at a commit of its past, one for each route and viewport. With the commits since
 * then, it is the latest approval of all others; what was approved of no known commit counts if it was before anything
 * was of those. Without them, it is the latest approval until the last that is of that very commit.
 * @returns null where nothing tells what was approved then from what was approved later
 */
export async function findBaselinesAt(
  em: EntityManager,
  projectId: string,
  scope: string,
  { sha, missing }: LeftAt,
): Promise<Baseline[] | null> {
  const cut = await findCut(em, projectId, scope, { sha, missing });
  if (missing === null && cut === null) return null;
  const rows: { id: string }[] = await em.execute(
    `with missing as materialized (select jsonb_array_elements_text(?::jsonb) as sha)
     select distinct on (route, viewport) id from runs.baseline
     where project_id = ? and scope = ?
       and case when sha is null or ? then seq <= coalesce(?::bigint, seq)
         else sha not in (select sha from missing) end
     order by route, viewport, seq desc`,
    [JSON.stringify(missing ?? []), projectId, scope, missing === null, cut],
  );
  return em.find(BaselineEntity, { id: { $in: rows.map(row => row.id) } });
}

/** The last approval that was before, by the order of approval. */
async function findCut(
  em: EntityManager,
  projectId: string,
  scope: string,
  { sha, missing }: LeftAt,
): Promise<string | null> {
  const rows: { cut: string | null }[] = await em.execute(
    `select ${missing === null ? "max(seq)" : "min(seq) - 1"} as cut from runs.baseline
     where project_id = ? and scope = ? and sha in (select jsonb_array_elements_text(?::jsonb))`,
    [projectId, scope, JSON.stringify(missing ?? [sha])],
  );
  return rows[0]?.cut ?? null;
}
