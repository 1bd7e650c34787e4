import { refuseUrl } from "../../../shared/capture/network/address-guard.ts";
import type { Configuration } from "../../../shared/contracts/configuration/configuration.ts";
import {
  type SubmittedTrial,
  TRIALS_PER_MINUTE,
  type Trial,
} from "../../../shared/contracts/configuration/trials.ts";
import { type Caller, countsAs } from "../../../shared/contracts/teams/caller.ts";
import { invalidField, ServiceError } from "../../../shared/errors.ts";
import { newId } from "../../../shared/ids.ts";
import { currentScope, originOf } from "../../../shared/tracing/work-scope.ts";
import { NO_BASELINE } from "../baselines/choose-baseline.rule.ts";
import { branchScope, TRIAL_BRANCH } from "../baselines/scope.rule.ts";
import { dispatchCaptures } from "../capture/dispatch-captures.ts";
import { findConfiguration } from "../configuration/configuration.store.ts";
import type { Project } from "../project.entity.ts";
import type { RunWithOptions } from "../run.entity.ts";
import { findOrCreateProject, findRun, insertRun } from "../run.store.ts";
import type { RunsContext } from "../runs-context.ts";
import { blankScreenshot, type Screenshot } from "../screenshot.entity.ts";
import { requireSecrets } from "../secrets/require-secrets.ts";
import { PROJECT_CHARS, secretOwnerOf } from "../secrets/secret-owner.rule.ts";
import { countRun, uncountRun } from "../submission/count-run.ts";
import { type PlannedScreenshot, screenshotsPerJob } from "../submission/plan-screenshots.rule.ts";
import { LOG_MESSAGES } from "../texts/log.ts";
import { SECRET_ERRORS } from "../texts/projects.ts";
import { RUN_ERRORS, TRIAL_ERRORS } from "../texts/runs.ts";
import { type PlannedTrial, planTrial } from "./plan-trial.rule.ts";
import { countRecentTrials } from "./trial.store.ts";

/**
 * Captures one page now, as a run without baselines, reviews and events. It is deleted after a day.
 * @throws ServiceError invalid_request; plan_limit_exceeded; rate_limited
 */
export async function submitTrial(
  context: RunsContext,
  caller: Caller,
  { id, project, body }: { id: string; project: string; body: Trial },
): Promise<SubmittedTrial> {
  const before = await findRun(context.em(), caller.teamId, id);
  if (before) return viewOf(context, before);
  const planned = await plan(context, caller, project, body);
  const { screenshots } = planned;
  await countRun(context, { id, teamId: caller.teamId, screenshots: screenshots.length }, null);
  const run = await write(context, caller, { id, project, planned }).catch(async error => {
    // A repeat of the message may have written it.
    const first = await findRun(context.em(), caller.teamId, id);
    if (first) return first;
    await uncountRun(context, id);
    throw error;
  });
  await dispatchCaptures(context).catch(error => context.warn(error, LOG_MESSAGES.notQueued(id)));
  return viewOf(context, run);
}

async function plan(
  context: RunsContext,
  { teamId }: Caller,
  project: string,
  trial: Trial,
): Promise<PlannedTrial> {
  if (project.length > PROJECT_CHARS) throw invalidField("project", SECRET_ERRORS.longProject(PROJECT_CHARS));
  const refusal = refuseUrl(new URL(trial.url), context.policy);
  if (refusal !== null) throw invalidField("url", RUN_ERRORS.url(refusal));
  const em = context.em();
  const owner = { teamId, project };
  const configuration: Configuration =
    trial.configuration ?? (await findConfiguration(em, secretOwnerOf(owner)))?.settings ?? {};
  const planned = planTrial(trial, configuration);
  if ("field" in planned) throw invalidField(planned.field, TRIAL_ERRORS.noPage(planned.known));
  await requireSecrets(em, owner, planned.body.options ?? {});
  return planned;
}

async function write(
  context: RunsContext,
  caller: Caller,
  { id, project: name, planned }: { id: string; project: string; planned: PlannedTrial },
): Promise<RunWithOptions> {
  const { teamId } = caller;
  return await context.em().transactional(async tx => {
    if ((await countRecentTrials(tx, teamId)) >= TRIALS_PER_MINUTE)
      throw new ServiceError("rate_limited", TRIAL_ERRORS.tooMany(TRIALS_PER_MINUTE), {
        retryAfterSeconds: 60,
      });
    const project = await findOrCreateProject(tx, {
      id: newId("proj"),
      ...{ teamId, name, nullReruns: false, defaultBranch: TRIAL_BRANCH, createdAt: new Date() },
    });
    const run = trialOf(caller, project, id, planned);
    await insertRun(
      tx,
      run,
      planned.screenshots.map((each, position) => screenshotOf(id, each, position)),
    );
    return run;
  });
}

/** Returns a run that never answers repeated submissions. */
function trialOf(
  caller: Caller,
  { id: projectId, name: project, defaultBranch }: Project,
  id: string,
  { body, screenshots }: PlannedTrial,
): RunWithOptions {
  const scope = branchScope(defaultBranch);
  return {
    ...{ id, kind: "trial", source: "capture", teamId: caller.teamId, projectId, project, url: body.url },
    ...{ branch: null, scm: null, scope, defaultScope: scope },
    ...{
      threshold: body.threshold,
      options: body.options ?? {},
      submitted: null,
      screenshotsPerJob: screenshotsPerJob(screenshots),
    },
    ...{
      status: "queued",
      conclusion: null,
      error: null,
      warnings: [],
      causes: [],
      intent: null,
      tally: null,
      stories: null,
      linkGeneration: 0,
    },
    configuredBy: { repository: [], project: [] },
    ...{ dedupeKey: null, idempotencyKey: null, bodyDigest: "", isConfirmation: false },
    ...{ createdBy: caller.actor.id, createdAs: countsAs(caller), submitter: caller.actor.name },
    origin: originOf(currentScope()),
    ...{ createdAt: new Date(), renderings: {}, recapturedAt: null, startedAt: null, completedAt: null },
    tunnel: null,
    archive: null,
  };
}

function screenshotOf(
  runId: string,
  { threshold: _threshold, scaleFactor: _scaleFactor, ...planned }: PlannedScreenshot,
  position: number,
): Screenshot {
  return {
    ...blankScreenshot(runId, position),
    ...planned,
    threshold: 0,
    ...NO_BASELINE,
  };
}

function viewOf(
  { links }: RunsContext,
  run: Pick<RunWithOptions, "id" | "status" | "linkGeneration">,
): SubmittedTrial {
  const { id, status, linkGeneration } = run;
  return { id, status, links: { self: links.run(id), report: links.report(id, linkGeneration) } };
}
