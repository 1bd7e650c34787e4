import type { PeriodicTask } from "../../../shared/periodic-task.ts";
import { failRun } from "../capture/advance-runs.ts";
import { findRuns } from "../run.store.ts";
import type { RunsContext } from "../runs-context.ts";
import { LOG_MESSAGES } from "../texts/log.ts";
import { BUILD_ERRORS } from "../texts/uploads.ts";
import { countBuild, findAbandoned, findUnfinalized, findUnrecorded, lockAbandoned } from "./build.store.ts";
import { completeBuild } from "./finalize-build.ts";
import { deleteUnusedImages } from "./listed-screenshot.store.ts";

const INTERVAL_MS = 15_000;
/** The next sweep continues. */
const BATCH_SIZE = 50;

/** Returns the recovery sweep of builds as a periodic task. */
export function buildRecoveryTask(context: RunsContext, timeoutMinutes: number): PeriodicTask {
  return {
    intervalMs: INTERVAL_MS,
    failed: LOG_MESSAGES.recoveryFailed,
    work: () => recoverBuilds(context, timeoutMinutes),
  };
}

/** Completes builds whose node stopped in between, and fails those that got no request for so long. */
async function recoverBuilds(context: RunsContext, timeoutMinutes: number): Promise<void> {
  const em = context.em();
  const stopped = [...(await findUnfinalized(em, BATCH_SIZE)), ...(await findUnrecorded(em, BATCH_SIZE))];
  for (const id of stopped)
    await completeBuild(context, id).catch(error => context.warn(error, LOG_MESSAGES.buildNotCompleted(id)));
  for (const { runId, total } of await findAbandoned(em, timeoutMinutes, BATCH_SIZE)) {
    const [run] = await findRuns(em, [runId]);
    const { finalized } = await countBuild(em, runId);
    const reason = BUILD_ERRORS.abandoned(timeoutMinutes, finalized, total);
    // A request may finalize it now.
    if (run) await failRun(context, run, reason, tx => lockAbandoned(tx, runId, timeoutMinutes));
  }
  await deleteUnusedImages(em);
}
