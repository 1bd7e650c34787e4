import type { EntityManager } from "../../../mixins/database.ts";

/** A decision on screenshots of a run. */
export interface Decision {
  by: string;
  reason: string | null;
}

/** Finds the reviews with this verdict, latest first. */
export function findDecisions(em: EntityManager, runId: string, verdict: string): Promise<Decision[]> {
  return em.execute(
    `select reviewer_name as by, reason from runs.review where run_id = ? and verdict = ? order by seq desc limit 200`,
    [runId, verdict],
  );
}

/** A page of a run, for a digest. */
export interface DigestPage {
  id: string;
  route: string;
  state: string;
  environment: string;
  viewport: number;
  diffRatio: number | null;
  hash: string | null;
  baselineHash: string | null;
  maskHash: string | null;
}

/** Finds the changed screenshots with the largest changes. */
export function findLargestChanges(em: EntityManager, runId: string, limit: number): Promise<DigestPage[]> {
  return em.execute(
    `select id, route, state, environment, viewport, diff_ratio as "diffRatio", hash,
       baseline_hash as "baselineHash", mask_hash as "maskHash"
     from runs.screenshot where run_id = ? and status in ('changed', 'new', 'removed')
     order by diff_ratio desc nulls last, id limit ?`,
    [runId, limit],
  );
}

/** A comment with its page. */
export interface CommentOnPage {
  id: string;
  by: string;
  text: string;
  screenshotId: string | null;
  route: string | null;
  state: string | null;
  environment: string | null;
  viewport: number | null;
}

/** Of a comment. A digest shows less, and hundreds of long comments are more than a message on the bus holds. */
const COMMENT_CHARS = 1_000;

/** Finds these comments of a run, oldest first. Long texts are cut. */
export function findCommentsOf(em: EntityManager, runId: string, ids: string[]): Promise<CommentOnPage[]> {
  return em.execute(
    `select c.id, c.author_name as by, left(c.text, ${COMMENT_CHARS}) as text, c.screenshot_id as "screenshotId",
       s.route, s.state, s.environment, s.viewport
     from runs.comment c left join runs.screenshot s on s.id = c.screenshot_id
     where c.run_id = ? and c.id in (select jsonb_array_elements_text(?::jsonb)) order by c.id`,
    [runId, JSON.stringify(ids)],
  );
}
