import { isSamePage } from "../page-columns.ts";

/** Whether a screenshot `s` is undecided. */
export const IS_OPEN =
  "s.status in ('changed', 'new', 'removed') and (s.review is null or s.review = 'pending')";

/**
 * Returns SQL that tells whether a run needs review: it is completed with undecided screenshots, also after a rejection,
 * and no newer run replaces it.
 */
export function needsReview(run: string): string {
  return `(${run}.status = 'completed' and ${run}.conclusion in ('changed', 'new', 'rejected')
    and exists (select from runs.screenshot s where s.run_id = ${run}.id and ${IS_OPEN})
    and not exists (select from runs.run newer where newer.project_id = ${run}.project_id
      and newer.scope = ${run}.scope and newer.kind = 'run' and newer.status not in ('failed', 'canceled')
      and newer.id > ${run}.id and ${replaces("newer", run)}))`;
}

/**
 * Returns SQL that tells whether a run replaces an earlier one of its scope. It does if it has all pages of the same
 * kind, or all undecided pages of the earlier run. A project can have routes, stories and uploads, and runs of one kind
 * know nothing about the pages of the others.
 */
export function replaces(run: string, earlier: string): string {
  return `(${run}.source = ${earlier}.source and ${hasStories(run)} = ${hasStories(earlier)} and ${isWhole(run)}
    or not exists (select from runs.screenshot s where s.run_id = ${earlier}.id and ${IS_OPEN}
      and not exists (select from runs.screenshot same where same.run_id = ${run}.id
        and ${isSamePage("same", "s")})))`;
}

function hasStories(run: string): string {
  return `exists (select from runs.storybook b where b.run_id = ${run}.id)`;
}

/** Returns SQL that tells whether pages that a run doesn't have count as removed. */
function isWhole(run: string): string {
  return `${run}.submitted ->> 'partial' is distinct from 'true'
    and not exists (select from runs.build b where b.run_id = ${run}.id and b.subset)
    and not exists (select from runs.storybook b where b.run_id = ${run}.id
      and b.compared_with ->> 'partial' = 'true')`;
}
