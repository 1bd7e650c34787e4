import type { EntityManager } from "../../../mixins/database.ts";
import type { ScreenshotKey } from "../../../shared/contracts/capture/screenshot-key.ts";
import { isSamePage, PAGE_RECORD, pageColumns, pageRowOf } from "../page-columns.ts";
import { isRejected } from "../reviews/review.store.ts";
import { type Baseline, BaselineEntity } from "./baseline.entity.ts";

/** Finds the latest approvals of a project in these scopes: one per scope and page. */
export async function findLatestBaselines(
  em: EntityManager,
  projectId: string,
  scopes: string[],
): Promise<Baseline[]> {
  const rows: { id: string }[] = await em.execute(
    `select distinct on (scope, ${pageColumns()}) id from runs.baseline
     where project_id = ? and scope in (?)
     order by scope, ${pageColumns()}, seq desc`,
    [projectId, [...new Set(scopes)]],
  );
  return em.find(BaselineEntity, { id: { $in: rows.map(row => row.id) } });
}

/** A captured screenshot, as the key to approvals of the same pixels. */
export interface CapturedPixels extends ScreenshotKey {
  screenshotId: string;
  projectId: string;
  scope: string;
  hash: string;
}

/**
 * Finds approvals of exactly these pixels in the run's own scope, by screenshot. Leaves out pixels that a reviewer
 * rejects.
 */
export async function findApprovalsOfPixels(
  em: EntityManager,
  captured: CapturedPixels[],
): Promise<Map<string, Baseline>> {
  if (captured.length === 0) return new Map();
  const change = {
    ...{ projectId: 'v."projectId"', scope: "v.scope", page: "v" },
    ...{ hash: "v.hash", fingerprint: "b.fingerprint" },
  };
  const rows: { screenshotId: string; id: string }[] = await em.execute(
    `select distinct on (v."screenshotId") v."screenshotId", b.id
     from jsonb_to_recordset(?::jsonb) as v (
       "screenshotId" text, "projectId" text, scope text, ${PAGE_RECORD}, hash text)
     join runs.baseline b on b.project_id = v."projectId" and b.scope = v.scope
       and ${isSamePage("b", "v")} and b.hash = v.hash
     where not ${isRejected(change)}
     order by v."screenshotId", b.seq desc`,
    [JSON.stringify(captured.map(each => ({ ...each, ...pageRowOf(each) })))],
  );
  const baselines = await em.find(BaselineEntity, { id: { $in: rows.map(row => row.id) } });
  const byId = new Map(baselines.map(baseline => [baseline.id, baseline]));
  return new Map(
    rows.flatMap(row => {
      const baseline = byId.get(row.id);
      return baseline ? [[row.screenshotId, baseline] as const] : [];
    }),
  );
}

/** The commit where a branch was forked, and the commits that the base branch has gained since. Null if unknown. */
export interface LeftAt {
  sha: string;
  missing: string[] | null;
}

/**
 * Finds a branch's baselines as of an earlier commit, one per page.
 * If the commits since then are known, these are the latest approvals of all other commits. Approvals without a commit
 * count if they precede every approval of the newer commits.
 * If they are unknown, these are the latest approvals up to the last one of that commit.
 * @returns null if the approvals of that time can't be told from later ones
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
     select distinct on (${pageColumns()}) id from runs.baseline
     where project_id = ? and scope = ?
       and case when sha is null or ? then seq <= coalesce(?::bigint, seq)
         else sha not in (select sha from missing) end
     order by ${pageColumns()}, seq desc`,
    [JSON.stringify(missing ?? []), projectId, scope, missing === null, cut],
  );
  return em.find(BaselineEntity, { id: { $in: rows.map(row => row.id) } });
}

/** Returns the position of the last approval that still counts, in order of approval. */
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
