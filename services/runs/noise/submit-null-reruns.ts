import { pickPage } from "../../../shared/contracts/capture/page-fields.ts";
import { newId } from "../../../shared/ids.ts";
import type { PeriodicTask } from "../../../shared/periodic-task.ts";
import { dispatchCaptures } from "../capture/dispatch-captures.ts";
import type { Run, RunWithOptions } from "../run.entity.ts";
import { findRunOfAnyTeam, insertRun } from "../run.store.ts";
import type { RunsContext } from "../runs-context.ts";
import { blankScreenshot, type Screenshot } from "../screenshot.entity.ts";
import { findScreenshots } from "../screenshot.store.ts";
import { countRun, isOverLimit } from "../submission/count-run.ts";
import { LOG_MESSAGES } from "../texts/log.ts";
import { BASELINE_REASONS } from "../texts/runs.ts";
import { leaseNullReruns, markSubmitted, type PlannedRerun, skipNullRerun } from "./null-rerun.store.ts";

/** Soon after the original run: the later, the more likely the deployment has changed. */
const POLL_INTERVAL_MS = 10_000;
const RERUN_BATCH_SIZE = 5;
/** Name of the submitter of null reruns. */
const SUBMITTER = "null reruns";

/** Returns the periodic task that submits null reruns. */
export function nullRerunTask(context: RunsContext): PeriodicTask {
  return {
    intervalMs: POLL_INTERVAL_MS,
    failed: LOG_MESSAGES.nullRerunsNotSubmitted,
    work: () => submitNullReruns(context),
  };
}

/** Submits planned null reruns, each once, on the first node that leases it. */
export async function submitNullReruns(context: RunsContext): Promise<void> {
  for (const planned of await leaseNullReruns(context.em(), RERUN_BATCH_SIZE)) {
    await submitNullRerun(context, planned).catch(error =>
      context.warn(error, LOG_MESSAGES.nullRerunNotSubmitted(planned.ofRunId)),
    );
  }
}

async function submitNullRerun(
  context: RunsContext,
  { runId, ofRunId, options }: PlannedRerun,
): Promise<void> {
  const em = context.em();
  const source = await findRunOfAnyTeam(em, ofRunId);
  const captured = (await findScreenshots(em, ofRunId)).filter(isRepeatable);
  if (!source || captured.length === 0) return skipNullRerun(em, runId, "deleted");
  try {
    await countRun(context, { id: runId, teamId: source.teamId, screenshots: captured.length }, null);
  } catch (error) {
    if (isOverLimit(error)) return skipNullRerun(em, runId, "plan_limit_exceeded");
    throw error;
  }
  const run = rerunOf(source, runId, options);
  const screenshots = captured.map((screenshot, position) => repeatOf(screenshot, run, position));
  const isSubmitted = await context.em().transactional(async tx => {
    if (!(await markSubmitted(tx, runId))) return false;
    await insertRun(tx, run, screenshots);
    return true;
  });
  if (isSubmitted) await dispatchCaptures(context);
}

function isRepeatable({ status, hash }: Screenshot): boolean {
  return hash !== null && ["unchanged", "changed", "new"].includes(status);
}

/** Returns a copy of the run that never answers repeated submissions. */
function rerunOf(source: Run, id: string, options: RunWithOptions["options"]): RunWithOptions {
  return {
    ...source,
    id,
    options,
    kind: "null-rerun",
    threshold: 0,
    status: "queued",
    conclusion: null,
    error: null,
    dedupeKey: null,
    idempotencyKey: null,
    isConfirmation: false,
    tally: null,
    stories: null,
    intent: null,
    linkGeneration: 0,
    warnings: [],
    createdBy: SUBMITTER,
    createdAs: null,
    submitter: SUBMITTER,
    origin: null,
    createdAt: new Date(),
    renderings: {},
    recapturedAt: null,
    startedAt: null,
    completedAt: null,
  };
}

/**
 * Returns a screenshot of the same page with the previous capture as its baseline. Every changed pixel is a false
 * alarm.
 */
function repeatOf(screenshot: Screenshot, { id: runId }: Run, position: number): Screenshot {
  const { colorThreshold, ignoreRegions, hash, width, height, browser, rendering, selectorRegions } =
    screenshot;
  return {
    ...blankScreenshot(runId, position),
    id: newId("shot"),
    ...pickPage(screenshot),
    story: screenshot.story,
    region: screenshot.region,
    ...{ viewportHeight: screenshot.viewportHeight, colorThreshold, ignoreRegions, threshold: 0 },
    baselineHash: hash,
    baselineRunId: screenshot.runId,
    baselineReason: BASELINE_REASONS.nullRerun,
    baselineWidth: width,
    baselineHeight: height,
    baselineBrowser: browser,
    baselineRendering: rendering,
    baselineSelectorRegions: selectorRegions,
  };
}
