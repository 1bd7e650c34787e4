import { UniqueConstraintViolationException } from "@mikro-orm/core";
import { isDatabaseUnavailable } from "../../../mixins/database.ts";
import { refuseUrl } from "../../../shared/capture/network/address-guard.ts";
import { broadcast } from "../../../shared/contracts/bus.ts";
import type { ScreenshotKey } from "../../../shared/contracts/capture/screenshot-key.ts";
import type { SubmitRun, SubmittedRun } from "../../../shared/contracts/runs/submit-run.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { invalidField } from "../../../shared/errors.ts";
import { requireArchive, requireMaySubmit } from "../archives/manage-archives.ts";
import { pairBaselines } from "../baselines/pair-baselines.ts";
import { recordChangedFiles } from "../capsules/changed-files.store.ts";
import { dispatchCaptures } from "../capture/dispatch-captures.ts";
import type { Run, RunWithOptions } from "../run.entity.ts";
import { insertRun } from "../run.store.ts";
import type { RunsContext } from "../runs-context.ts";
import { requestWaiting } from "../stories/request-stories.ts";
import { insertStorybookRun, storybookOf } from "../stories/storybook.store.ts";
import { LOG_MESSAGES } from "../texts/log.ts";
import { RUN_ERRORS } from "../texts/runs.ts";
import { type CompletedSubmission, type Completion, completeSubmission } from "./complete-submission.ts";
import { countRun, uncountRun } from "./count-run.ts";
import { noteDefaultBranch } from "./follow-default-branch.ts";
import { findProjectFor, newRun, projectNameOf, type RunKeys } from "./new-run.ts";
import { type PlannedScreenshot, planScreenshots, screenshotsPerJob } from "./plan-screenshots.rule.ts";
import { findRepeated } from "./repeated-run.store.ts";
import { repeatKeysOf, toRepeatedRun, toSubmittedRun } from "./repeated-run.ts";

interface Submission extends Partial<Completion> {
  id: string;
  body: SubmitRun;
  idempotencyKey?: string | null;
  /** Whether it confirms the result of an earlier run. It doesn't use the team's allowance then. */
  isConfirmation?: boolean;
  /** The screenshots to capture. Null for all. */
  only?: readonly ScreenshotKey[] | null;
  /** Regions whose renderers capture all pages. Empty for any renderer. */
  regions?: readonly string[];
}

/**
 * Accepts a run: writes its rows, then queues its first jobs.
 * A repeat of the same deployment and commit, or of the same idempotency key, returns the first run. A repeat of the
 * same message, by its id, returns the same answer.
 * @throws ServiceError invalid_request for a private address, an idempotency key used with another body, an unknown
 *   secret, or errors in the repository's configuration; plan_limit_exceeded; unavailable
 */
export async function submitRun(
  context: RunsContext,
  caller: Caller,
  {
    id,
    body: submitted,
    unsetFields = [],
    defaultedFields = [],
    lenient = false,
    configuredBy = null,
    idempotencyKey = null,
    isConfirmation = false,
    only = null,
    regions = [],
  }: Submission,
): Promise<SubmittedRun> {
  requireMaySubmit(caller, { ...submitted, project: projectNameOf(submitted) });
  // Pages of a tunnel's application are only reached through the tunnel, and an archive is served by the renderer.
  const refusal =
    submitted.tunnel || submitted.archive ? null : refuseUrl(new URL(submitted.url), context.policy);
  if (refusal !== null) throw invalidField("url", RUN_ERRORS.url(refusal));

  const keys = repeatKeysOf(submitted, idempotencyKey);
  const findFirst = () => findRepeated(context.em(), caller.teamId, { id, ...keys });
  const answerRepeat = (first: Run) => toRepeatedRun(context, first, { id, ...keys });
  const before = await findFirst();
  if (before) return answerRepeat(before);
  if (submitted.archive !== undefined) {
    const archive = { project: projectNameOf(submitted), id: submitted.archive };
    await requireArchive(context, caller, archive);
  }
  const completion = { unsetFields, defaultedFields, lenient, configuredBy };
  const configured = await completeSubmission(context, caller, submitted, completion);
  // Configurations can add secrets.
  requireMaySubmit(caller, { ...configured.body, project: projectNameOf(submitted) });
  const { storybook } = configured.body;
  // The stories of a Storybook are listed first, and counted then.
  const pages = storybook ? [] : planScreenshots(configured.body, only, regions);
  const counting = { id, teamId: caller.teamId, screenshots: pages.length };
  const isRepeatable = keys.dedupeKey !== null || keys.idempotencyKey !== null;
  const concurrentRun =
    isConfirmation || storybook ? null : await countRun(context, counting, isRepeatable ? findFirst : null);
  if (concurrentRun) return answerRepeat(concurrentRun);

  const run = await writeRun(
    context,
    caller,
    { ...configured, pages },
    { id, ...keys, isConfirmation },
    findFirst,
  );
  if ("first" in run) return answerRepeat(run.first);
  await broadcast(context.bus, "run.submitted", { runId: run.id, teamId: run.teamId });
  // The rows exist, so the run is accepted. The recovery sweep queues what can't be queued now.
  const queued = storybook ? requestWaiting(context, run.teamId) : dispatchCaptures(context);
  await queued.catch(error => context.warn(error, LOG_MESSAGES.notQueued(run.id)));
  return toSubmittedRun(context, run);
}

/** Writes a counted run. Returns the first run if an equal one was written at the same time. */
async function writeRun(
  context: RunsContext,
  caller: Caller,
  { body, warnings, configuredBy, pages }: CompletedSubmission & { pages: PlannedScreenshot[] },
  keys: RunKeys,
  findFirst: () => Promise<Run | null>,
): Promise<RunWithOptions | { first: Run }> {
  const em = context.em();
  try {
    const followed = await findProjectFor(em, caller, projectNameOf(body), body);
    await noteDefaultBranch(context, caller, followed);
    const run = {
      ...newRun(caller, body, followed.project, keys),
      submitted: {
        partial: body.partial,
        ...(body.baselineBranch !== undefined && { baselineBranch: body.baselineBranch }),
        ...(body.scm?.missingShas && { missingShas: body.scm.missingShas }),
      },
      warnings,
      configuredBy,
      screenshotsPerJob: screenshotsPerJob(pages),
    };
    if (body.storybook) await insertStorybookRun(em, run, storybookOf(run.id, body));
    else await insertRun(em, run, await pairBaselines(em, run, body, pages));
    await recordChangedFiles(em, run.id, body.scm?.changedFiles ?? []);
    return run;
  } catch (error) {
    // The rows may exist if the database became unreachable in between. Billing later finds runs that were counted by
    // mistake.
    if (isDatabaseUnavailable(error)) throw error;
    const first = await findFirst();
    if (first?.id !== keys.id) await uncountRun(context, keys.id);
    if (first && error instanceof UniqueConstraintViolationException) return { first };
    throw error;
  }
}
