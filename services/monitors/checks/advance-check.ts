import { createHash } from "node:crypto";
import { call } from "../../../shared/contracts/bus.ts";
import { pickPage, type StoredPage } from "../../../shared/contracts/capture/page-fields.ts";
import { keyOf } from "../../../shared/contracts/capture/screenshot-key.ts";
import { publishMonitorsChanged } from "../../../shared/contracts/monitors/monitors-changed.ts";
import type { RunOutcome } from "../../../shared/contracts/runs/run-outcomes.ts";
import { newId } from "../../../shared/ids.ts";
import { confirmDown } from "../http/confirm-down.ts";
import type { MonitorsContext } from "../monitors-context.ts";
import { findAnyMonitor } from "../settings/monitor.store.ts";
import { CHECK_REASONS, LOG_MESSAGES } from "../texts.ts";
import { ruleOf } from "./agree-on-page.rule.ts";
import { availabilityOf } from "./availability.rule.ts";
import type { Check } from "./check.entity.ts";
import { endCheck, findChecks, findWaiting, startAttempt } from "./check.store.ts";
import {
  type CheckResult,
  capturedPages,
  evaluateCheck,
  type PageResult,
  pageResultOf,
  pagesToConfirm,
  withRejections,
} from "./evaluate-check.rule.ts";
import { reportChecks } from "./report-check.ts";
import { endFailed, monitorCaller, submitChecks } from "./submit-check.ts";

/** Advances the check that waits for this run, if there is one. */
export async function advanceCheckOf(context: MonitorsContext, runId: string): Promise<void> {
  const check = await findWaiting(context.em(), runId);
  if (!check) return;
  const [outcome] = await call(context.bus, "runs.outcomes", { ids: [runId] });
  await advanceCheck(context, check, outcome);
}

/**
 * Advances a check after its run ended. It confirms problems with another attempt. It checks all pages again if a
 * baseline was replaced meanwhile. It submits a lost run again, once. Otherwise it ends the check, approves pages
 * without a baseline, and reports the result. Repeated calls, also from two nodes at the same time, have the same
 * effect.
 * @param run the state of its run. Undefined if the run was deleted
 */
export async function advanceCheck(
  context: MonitorsContext,
  check: Check,
  run: RunOutcome | undefined,
): Promise<void> {
  if (!run) return retryLost(context, check, CHECK_REASONS.runDeleted);
  if (run.status === "canceled") return retryLost(context, check, CHECK_REASONS.runCanceled);
  if (run.screenshots === null) return;
  // A reviewer approved a new baseline during the check, so the comparison is outdated.
  if (run.screenshots.some(({ isOutdated }) => isOutdated)) return startNextAttempt(context, check, []);
  const attemptResults = [
    ...check.attemptResults,
    run.screenshots.map(screenshot => pageResultOf(run.id, screenshot)),
  ];
  if (pagesToConfirm(attemptResults).length > 0) return startNextAttempt(context, check, attemptResults);
  await conclude(context, check, attemptResults);
}

/** Submits a canceled or deleted run again, once per check. The second loss ends the check. */
async function retryLost(context: MonitorsContext, check: Check, reason: string): Promise<void> {
  const monitor = await findAnyMonitor(context.em(), check.monitorId);
  if (check.retries === 0 && monitor?.deletedAt === null)
    return startNextAttempt(context, { ...check, retries: 1 }, check.attemptResults);
  const isRetry = check.retries > 0 ? ` ${CHECK_REASONS.wasRetry}` : "";
  await endFailed(context, check, `${reason}${isRetry}`);
}

/**
 * Starts the next attempt. submitConfirmations submits a confirmation run later. A run of all pages is submitted
 * now.
 */
async function startNextAttempt(
  context: MonitorsContext,
  check: Check,
  attemptResults: PageResult[][],
): Promise<void> {
  const { retries } = check;
  if (!(await startAttempt(context.em(), check, { runId: newId("run"), attemptResults, retries }))) return;
  await publishMonitorsChanged(context.bus, [check]);
  if (attemptResults.length > 0) return;
  await submitChecks(context, await findChecks(context.em(), [check.id]));
}

async function conclude(
  context: MonitorsContext,
  check: Check,
  attemptResults: PageResult[][],
): Promise<void> {
  const result = await confirmDown(context, check, evaluateCheck(attemptResults, ruleOf(check.target)));
  const pages = capturedPages(attemptResults);
  // Before the check ends, so that another node repeats it if this node stops.
  const { teamId, id: checkId, startedAt, target } = check;
  const at = startedAt.toISOString();
  await call(context.bus, "runs.recordLooks", { teamId, project: target.project, checkId, at, pages });
  const { establish, ...ending } = withRejections(
    result,
    await establishBaselines(context, check, result.establish),
  );
  const changedDigest = digestChangedPages(result);
  const availability = availabilityOf(result, attemptResults);
  if (!(await endCheck(context.em(), check.id, { ...ending, changedDigest, availability }))) return;
  await publishMonitorsChanged(context.bus, [check]);
  // If this node stops here or the alerts service fails, the recovery sweep reports the check.
  await reportChecks(context, check.monitorId).catch(error =>
    context.warn(error, LOG_MESSAGES.notReported(check.id)),
  );
}

/**
 * Approves the first screenshots of new pages. This happens before the check ends, so that another node repeats it
 * if this node stops.
 * @returns the pages that were not approved because a reviewer rejected them
 */
async function establishBaselines(
  context: MonitorsContext,
  check: Check,
  attemptResults: PageResult[],
): Promise<PageResult[]> {
  const approved = new Set<string>();
  for (const [runId, ofRun] of Map.groupBy(attemptResults, changedDigest => changedDigest.runId)) {
    const screenshots = ofRun.map(({ screenshotId }) => screenshotId);
    await call(context.as(monitorCaller(check)), "runs.approve", { runId, screenshots });
    const [run] = await call(context.bus, "runs.outcomes", { ids: [runId] });
    for (const { id, review } of run?.screenshots ?? []) if (review === "approved") approved.add(id);
  }
  return attemptResults.filter(({ screenshotId }) => !approved.has(screenshotId));
}

/** Returns a digest that is equal for the same pages. */
function digestChangedPages({ outcome, regressions }: CheckResult): string | null {
  if (outcome !== "changed") return null;
  const pages = regressions.map(nameOfPage).toSorted();
  return createHash("sha256").update(JSON.stringify(pages)).digest("hex");
}

/** Returns a page's part of a digest. Without a state and an environment, it is the one of earlier versions. */
function nameOfPage(page: StoredPage): string {
  const key = pickPage(page);
  const isPlain = key.state === null && key.environment === null;
  return isPlain ? `${key.viewport} ${key.route}` : keyOf(key);
}
