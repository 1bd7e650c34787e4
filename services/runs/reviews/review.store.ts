import type { EntityManager } from "../../../mixins/database.ts";
import type { Actor } from "../../../shared/contracts/teams/caller.ts";
import { newId } from "../../../shared/ids.ts";
import { isSamePage, PAGE_RECORD, pageColumns, pageRowOf } from "../page-columns.ts";
import type { Run } from "../run.entity.ts";
import type { Screenshot } from "../screenshot.entity.ts";
import type { ReviewEntry } from "./review-state.rule.ts";

/** A review of one screenshot. Rows are only added: a later review doesn't change an earlier one. */
export interface Review extends ReviewEntry {
  screenshotId: string;
  by: Actor;
  reason: string | null;
  /** Whether the change is rejected as a false alarm. */
  noise: boolean;
  at: Date;
}

/** Finds all reviews of these screenshots, oldest first. */
export async function findReviews(
  em: EntityManager,
  screenshotIds: string[],
): Promise<Map<string, Review[]>> {
  if (screenshotIds.length === 0) return new Map();
  const rows: Review[] = await em.execute(
    `select r.screenshot_id as "screenshotId", r.verdict, r.counts_as as "countsAs", r.dismisses, r.reason, r.noise, r.at,
       json_build_object('kind', r.reviewer_kind, 'id', r.reviewer_id, 'name', r.reviewer_name) as by
     from jsonb_array_elements_text(?::jsonb) as v (id) join runs.review r on r.screenshot_id = v.id
     order by r.seq`,
    [JSON.stringify(screenshotIds)],
  );
  return Map.groupBy(rows, row => row.screenshotId);
}

/** Adds the same review to each of these screenshots. */
export async function insertReviews(
  em: EntityManager,
  run: Pick<Run, "id" | "teamId" | "projectId" | "scope">,
  screenshots: Screenshot[],
  entry: ReviewEntry & { by: Actor; reason: string | null; noise: boolean },
): Promise<void> {
  if (screenshots.length === 0) return;
  const rows = screenshots.map(screenshot => ({
    ...{ id: newId("rev"), screenshotId: screenshot.id },
    ...changeOf(screenshot),
  }));
  await em.execute(
    `insert into runs.review (id, team_id, run_id, screenshot_id, project_id, scope, ${pageColumns()}, hash, fingerprint,
       verdict, reviewer_kind, reviewer_id, reviewer_name, counts_as, dismisses, reason, noise)
     select v.id, ?, ?, v."screenshotId", ?, ?, ${pageColumns("v")}, v.hash, v.fingerprint, ?, ?, ?, ?, ?, ?, ?, ?
     from jsonb_to_recordset(?::jsonb) as v (
       id text, "screenshotId" text, ${PAGE_RECORD}, hash text, fingerprint text)`,
    [
      ...[run.teamId, run.id, run.projectId, run.scope],
      ...[entry.verdict, entry.by.kind, entry.by.id, entry.by.name, entry.countsAs, entry.dismisses],
      ...[entry.reason, entry.noise],
      JSON.stringify(rows),
    ],
  );
}

/**
 * Finds the screenshots whose change a reviewer rejects, in this run or another one of its scope. @returns their ids
 */
export async function findRejected(
  em: EntityManager,
  { projectId, scope }: Pick<Run, "projectId" | "scope">,
  screenshots: Screenshot[],
): Promise<Set<string>> {
  const change = {
    ...{ projectId: 'v."projectId"', scope: "v.scope", page: "v" },
    ...{ hash: "v.hash", fingerprint: "v.fingerprint" },
  };
  const values = screenshots.map(screenshot => ({
    ...{ id: screenshot.id, projectId, scope },
    ...changeOf(screenshot),
  }));
  const rows: { id: string }[] = await em.execute(
    `select v.id from jsonb_to_recordset(?::jsonb) as v (
       id text, "projectId" text, scope text, ${PAGE_RECORD}, hash text, fingerprint text)
     where ${isRejected(change)}`,
    [JSON.stringify(values)],
  );
  return new Set(rows.map(row => row.id));
}

/**
 * Returns SQL that tells whether a reviewer rejects a change: the same pixels or the same fingerprint, anywhere in its
 * scope.
 * A rejection ends when it is dismissed, or when its reviewer approves the same change later.
 * @param change SQL of the change's project, scope, pixels, and fingerprint, and of a row with its page
 */
export function isRejected(
  change: Record<"projectId" | "scope" | "page" | "hash" | "fingerprint", string>,
): string {
  const samePage = (review: string) =>
    `${review}.project_id = ${change.projectId} and ${review}.scope = ${change.scope}
       and ${isSamePage(review, change.page)}`;
  return `exists (
    select from runs.review rejection where ${samePage("rejection")} and rejection.verdict = 'rejected'
      and (rejection.hash = ${change.hash} or rejection.fingerprint = ${change.fingerprint})
      and not exists (
        select from runs.review later where ${samePage("later")} and later.seq > rejection.seq
          and ((later.verdict = 'dismissed' and later.screenshot_id = rejection.screenshot_id
              and coalesce(later.dismisses, rejection.counts_as) = rejection.counts_as)
            or (later.verdict = 'approved' and later.counts_as = rejection.counts_as
              and (later.hash = rejection.hash or later.fingerprint = rejection.fingerprint)))))`;
}

function changeOf(screenshot: Screenshot): object {
  const { hash, fingerprint } = screenshot;
  return { ...pageRowOf(screenshot), hash, fingerprint };
}
