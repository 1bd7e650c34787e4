import type { EntityManager } from "../../../mixins/database.ts";
import type { StoredPage } from "../../../shared/contracts/capture/page-fields.ts";
import type { Notify } from "../../../shared/contracts/teams/notices.ts";
import { type EventData, NAMED_PAGES } from "../../../shared/contracts/webhooks/events.ts";
import type { Links } from "../../../shared/links/links.ts";
import { monitorOfProject } from "../../../shared/monitor-project.ts";
import { branchOrPullRequestOf } from "../baselines/scope.rule.ts";
import type { RunTally } from "../capture/conclude.rule.ts";
import type { StoredComment } from "../comments/comment.store.ts";
import { assignByRule } from "../people/assign-by-rule.ts";
import { viewOfRun } from "../queries/present-run.ts";
import type { Run } from "../run.entity.ts";
import { findScreenshots } from "../screenshot.store.ts";
import { insertEvent, insertPeopleEvent, lockEventsOf } from "./outgoing-event.store.ts";

/** Stores the events of a run that ended: carried approvals set baselines. */
export async function insertEndEvents(
  tx: EntityManager,
  links: Links,
  run: Run,
  tally: RunTally,
): Promise<void> {
  if (tally.carried > 0 && run.kind === "run") {
    const pages = (await findScreenshots(tx, run.id)).filter(({ carriedRunId }) => carriedRunId !== null);
    const { teamId, project, scope, id: runId } = run;
    await insertBaselineEvent(tx, { teamId, project, scope, cause: "carried", runId, pages });
  }
  const needsReview = run.conclusion === "changed" || run.conclusion === "new";
  const notify: Notify[] = [];
  if (needsReview && isReviewed(run)) {
    const users = await assignByRule(tx, run);
    notify.push({ kind: "review", users, isForAll: true, except: run.createdAs });
  }
  await insertRunEvent(tx, links, "run.completed", run, tally, notify);
}

/** Checks of monitors, null reruns and trials have no review. */
function isReviewed({ kind, project }: Run): boolean {
  return kind === "run" && !monitorOfProject(project);
}

/** Stores an event that is only for people. */
export async function insertNotice(
  tx: EntityManager,
  { id: subject, teamId, project }: Run,
  notify: Notify,
): Promise<void> {
  await insertPeopleEvent(tx, { teamId, project, subject, notify: [notify] });
}

/** Stores the event of a run that ended, or whose reviews changed. Checks of monitors have events of their own. */
export async function insertRunEvent(
  tx: EntityManager,
  links: Links,
  type: "run.completed" | "run.reviewed",
  run: Run,
  tally: RunTally,
  notify: Notify[] = [],
): Promise<void> {
  const { teamId, project } = run;
  if (!isReviewed(run)) return;
  const { id, status, conclusion, error, counts, links: runLinks } = viewOfRun(run, tally, links);
  const data = {
    ...{ teamId, project },
    run: { id, status, conclusion, error, ...commitFields(run), counts, links: runLinks },
  };
  await insertEvent(tx, { type, teamId, project, subject: id, data, notify });
}

/** Stores the event of a build that is complete. */
export async function insertBuildEvent(tx: EntityManager, run: Run, screenshots: number): Promise<void> {
  const { id, teamId, project } = run;
  const data = { teamId, project, build: { id, ...commitFields(run), screenshots } };
  await insertEvent(tx, { type: "build.finalized", teamId, project, subject: id, data });
}

/** A comment on a run. */
type NewComment = Pick<StoredComment, "id" | "runId" | "threadId" | "screenshotId" | "text" | "by">;

/** Stores the event of a new comment. */
export async function insertCommentEvent(
  tx: EntityManager,
  { teamId, project }: Run,
  { id, runId, threadId, screenshotId, text, by }: NewComment,
  notify: Notify[],
): Promise<void> {
  const comment = { id, threadId: threadId ?? id, screenshotId, text, by };
  const data = { teamId, project, runId, comment };
  await insertEvent(tx, { type: "comment.created", teamId, project, subject: runId, data, notify });
}

/** A change of the baselines of one branch or pull request. */
interface BaselineChange {
  teamId: string;
  project: string;
  scope: string;
  cause: EventData<"baseline.changed">["cause"];
  runId: string | null;
  pages: readonly StoredPage[];
}

/** Stores the event of changed baselines. Does nothing without a changed page. */
export async function insertBaselineEvent(tx: EntityManager, change: BaselineChange): Promise<void> {
  const { teamId, project, scope, cause, runId, pages } = change;
  if (pages.length === 0) return;
  // Changes by several runs are committed in the order of their events.
  await lockEventsOf(tx, teamId, project);
  const { branch, pr } = branchOrPullRequestOf(scope);
  const data = {
    ...{ teamId, project, branch, pullRequest: pr, cause, runId },
    count: pages.length,
    pages: pages.slice(0, NAMED_PAGES).map(({ route, state = null, environment = null, viewport }) => ({
      ...{ route, state, environment, viewport },
    })),
  };
  await insertEvent(tx, { type: "baseline.changed", teamId, project, subject: project, data });
}

function commitFields({ branch, scm }: Run) {
  return { branch, commit: scm?.sha ?? null, pullRequest: scm?.pr ?? null };
}
