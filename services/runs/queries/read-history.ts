import type {
  BaselineHistory,
  BaselineList,
  ListBaselinesQuery,
  ListProjectsQuery,
  PlaceQuery,
  ProjectList,
  ScreenshotHistory,
} from "../../../shared/contracts/runs/baselines.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { decodeCursor, pageOf } from "../../../shared/pagination.ts";
import { branchScope, prScope } from "../baselines/scope.rule.ts";
import type { RunsContext } from "../runs-context.ts";
import { cursorOf, placeIn } from "./baseline-cursor.ts";
import {
  listAppearances,
  listApprovals,
  listInForce,
  listProjects as listStoredProjects,
} from "./history.store.ts";
import { entryOfAppearance, entryOfBaseline, viewOfBaseline, viewOfProject } from "./present-baseline.ts";

/** Of 64 bits. */
const SEQ = /^\d{1,18}$/;

/** A project's baselines in force, by route and width. @throws ServiceError for a cursor that is none */
export async function listBaselines(
  { em, links }: RunsContext,
  { teamId }: Caller,
  { cursor, limit, branch, pr, ...filter }: ListBaselinesQuery,
): Promise<BaselineList> {
  const scope = scopeMeant({ branch, pr });
  const after = placeIn(cursor);
  const rows = await listInForce(em(), teamId, { ...filter, scope }, { limit, after });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    data: page.map(row => viewOfBaseline(row, teamId, links)),
    nextCursor: rows.length > limit && last ? cursorOf(last) : null,
  };
}

/** The approvals of a page at one width, the latest first. @throws ServiceError for a cursor that is none */
export async function listBaselineHistory(
  { em, links }: RunsContext,
  { teamId }: Caller,
  { cursor, limit, branch, pr, ...page }: PlaceQuery,
): Promise<BaselineHistory> {
  const place = { ...page, scope: scopeMeant({ branch, pr }) };
  const rows = await listApprovals(em(), teamId, place, {
    limit,
    before: decodeCursor("baseline-history", cursor, SEQ),
  });
  return pageOf(
    "baseline-history",
    rows.map(row => ({ id: row.seq, row })),
    limit,
    ({ row }) => entryOfBaseline(row, teamId, links),
  );
}

/** A page at one width in the runs that had it, the newest first. @throws ServiceError for a cursor that is none */
export async function listScreenshotHistory(
  { em, links }: RunsContext,
  { teamId }: Caller,
  { cursor, limit, branch, pr, ...page }: PlaceQuery,
): Promise<ScreenshotHistory> {
  const place = { ...page, scope: scopeMeant({ branch, pr }) };
  const rows = await listAppearances(em(), teamId, place, {
    limit,
    before: decodeCursor("screenshot-history", cursor),
  });
  return pageOf(
    "screenshot-history",
    rows.map(row => ({ id: row.runId, row })),
    limit,
    ({ row }) => entryOfAppearance(row, teamId, links),
  );
}

/** The team's projects, the newest first. @throws ServiceError for a cursor that is none */
export async function listProjects(
  { em }: RunsContext,
  { teamId }: Caller,
  query: ListProjectsQuery,
): Promise<ProjectList> {
  const rows = await listStoredProjects(em(), teamId, query, decodeCursor("projects", query.cursor));
  return pageOf("projects", rows, query.limit, viewOfProject);
}

function scopeMeant({ branch, pr }: Pick<PlaceQuery, "branch" | "pr">): string | null {
  if (pr !== undefined) return prScope(pr);
  return branch === undefined ? null : branchScope(branch);
}
