import { type BegunChore, beginChore, beginChores } from "../../shared/periodic-task.ts";
import { bootstrapDue } from "./bootstrap/bootstrap-repositories.ts";
import { advanceDueChecks } from "./checks/advance-check.ts";
import { forgetOldChecks } from "./checks/check.store.ts";
import { type AppCheck, FAILED } from "./code-host/check-app.ts";
import { forgetOldAdoptions } from "./external-runs/external-run.store.ts";
import { forgetOldForwarded } from "./external-runs/forwarded-run.store.ts";
import { adoptDueRuns, findMissedRuns } from "./external-runs/report-external-run.ts";
import { carryMerged } from "./pull-requests/carry-merged.ts";
import type { ScmNode } from "./scm-context.ts";
import { LOG_MESSAGES } from "./texts.ts";
import { forgetOldDeliveries } from "./webhooks/delivery.store.ts";
import { handleDueDeliveries } from "./webhooks/handle-delivery.ts";

/** So often this node looks for checks that are due. */
const LOOK_EVERY_MS = 3_000;
const MISSED_EVERY_MS = 5 * 60_000;
/** Events get lost with the nodes that end. */
const MISSED_FIRST_AFTER_MS = 15_000;
/** How soon a code host that did not answer is asked again. */
const APP_EVERY_MS = 60_000;
const TIDY_EVERY_MS = 10 * 60_000;

/** Has this node take its turns: each thing that is due is done by one of the nodes. @returns the look for checks and runs, which ends all */
export function sweepRegularly(node: ScmNode, appCheck: AppCheck): BegunChore {
  const failed = LOG_MESSAGES.sweepFailed;
  const checks = beginChore(
    {
      everyMs: LOOK_EVERY_MS,
      work: async signal => {
        await advanceDueChecks(node, signal);
        await carryMerged(node);
      },
      failed,
    },
    node.warn,
  );
  // These by themselves: a large install, or many runs of others, must not keep checks waiting.
  const runs = beginChore(
    { everyMs: LOOK_EVERY_MS, work: signal => adoptDueRuns(node, signal), failed },
    node.warn,
  );
  const stopOthers = beginChores(
    [
      { everyMs: LOOK_EVERY_MS, work: signal => bootstrapDue(node, { signal }), failed },
      { everyMs: LOOK_EVERY_MS, work: signal => handleDueDeliveries(node, signal), failed },
      {
        everyMs: MISSED_EVERY_MS,
        firstAfterMs: MISSED_FIRST_AFTER_MS,
        work: () => findMissedRuns(node),
        failed: LOG_MESSAGES.completedNotRead,
      },
      { everyMs: APP_EVERY_MS, firstAfterMs: 0, work: () => appCheck.check(), failed: FAILED },
      {
        everyMs: TIDY_EVERY_MS,
        work: () => tidy(node),
        failed: LOG_MESSAGES.rowsNotDeleted,
      },
    ],
    node.warn,
  );
  return {
    soon() {
      checks.soon();
      runs.soon();
    },
    async stop() {
      await Promise.all([checks.stop(), runs.stop(), stopOthers()]);
    },
  };
}

async function tidy({ em }: ScmNode): Promise<void> {
  await forgetOldDeliveries(em());
  await forgetOldChecks(em());
  await forgetOldAdoptions(em());
  await forgetOldForwarded(em());
}
