import type { EntityManager } from "../../../mixins/database.ts";
import { countFitting } from "../../../shared/broker/message-size.ts";
import type { UploadedAttachment } from "../../../shared/contracts/builds/attachments.ts";
import { type Diagnostics, isQuiet } from "../../../shared/contracts/capture/diagnostics.ts";
import type { ReportPage } from "../../../shared/contracts/runs/run-outcomes.ts";
import { isEnded } from "../../../shared/contracts/runs/run-outcomes.ts";
import type { ListRunsQuery, RunList, RunView } from "../../../shared/contracts/runs/runs.ts";
import type { ListScreenshotsQuery, ScreenshotList } from "../../../shared/contracts/runs/screenshots.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { notFound } from "../../../shared/errors.ts";
import { decodeCursor, pageOf } from "../../../shared/pagination.ts";
import { findAttachments } from "../attachments/attachment.store.ts";
import { maySeeRun } from "../builds/upload-keys.rule.ts";
import { NO_TALLY } from "../capture/conclude.rule.ts";
import { deadLink, requireOpenLink } from "../links/read-link-rules.ts";
import { findProofs, type StoredProof } from "../proofs/proof.store.ts";
import { findReviews, type Review } from "../reviews/review.store.ts";
import type { Run } from "../run.entity.ts";
import { findRun, findRunOfAnyTeam, tallyRuns } from "../run.store.ts";
import type { RunsContext } from "../runs-context.ts";
import type { Screenshot } from "../screenshot.entity.ts";
import { findBaselineDiagnostics, listScreenshots as listStoredScreenshots } from "../screenshot.store.ts";
import { RUN_WARNINGS } from "../texts/runs.ts";
import { listByNeed } from "./list-by-need.ts";
import { viewOfRun, warningsOfRun } from "./present-run.ts";
import { reportScreenshot, type ShownScreenshot, viewOfScreenshot } from "./present-screenshot.ts";
import { listRuns as listStoredRuns } from "./run-list.store.ts";

/** Screenshots that one page of a report reads. */
const REPORT_PAGE = 500;

/** Returns a run. @throws ServiceError not_found */
export async function getRun(context: RunsContext, caller: Caller, id: string): Promise<RunView> {
  const known = context.ended.get(caller.teamId, id);
  if (known && maySeeRun(caller, known)) return known;
  const { generation } = context.ended;
  const run = await runOf(context, caller, id);
  const tallies = await tallyRuns(context.em(), [run]);
  const view = viewOfRun(run, tallies.get(id) ?? NO_TALLY, context.links);
  context.ended.store(caller.teamId, view, generation);
  const needsRenderer = view.source === "capture" && !isEnded(view.status);
  return needsRenderer && context.fleet.capacity === 0 ? withoutRenderer(view) : view;
}

function withoutRenderer(view: RunView): RunView {
  return { ...view, warnings: [...view.warnings, { message: RUN_WARNINGS.noRenderer, place: null }] };
}

/** Returns the team's run with this id. @throws ServiceError not_found */
export async function runOf(context: RunsContext, caller: Caller, id: string): Promise<Run> {
  const run = await findRun(context.em(), caller.teamId, id);
  if (!run || !maySeeRun(caller, run)) throw notFound("run", id);
  return run;
}

/** Lists the team's runs, newest first. @throws ServiceError for an invalid cursor */
export async function listRuns(context: RunsContext, caller: Caller, query: ListRunsQuery): Promise<RunList> {
  const em = context.em();
  const runs = await listStoredRuns(em, caller.teamId, query, decodeCursor("runs", query.cursor));
  const tallies = await tallyRuns(em, runs);
  return pageOf("runs", runs, query.limit, run =>
    viewOfRun(run, tallies.get(run.id) ?? NO_TALLY, context.links),
  );
}

/** Lists a run's screenshots. @throws ServiceError not_found */
export async function listScreenshots(
  context: RunsContext,
  caller: Caller,
  runId: string,
  query: ListScreenshotsQuery,
): Promise<ScreenshotList> {
  const run = await runOf(context, caller, runId);
  const { limit, cursor, status, order } = query;
  const em = context.em();
  const list = `screenshots ${runId}`;
  const after = decodeCursor(list, cursor);
  const { rows, summary } =
    order === "need"
      ? await listByNeed(em, runId, { limit, after, status })
      : { rows: await listStoredScreenshots(em, runId, { limit, after, status }) };
  const details = await detailsOf(em, run, rows);
  const page = fittingPageOf(list, rows, limit, row =>
    viewOfScreenshot(shownOf(row, details), run, context.links),
  );
  return summary ? { ...page, summary } : page;
}

