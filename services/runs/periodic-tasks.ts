import { call } from "../../shared/contracts/bus.ts";
import type { PeriodicTask } from "../../shared/periodic-task.ts";
import { buildRecoveryTask } from "./builds/recover-builds.ts";
import { followRenderersTask } from "./capture/follow-renderers.ts";
import { recoverLostJobs } from "./capture/recover-lost-jobs.ts";
import { publishEventsTask } from "./events/publish-events.ts";
import { nullRerunTask } from "./noise/submit-null-reruns.ts";
import { forgetReviewersTask } from "./people/forget-reviewers.ts";
import { proofTask } from "./proofs/proof-task.ts";
import { imageCleanupTask } from "./retention/clean-images.ts";
import { deleteTeamData } from "./retention/delete-team-data.ts";
import { type PruneContext, retentionTask } from "./retention/prune-runs.ts";
import type { RunsContext } from "./runs-context.ts";
import { LOG_MESSAGES } from "./texts/log.ts";

/** Often enough that a run with lost messages waits only seconds. Rare enough to cost almost nothing. */
const RECOVERY_INTERVAL_MS = 15_000;

/** Returns everything that a node with this service does periodically. @param inform logs what a task did */
export function periodicTasks(
  context: RunsContext,
  inform: (done: object, what: string) => void,
): PeriodicTask[] {
  return [
    {
      intervalMs: RECOVERY_INTERVAL_MS,
      work: () => recoverLostJobs(context),
      failed: LOG_MESSAGES.recoveryFailed,
    },
    buildRecoveryTask(context, context.buildTimeoutMinutes),
    followRenderersTask(context),
    nullRerunTask(context),
    proofTask(context),
    imageCleanupTask({ em: context.em, images: context.images, kind: "images" }, inform),
    imageCleanupTask({ em: context.em, images: context.archiveFiles, kind: "archives" }, inform),
    publishEventsTask(context),
    forgetReviewersTask(context),
    retentionTask(pruneContextOf(context), inform),
  ];
}

function pruneContextOf(context: RunsContext): PruneContext {
  const { em, bus, ended, warn } = context;
  return {
    em,
    bus,
    deleteTeam: teamId => deleteTeamData(context, teamId),
    retentionDays: async teamId => (await call(bus, "billing.plan", { teamId })).retentionDays,
    onRunDeleted: id => ended.delete(id),
    warn,
  };
}
