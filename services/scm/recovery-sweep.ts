import { type StartedTask, startPeriodicTask, startPeriodicTasks } from "../../shared/periodic-task.ts";
import { bootstrapDue } from "./bootstrap/bootstrap-repositories.ts";
import { advanceDueChecks } from "./checks/advance-check.ts";
import { deleteOldChecks } from "./checks/check.store.ts";
import { type AppCheck, FAILED } from "./code-host/check-app.ts";
import { deleteOldExternalRuns } from "./external-runs/external-run.store.ts";
import { deleteOldForwarded } from "./external-runs/forwarded-run.store.ts";
import { findMissedRuns, reportDueExternalRuns } from "./external-runs/report-external-run.ts";
import { carryMerged } from "./pull-requests/carry-merged.ts";
import type { ScmContext } from "./scm-context.ts";
import { LOG_MESSAGES } from "./texts.ts";
import { deleteOldDeliveries } from "./webhooks/delivery.store.ts";
import { handleDueDeliveries } from "./webhooks/handle-delivery.ts";

/** So often this node looks for checks that are due. */
const POLL_INTERVAL_MS = 3_000;
const MISSED_EVERY_MS = 5 * 60_000;
/** Events get lost with the nodes that end. */
const MISSED_FIRST_AFTER_MS = 15_000;
/** How soon a code host that did not answer is asked again. */
const APP_EVERY_MS = 60_000;
const CLEANUP_INTERVAL_MS = 10 * 60_000;

/** Has this node take its turns: each thing that is due is done by one of the nodes. @returns the look for checks and runs, which ends all */
export function startRecoverySweep(context: ScmContext, appCheck: AppCheck): StartedTask {
  const failed = LOG_MESSAGES.sweepFailed;
  const checks = startPeriodicTask(
    {
      intervalMs: POLL_INTERVAL_MS,
      work: async signal => {
        await advanceDueChecks(context, signal);
        await carryMerged(context);
      },
      failed,
    },
    context.warn,
  );
  // These by themselves: a large install, or many runs of others, must not keep checks waiting.
  const runs = startPeriodicTask(
    { intervalMs: POLL_INTERVAL_MS, work: signal => reportDueExternalRuns(context, signal), failed },
    context.warn,
  );
  const stopOthers = startPeriodicTasks(
    [
      { intervalMs: POLL_INTERVAL_MS, work: signal => bootstrapDue(context, { signal }), failed },
      { intervalMs: POLL_INTERVAL_MS, work: signal => handleDueDeliveries(context, signal), failed },
      {
        intervalMs: MISSED_EVERY_MS,
        firstDelayMs: MISSED_FIRST_AFTER_MS,
        work: () => findMissedRuns(context),
        failed: LOG_MESSAGES.completedNotRead,
      },
      { intervalMs: APP_EVERY_MS, firstDelayMs: 0, work: () => appCheck.check(), failed: FAILED },
      {
        intervalMs: CLEANUP_INTERVAL_MS,
        work: () => cleanUp(context),
        failed: LOG_MESSAGES.rowsNotDeleted,
      },
    ],
    context.warn,
  );
  return {
    wake() {
      checks.wake();
      runs.wake();
    },
    async stop() {
      await Promise.all([checks.stop(), runs.stop(), stopOthers()]);
    },
  };
}

async function cleanUp({ em }: ScmContext): Promise<void> {
  await deleteOldDeliveries(em());
  await deleteOldChecks(em());
  await deleteOldExternalRuns(em());
  await deleteOldForwarded(em());
}