/** The reader of a report: with the link's token, as a member of these teams, or both. */
interface ReportReader {
  id: string;
  token?: string;
  cursor?: string;
  /** Teams of a signed-in reader, besides the caller's. */
  teams?: string[];
}

/**
 * Returns one page of a run's report, for members of its team and holders of the report's link.
 * @throws ServiceError unauthorized, not_found
 */
export async function readReport(
  context: RunsContext,
  caller: Caller | undefined,
  { id, token, cursor, teams = [] }: ReportReader,
): Promise<ReportPage> {
  const em = context.em();
  const run = await findRunOfAnyTeam(em, id);
  const isMember = run !== null && (caller?.teamId === run.teamId || teams.includes(run.teamId));
  if (!isMember && !caller && token === undefined) throw deadLink();
  if (!run) throw caller || context.links.opensReport(id, token ?? "") ? notFound("run", id) : deadLink();
  if (!isMember && token === undefined) throw notFound("run", id);
  if (!isMember) await requireOpenLink(context, run, token ?? "");
  const list = `report ${id}`;
  const after = decodeCursor(list, cursor);
  const rows = await listStoredScreenshots(em, id, { limit: REPORT_PAGE, after });
  const details = await detailsOf(em, run, rows);
  const page = fittingPageOf(list, rows, REPORT_PAGE, row =>
    reportScreenshot(shownOf(row, details), run, context.links),
  );
  const tally = (await tallyRuns(em, [run])).get(run.id) ?? NO_TALLY;
  return {
    run: { ...reportRun(run), warnings: warningsOfRun(run, tally) },
    screenshots: page.data,
    nextCursor: page.nextCursor,
  };
}

/** What the views of screenshots show besides their rows, by id. */
interface Details {
  reviews: Map<string, Review[]>;
  baselineDiagnostics: Map<string, Diagnostics>;
  proofs: Map<string, StoredProof>;
  /** By hash. */
  attachments: Map<string, UploadedAttachment>;
}

/** Returns the details of these screenshots. Skips the queries for screenshots without any, which are most. */
async function detailsOf(em: EntityManager, { projectId }: Run, rows: Screenshot[]): Promise<Details> {
  const reviewed = rows.filter(row => row.reviews > 0);
  const noisy = rows.filter(({ diagnostics }) => diagnostics !== null && !isQuiet(diagnostics));
  const idOf = ({ id }: Screenshot) => id;
  const [reviews, baselineDiagnostics] = [
    await findReviews(em, reviewed.map(idOf)),
    await findBaselineDiagnostics(em, noisy.map(idOf)),
  ];
  const explained = rows.filter(({ status, explanation }) => status === "changed" && explanation !== null);
  const proofs = await findProofs(em, explained.map(idOf));
  const hashes = rows.flatMap(({ upload }) => upload?.attachments?.flatMap(({ hash }) => hash ?? []) ?? []);
  const attachments = await findAttachments(em, projectId, [...new Set(hashes)]);
  return { reviews, baselineDiagnostics, proofs, attachments };
}

function shownOf(screenshot: Screenshot, details: Details): ShownScreenshot {
  const { reviews, baselineDiagnostics, proofs, attachments } = details;
  return {
    ...{ screenshot, attachments },
    reviews: reviews.get(screenshot.id) ?? [],
    baselineDiagnostics: baselineDiagnostics.get(screenshot.id) ?? null,
    proof: proofs.get(screenshot.id) ?? null,
  };
}

/** Returns a page of as many of these rows as fit into one message: at least one, at most `limit`. */
function fittingPageOf<View extends object>(
  list: string,
  rows: Screenshot[],
  limit: number,
  view: (row: Screenshot) => View,
): { data: View[]; nextCursor: string | null } {
  const shown = rows.map(row => ({ id: row.id, view: view(row) }));
  return pageOf(list, shown, Math.min(limit, countFitting(shown)), ({ view }) => view);
}

function reportRun(run: Run): Omit<ReportPage["run"], "warnings"> {
  const { id, kind, project, url, branch, status, conclusion, threshold, error, causes } = run;
  const scm = run.scm && {
    owner: run.scm.owner,
    repo: run.scm.repo,
    sha: run.scm.sha,
    pr: run.scm.pr ?? null,
  };
  const times = {
    createdAt: run.createdAt.toISOString(),
    completedAt: run.completedAt?.toISOString() ?? null,
  };
  return { id, kind, project, url, branch, scm, status, conclusion, threshold, error, causes, ...times };
}
