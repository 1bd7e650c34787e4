import { z } from "zod";
import type { ScreenshotKey } from "../../../shared/contracts/capture/screenshot-key.ts";
import type {
  BaselineHistory,
  BaselineList,
  ListBaselinesQuery,
  PageHistoryQuery,
  ScreenshotHistory,
} from "../../../shared/contracts/runs/baselines.ts";
import type { ListProjectsQuery, ProjectList } from "../../../shared/contracts/runs/projects.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { parseJson } from "../../../shared/json.ts";
import { decodeCursor, invalidCursor, pageOf } from "../../../shared/pagination.ts";
import { branchScope, prScope } from "../baselines/scope.rule.ts";
import { pageValues } from "../page-columns.ts";
import type { RunsContext } from "../runs-context.ts";
import {
  listAppearances,
  listApprovals,
  listCurrentBaselines,
  listProjects as listStoredProjects,
} from "./history.store.ts";
import { entryOfAppearance, entryOfBaseline, viewOfBaseline, viewOfProject } from "./present-baseline.ts";

/** A 64-bit number. */
const SEQ = /^\d{1,18}$/;

/** Lists a project's current baselines by page. @throws ServiceError for an invalid cursor */
export async function listBaselines(
  { em, links }: RunsContext,
  { teamId }: Caller,
  { cursor, limit, branch, pr, ...filter }: ListBaselinesQuery,
): Promise<BaselineList> {
  const scope = scopeOfQuery({ branch, pr });
  const after = decodePageCursor(cursor);
  const rows = await listCurrentBaselines(em(), teamId, { ...filter, scope }, { limit, after });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    data: page.map(row => viewOfBaseline(row, teamId, links)),
    nextCursor: rows.length > limit && last ? encodePageCursor(last) : null,
  };
}

/** Lists the approvals of a page, latest first. @throws ServiceError for an invalid cursor */
export async function listBaselineHistory(
  { em, links }: RunsContext,
  { teamId }: Caller,
  { cursor, limit, branch, pr, ...page }: PageHistoryQuery,
): Promise<BaselineHistory> {
  const filter = { ...page, scope: scopeOfQuery({ branch, pr }) };
  const rows = await listApprovals(em(), teamId, filter, {
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

/** Lists a page in the runs that had it, newest first. @throws ServiceError for an invalid cursor */
export async function listScreenshotHistory(
  { em, links }: RunsContext,
  { teamId }: Caller,
  { cursor, limit, branch, pr, ...page }: PageHistoryQuery,
): Promise<ScreenshotHistory> {
  const filter = { ...page, scope: scopeOfQuery({ branch, pr }) };
  const rows = await listAppearances(em(), teamId, filter, {
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

/** Lists the team's projects, newest first. @throws ServiceError for an invalid cursor */
export async function listProjects(
  { em }: RunsContext,
  { teamId }: Caller,
  query: ListProjectsQuery,
): Promise<ProjectList> {
  const rows = await listStoredProjects(em(), teamId, query, decodeCursor("projects", query.cursor));
  return pageOf("projects", rows, query.limit, viewOfProject);
}

function scopeOfQuery({ branch, pr }: Pick<PageHistoryQuery, "branch" | "pr">): string | null {
  if (pr !== undefined) return prScope(pr);
  return branch === undefined ? null : branchScope(branch);
}

/** Cursors of earlier versions have no state and environment. */
const place = z.union([
  z.tuple([z.string(), z.string(), z.string(), z.int()]),
  z.tuple([z.string(), z.int()]).transform(([route, viewport]) => [route, "", "", viewport] as const),
]);

/** Decodes the page after which a list by page continues. @throws ServiceError for an invalid cursor */
function decodePageCursor(cursor: string | undefined): ScreenshotKey | null {
  if (cursor === undefined) return null;
  const { success, data } = place.safeParse(parseJson(Buffer.from(cursor, "base64url").toString("utf8")));
  if (!success) throw invalidCursor();
  const [route, state, environment, viewport] = data;
  // No name has these characters, and PostgreSQL can't store them as text.
  if ([route, state, environment].some(name => name.includes("\0") || !name.isWellFormed()))
    throw invalidCursor();
  return { route, state: state || null, environment: environment || null, viewport };
}

/** Encodes the cursor of the rows after this page. */
function encodePageCursor(page: ScreenshotKey): string {
  return Buffer.from(JSON.stringify(pageValues(page))).toString("base64url");
}
