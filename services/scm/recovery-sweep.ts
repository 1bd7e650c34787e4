import { onOneNode } from "../../mixins/database/on-one-node.ts";
import { deleteAllGoneTeams } from "../../shared/delete-gone-teams.ts";
import { type StartedTask, startPeriodicTask, startPeriodicTasks } from "../../shared/periodic-task.ts";
import { bootstrapDueRepositories } from "./bootstrap/bootstrap-repositories.ts";
import { advanceDueChecks } from "./checks/advance-check.ts";
import { deleteOldChecks } from "./checks/check.store.ts";
import { type AppCheck, FAILED } from "./code-host/github/check-app.ts";
import { type HookContext, putDueHooks } from "./connections/put-hook.ts";
import { rotateDueTokens } from "./connections/rotate-tokens.ts";
import { deleteOldExternalRuns } from "./external-runs/external-run.store.ts";
import { findMissedRuns } from "./external-runs/find-missed-runs.ts";
import { deleteOldForwarded } from "./external-runs/forwarded-run.store.ts";
import { reportDueExternalRuns } from "./external-runs/report-external-run.ts";
import { carryMerged } from "./pull-requests/carry-merged.ts";
import type { ScmContext } from "./scm-context.ts";
import { deleteTeamData, findTeams } from "./team-data.store.ts";
import { LOG_MESSAGES } from "./texts/log.ts";
import { mirrorDueThreads } from "./threads/mirror-threads.ts";
import { deleteOldMirrors, requestOpenMirrors } from "./threads/thread.store.ts";
import { deleteOldDeliveries } from "./webhooks/delivery.store.ts";
import { handleDueDeliveries } from "./webhooks/handle-delivery.ts";
import { deleteOldHandledEvents } from "./webhooks/handled-event.store.ts";

const POLL_INTERVAL_MS = 3_000;
const MISSED_RUNS_INTERVAL_MS = 5 * 60_000;
/** Events get lost with the nodes that should send them. */
const MISSED_RUNS_DELAY_MS = 15_000;
/** The interval between requests to a code host that does not respond. */
const APP_CHECK_INTERVAL_MS = 60_000;
const ROTATION_INTERVAL_MS = 15 * 60_000;
const HOOKS_INTERVAL_MS = 60_000;
/** Comments are mirrored at once. This recovers lost events. */
const OPEN_THREADS_INTERVAL_MS = 10 * 60_000;
const CLEANUP_INTERVAL_MS = 10 * 60_000;
/** The event of a team's deletion does this at once. */
const GONE_TEAMS_INTERVAL_MS = 3_600_000;
/** The table of tasks that one node does for all. */
const TASKS = "scm.periodic_task";

/** The dependencies of the recovery sweep. */
interface RecoveryContext extends ScmContext, HookContext {
  /** Whether another installation does the runs, so that its teams are unknown here. */
  isRemote: boolean;
}

/**
 * Starts the tasks of this node. Without an app, they serve the connections of teams. One node does each
 * due piece of work.
 * @param appCheck null without an app
 * @returns the task for checks and external runs, which stops all tasks
 */
export function startRecoverySweep(context: RecoveryContext, appCheck: AppCheck | null): StartedTask {
  const failed = LOG_MESSAGES.sweepFailed;
  const checks = startPeriodicTask(
    { intervalMs: POLL_INTERVAL_MS, work: signal => advanceDueChecks(context, signal), failed },
    context.warn,
  );
  // A task of its own, because many external runs must not delay checks.
  const runs = startPeriodicTask(
    { intervalMs: POLL_INTERVAL_MS, work: signal => reportDueExternalRuns(context, signal), failed },
    context.warn,
  );
  // Threads too: a slow code host must not delay checks for them.
  const threads = startPeriodicTask(
    { intervalMs: POLL_INTERVAL_MS, work: signal => mirrorDueThreads(context, signal), failed },
    context.warn,
  );
  const stopOthers = startPeriodicTasks(
    [
      { intervalMs: POLL_INTERVAL_MS, work: signal => bootstrapDueRepositories(context, signal), failed },
      { intervalMs: POLL_INTERVAL_MS, work: signal => handleDueDeliveries(context, signal), failed },
      { intervalMs: POLL_INTERVAL_MS, work: () => carryMerged(context), failed: LOG_MESSAGES.notCarried },
      onOneNode(
        context.em,
        { table: TASKS, name: "missed-runs" },
        {
          intervalMs: MISSED_RUNS_INTERVAL_MS,
          firstDelayMs: MISSED_RUNS_DELAY_MS,
          work: signal => findMissedRuns(context, signal),
          failed: LOG_MESSAGES.completedNotRead,
        },
      ),
      ...(appCheck === null
        ? []
        : [
            {
              intervalMs: APP_CHECK_INTERVAL_MS,
              firstDelayMs: 0,
              work: () => appCheck.check(),
              failed: FAILED,
            },
          ]),
      { intervalMs: HOOKS_INTERVAL_MS, work: signal => putDueHooks(context, signal), failed },
      { intervalMs: ROTATION_INTERVAL_MS, work: signal => rotateDueTokens(context, signal), failed },
      {
        intervalMs: OPEN_THREADS_INTERVAL_MS,
        firstDelayMs: MISSED_RUNS_DELAY_MS,
        work: () => requestOpenMirrors(context.em()),
        failed: LOG_MESSAGES.threadsNotRequested,
      },
      {
        intervalMs: CLEANUP_INTERVAL_MS,
        work: () => cleanUp(context),
        failed: LOG_MESSAGES.rowsNotDeleted,
      },
      ...(context.isRemote
        ? []
        : [
            onOneNode(
              context.em,
              { table: TASKS, name: "gone-teams" },
              {
                intervalMs: GONE_TEAMS_INTERVAL_MS,
                work: signal => deleteAllGone(context, signal),
                failed: LOG_MESSAGES.goneTeamsNotDeleted,
              },
            ),
          ]),
    ],
    context.warn,
  );
  return {
    wake() {
      checks.wake();
      runs.wake();
      threads.wake();
    },
    async stop() {
      await Promise.all([checks.stop(), runs.stop(), threads.stop(), stopOthers()]);
    },
  };
}

/** Deletes the data of deleted teams whose event got lost. Any number of nodes can run it at once. */
export async function deleteAllGone(
  { em, bus }: Pick<ScmContext, "em" | "bus">,
  signal?: AbortSignal,
): Promise<void> {
  const deleteTeam = (teamId: string) => deleteTeamData(em(), teamId);
  await deleteAllGoneTeams(bus, { findTeams: page => findTeams(em(), page), deleteTeam }, signal);
}

async function cleanUp({ em }: ScmContext): Promise<void> {
  await deleteOldDeliveries(em());
  await deleteOldHandledEvents(em());
  await deleteOldChecks(em());
  await deleteOldExternalRuns(em());
  await deleteOldForwarded(em());
  await deleteOldMirrors(em());
}
