import { forEachIsolated } from "../../../shared/async.ts";
import { JobTooLargeError } from "../../../shared/contracts/work-queue.ts";
import { storyCaptureOptions } from "../../../shared/storybook/story-options.ts";
import { storybookUrl } from "../../../shared/storybook/story-urls.ts";
import { failRun } from "../capture/advance-runs.ts";
import { siteFields } from "../capture/capture-job.ts";
import type { RunWithOptions } from "../run.entity.ts";
import { findRunsWithOptions } from "../run.store.ts";
import type { RunsContext } from "../runs-context.ts";
import { secretsOfJob } from "../secrets/secrets-of-job.ts";
import { LOG_MESSAGES } from "../texts/log.ts";
import { RUN_ERRORS } from "../texts/runs.ts";
import {
  findStorybook,
  findUnlisted,
  findWaitingTeams,
  markRequested,
  type Storybook,
  takeWaiting,
  type Unlisted,
} from "./storybook.store.ts";

/** Name of the job among those of its run. Others are hashes. */
const JOB_ID = "stories";
/** A list that got lost this often crashes its renderers. */
const MAX_LOST_JOBS = 20;

/**
 * Lists of a team that are requested at the same time. They don't share the slots as captures do, and each one can take
 * minutes, so more would keep the renderers from other teams.
 */
const LISTS_PER_TEAM = 4;

/** Queues the jobs that list the stories of a team's next runs. */
export async function requestWaiting(context: RunsContext, teamId: string): Promise<void> {
  const ids = await takeWaiting(context.em(), teamId, LISTS_PER_TEAM);
  for (const run of await findRunsWithOptions(context.em(), ids)) {
    const storybook = await findStorybook(context.em(), run.id);
    if (!storybook) continue;
    // The recovery sweep queues what can't be queued now.
    await requestStories(context, run, storybook, 1).catch(error =>
      context.warn(error, LOG_MESSAGES.notQueued(run.id)),
    );
  }
}

/** Queues the job that lists the stories of a run. @param attempt counts up for each lost job */
async function requestStories(
  context: RunsContext,
  run: RunWithOptions,
  { tags, viewports, onlyChanged }: Pick<Storybook, "tags" | "viewports" | "onlyChanged">,
  attempt: number,
): Promise<void> {
  const options = storyCaptureOptions(run.options);
  const secrets = await secretsOfJob(context.em(), run, { options });
  if ("refusal" in secrets) return failRun(context, run, secrets.refusal);
  const token = context.tokens.issue("list", run.id, "");
  const job = {
    ...{ runId: run.id, teamId: run.teamId, url: storybookUrl(run.url), site: run.url, options },
    ...secrets,
    ...siteFields(run),
    // Every browser lists the same stories.
    ...{
      rendering: null,
      listing: { tags, viewports, ...(onlyChanged && { onlyChanged: true as const }), token },
      screenshots: [],
    },
  };
  // A request can queue the lists of other runs, too.
  const { origin } = run;
  await context.queue
    .enqueue("capture", job, { id: JOB_ID, fairKey: run.id, attempt, origin })
    .catch(error => {
      if (!(error instanceof JobTooLargeError)) throw error;
      return failRun(context, run, RUN_ERRORS.largeJob);
    });
}

/**
 * Queues lost lists of stories again, and those that waited for others. A list is lost if neither its job nor its
 * result is in the queue.
 * @param before at the start with a queue in memory, which has no jobs from before
 */
export async function recoverStories(context: RunsContext, before: Date | null): Promise<void> {
  await forEachIsolated(
    await findUnlisted(context.em(), before),
    unlisted => recoverList(context, unlisted),
    (error, { runId }) => context.warn(error, LOG_MESSAGES.notQueued(runId)),
  );
  await forEachIsolated(
    await findWaitingTeams(context.em()),
    teamId => requestWaiting(context, teamId),
    (error, teamId) => context.warn(error, LOG_MESSAGES.storiesNotQueued(teamId)),
  );
}

async function recoverList(context: RunsContext, { runId, dispatches }: Unlisted): Promise<void> {
  if ((await context.queue.idsOf("capture", runId)).has(JOB_ID)) return;
  // This check is last, because a job is done only after its result is queued.
  if ((await context.queue.idsOf("result", runId)).size > 0) return;
  const [run] = await findRunsWithOptions(context.em(), [runId]);
  const storybook = await findStorybook(context.em(), runId);
  if (!run || !storybook || storybook.listedAt !== null || run.completedAt !== null) return;
  if (dispatches >= MAX_LOST_JOBS) {
    await failRun(context, run, RUN_ERRORS.lostStorybook(dispatches));
  } else if (await markRequested(context.em(), { runId, dispatches })) {
    await requestStories(context, run, storybook, dispatches + 1);
  }
}
