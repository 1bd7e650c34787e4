import type { EntityManager } from "../../../mixins/database.ts";
import type { Actor } from "../../../shared/contracts/teams/caller.ts";
import { newId } from "../../../shared/ids.ts";
import type { Run } from "../run.entity.ts";
import type { Screenshot } from "../screenshot.entity.ts";
import type { ReviewEntry } from "./review-state.rule.ts";

/** What a reviewer said of one screenshot. Rows are only added: what is said next does not change what was. */
export interface Review extends ReviewEntry {
  screenshotId: string;
  by: Actor;
  reason: string | null;
  /** Whether the change is rejected as a false alarm. */
  noise: boolean;
  at: Date;
}

/** Every review of these screenshots, the first at first. */
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

/** Writes down the same of each of these screenshots. */
export async function insertReviews(
  em: EntityManager,
  run: Pick<Run, "id" | "teamId" | "projectId" | "scope">,
  screenshots: Screenshot[],
  entry: ReviewEntry & { by: Actor; reason: string | null; noise: boolean },
): Promise<void> {
  if (screenshots.length === 0) return;
  const rows = screenshots.map(({ id, route, viewport, hash, fingerprint }) => ({
    ...{ id: newId("rev"), screenshotId: id },
    ...{ route, viewport, hash, fingerprint },
  }));
  await em.execute(
    `insert into runs.review (id, team_id, run_id, screenshot_id, project_id, scope, route, viewport, hash, fingerprint,
       verdict, reviewer_kind, reviewer_id, reviewer_name, counts_as, dismisses, reason, noise)
     select v.id, ?, ?, v."screenshotId", ?, ?, v.route, v.viewport, v.hash, v.fingerprint, ?, ?, ?, ?, ?, ?, ?, ?
     from jsonb_to_recordset(?::jsonb) as v (
       id text, "screenshotId" text, route text, viewport int, hash text, fingerprint text)`,
    [
      ...[run.teamId, run.id, run.projectId, run.scope],
      ...[entry.verdict, entry.by.kind, entry.by.id, entry.by.name, entry.countsAs, entry.dismisses],
      ...[entry.reason, entry.noise],
      JSON.stringify(rows),
    ],
  );
}

/** Those of a run's screenshots that show what somebody rejects, in this run or another of its scope; by id. */
export async function findRejected(
  em: EntityManager,
  { projectId, scope }: Pick<Run, "projectId" | "scope">,
  screenshots: Screenshot[],
): Promise<Set<string>> {
  const change = {
    ...{ projectId: 'v."projectId"', scope: "v.scope", route: "v.route", viewport: "v.viewport" },
    ...{ hash: "v.hash", fingerprint: "v.fingerprint" },
  };
  const values = screenshots.map(({ id, route, viewport, hash, fingerprint }) => ({
    ...{ id, projectId, scope },
    ...{ route, viewport, hash, fingerprint },
  }));
  const rows: { id: string }[] = await em.execute(
    `select v.id from jsonb_to_recordset(?::jsonb) as v (
       id text, "projectId" text, scope text, route text, viewport int, hash text, fingerprint text)
     where ${isRejected(change)}`,
    [JSON.stringify(values)],
  );
  return new Set(rows.map(row => row.id));
}

/**
 * SQL that says whether somebody rejects a change: its very pixels or its fingerprint, wherever in its scope she saw
 * it. She does no more once that was dismissed, or once she has approved the same change herself.
 * @param change SQL of where the change is, and what it is
 */
export function isRejected(
  change: Record<"projectId" | "scope" | "route" | "viewport" | "hash" | "fingerprint", string>,
): string {
  const samePage = (review: string) =>
    `${review}.project_id = ${change.projectId} and ${review}.scope = ${change.scope}
       and ${review}.route = ${change.route} and ${review}.viewport = ${change.viewport}`;
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
