import { createHash } from "node:crypto";
import { call } from "../../../shared/contracts/bus.ts";
import type { RunOutcome } from "../../../shared/contracts/runs/run-outcomes.ts";
import { newId } from "../../../shared/ids.ts";
import type { MonitorsContext } from "../monitors-context.ts";
import { publishChanged } from "../publish-changed.ts";
import { findAnyMonitor } from "../settings/monitor.store.ts";
import { CHECK_REASONS, LOG_MESSAGES } from "../texts.ts";
import type { Check } from "./check.entity.ts";
import { beginAttempt, endCheck, findChecks, findWaiting } from "./check.store.ts";
import { doubtful, judge, type Look, lookOf, type Verdict, withhold } from "./judge-check.rule.ts";
import { reportChecks } from "./report-check.ts";
import { endFailed, submitChecks, watcherOf } from "./submit-check.ts";

/** Moves the check on that waits for this run, if there is one. */
export async function advanceCheckOf(context: MonitorsContext, runId: string): Promise<void> {
  const check = await findWaiting(context.em(), runId);
  if (!check) return;
  const [outcome] = await call(context.bus, "runs.outcomes", { ids: [runId] });
  await advanceCheck(context, check, outcome);
}

/**
 * Moves a check on: looks again at what was not fine, or at everything where it was compared with what is no baseline
 * any more; submits a lost run again, once; or ends it, approves what has no baseline yet, and has it told.
 * Done twice, or by two nodes at once, it comes to the same.
 * @param run how far its run is; undefined where it is gone
 */
export async function advanceCheck(
  context: MonitorsContext,
  check: Check,
  run: RunOutcome | undefined,
): Promise<void> {
  if (!run) return retryLost(context, check, CHECK_REASONS.runDeleted);
  if (run.status === "canceled") return retryLost(context, check, CHECK_REASONS.runCanceled);
  if (run.screenshots === null) return;
  // A reviewer approved while it was looked at: what was seen says nothing of how the site is to look now.
  if (run.screenshots.some(({ isOutdated }) => isOutdated)) return lookAgain(context, check, []);
  const looks = [...check.looks, run.screenshots.map(screenshot => lookOf(run.id, screenshot))];
  if (doubtful(looks).length > 0) return lookAgain(context, check, looks);
  await conclude(context, check, judge(looks));
}

/** Submits a run again that was canceled or deleted, once a check. The second loss ends the check. */
async function retryLost(context: MonitorsContext, check: Check, reason: string): Promise<void> {
  const monitor = await findAnyMonitor(context.em(), check.monitorId);
  if (check.retries === 0 && monitor?.deletedAt === null)
    return lookAgain(context, { ...check, retries: 1 }, check.looks);
  const isRetry = check.retries > 0 ? ` ${CHECK_REASONS.wasRetry}` : "";
  await endFailed(context, check, `${reason}${isRetry}`);
}

/** A run that confirms what earlier ones found is submitted a while later, by submitConfirmations. */
async function lookAgain(context: MonitorsContext, check: Check, looks: Look[][]): Promise<void> {
  const { retries } = check;
  if (!(await beginAttempt(context.em(), check, { runId: newId("run"), looks, retries }))) return;
  await publishChanged(context, [check]);
  if (looks.length > 0) return;
  await submitChecks(context, await findChecks(context.em(), [check.id]));
}

async function conclude(context: MonitorsContext, check: Check, verdict: Verdict): Promise<void> {
  const { establish, ...ending } = withhold(
    verdict,
    await establishBaselines(context, check, verdict.establish),
  );
  if (!(await endCheck(context.em(), check.id, { ...ending, look: lookDigest(verdict) }))) return;
  await publishChanged(context, [check]);
  // Should this node go away here, or whoever alerts: the sweep finds what was not told.
  await reportChecks(context, check.monitorId).catch(error =>
    context.warn(error, LOG_MESSAGES.notReported(check.id)),
  );
}

/**
 * Before the check ends: it is done again then, should this node go away.
 * @returns those that were not approved, because a person rejects them
 */
async function establishBaselines(context: MonitorsContext, check: Check, looks: Look[]): Promise<Look[]> {
  const approved = new Set<string>();
  for (const [runId, ofRun] of Map.groupBy(looks, look => look.runId)) {
    const screenshots = ofRun.map(({ screenshotId }) => screenshotId);
    await call(context.as(watcherOf(check)), "runs.approve", { runId, screenshots });
    const [run] = await call(context.bus, "runs.outcomes", { ids: [runId] });
    for (const { id, review } of run?.screenshots ?? []) if (review === "approved") approved.add(id);
  }
  return looks.filter(({ screenshotId }) => !approved.has(screenshotId));
}

/** Equal for the same pages and widths. */
function lookDigest({ outcome, regressions }: Verdict): string | null {
  if (outcome !== "changed") return null;
  const pages = regressions.map(({ route, viewport }) => `${viewport} ${route}`).toSorted();
  return createHash("sha256").update(JSON.stringify(pages)).digest("hex");
}
