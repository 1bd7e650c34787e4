import type { EntityManager } from "../../../mixins/database.ts";
import { forEachIsolated } from "../../../shared/async.ts";
import type { Bus } from "../../../shared/contracts/bus.ts";
import { deleteGoneTeams } from "../../../shared/delete-gone-teams.ts";
import type { PeriodicTask } from "../../../shared/periodic-task.ts";
import { deleteOrphanedArchives, deleteUnusedArchives } from "../archives/archive.store.ts";
import { deleteUnusedAttachments } from "../attachments/attachment.store.ts";
import { deletePairs } from "../comparisons/pair.store.ts";
import { deleteOldLooks } from "../looks/look.store.ts";
import { deleteOldNoise } from "../noise/noise.store.ts";
import { deleteOldStoryRecords } from "../stories/story-record.store.ts";
import { LOG_MESSAGES } from "../texts/log.ts";
import { deleteOldRuns, deleteSuperseded, findTeams, leaseTask, renewTaskLease } from "./retention.store.ts";

const TASK = "prune-runs";
/** Retention is counted in days, so an hour doesn't matter. */
const INTERVAL_MS = 3_600_000;
const POLL_INTERVAL_MS = 10 * 60_000;
/** Each run has up to 2,000 screenshots. This bounds the locks, and the wait of a stopping node. */
const RUN_BATCH_SIZE = 10;
const BASELINE_BATCH_SIZE = 1_000;
/** Each has up to 20,000 rows of files. */
const ARCHIVE_BATCH_SIZE = 50;
const ATTACHMENT_BATCH_SIZE = 1_000;
const OBSERVATION_BATCH_SIZE = 1_000;
const PAIR_BATCH_SIZE = 1_000;
const LOOK_BATCH_SIZE = 1_000;
const STORY_BATCH_SIZE = 1_000;

/** Dependencies of the pruning. */
export interface PruneContext {
  em(): EntityManager;
  bus: Bus;
  /** Returns the number of days for which a team's runs are kept. */
  retentionDays(teamId: string): Promise<number>;
  /** Called for each deleted run. */
  onRunDeleted(runId: string): void;
  /** Deletes all data of a team. */
  deleteTeam(teamId: string): Promise<void>;
  warn(error: unknown, what: string): void;
}

/** Results of the pruning. */
export interface Pruned {
  runs: number;
  baselines: number;
  /** Deleted teams whose event this service missed. */
  teams: number;
}

/** Returns the pruning as a periodic task. @param inform logs what the pruning did */
export function retentionTask(
  pruner: PruneContext,
  inform: (done: Pruned, what: string) => void,
): PeriodicTask {
  return {
    intervalMs: POLL_INTERVAL_MS,
    failed: LOG_MESSAGES.runsNotDeleted,
    async work(signal) {
      const pruned = await pruneRuns(pruner, signal);
      if (pruned) inform(pruned, LOG_MESSAGES.runsDeleted);
    },
  };
}

/**
 * Deletes data beyond its retention. It runs on one node at a time, at most every hour.
 * It deletes runs beyond their plan's retention, permanently superseded approvals, attachments that no run
 * shows, old observations of noise, unread comparisons, old looks, and data of deleted teams. Baselines stay, because an approval keeps its own image, whichever run it came from. The image
 * cleanup deletes images without rows.
 * @returns null if it wasn't due
 */
export async function pruneRuns(pruner: PruneContext, signal: AbortSignal): Promise<Pruned | null> {
  if (signal.aborted || !(await leaseTask(pruner.em(), TASK, INTERVAL_MS))) return null;
  const pruned: Pruned = { runs: 0, baselines: 0, teams: 0 };
  const teams = await findTeams(pruner.em());
  await forEachIsolated(
    teams,
    teamId => pruneTeam(pruner, teamId, pruned, signal),
    (error, teamId) => pruner.warn(error, LOG_MESSAGES.runsOfNotDeleted(teamId)),
  );
  const deleteTeam = async (teamId: string) => {
    await pruner.deleteTeam(teamId);
    await renewTaskLease(pruner.em(), TASK);
  };
  await untilNone(pruner, signal, ARCHIVE_BATCH_SIZE, em => deleteOrphanedArchives(em, ARCHIVE_BATCH_SIZE));
  pruned.teams = (await deleteGoneTeams(pruner.bus, teams, deleteTeam, signal)).size;
  return pruned;
}

/** Deletes old data of a team, and adds the numbers to `pruned`. */
async function pruneTeam(
  pruner: PruneContext,
  teamId: string,
  pruned: Pruned,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return;
  const days = await pruner.retentionDays(teamId);
  pruned.runs += await untilNone(pruner, signal, RUN_BATCH_SIZE, async em => {
    const ids = await deleteOldRuns(em, teamId, days, RUN_BATCH_SIZE);
    for (const id of ids) pruner.onRunDeleted(id);
    return ids.length;
  });
  pruned.baselines += await untilNone(pruner, signal, BASELINE_BATCH_SIZE, em =>
    deleteSuperseded(em, teamId, days, BASELINE_BATCH_SIZE),
  );
  await untilNone(pruner, signal, ARCHIVE_BATCH_SIZE, em =>
    deleteUnusedArchives(em, teamId, ARCHIVE_BATCH_SIZE),
  );
  await untilNone(pruner, signal, ATTACHMENT_BATCH_SIZE, em =>
    deleteUnusedAttachments(em, teamId, ATTACHMENT_BATCH_SIZE),
  );
  await untilNone(pruner, signal, OBSERVATION_BATCH_SIZE, em =>
    deleteOldNoise(em, teamId, OBSERVATION_BATCH_SIZE),
  );
  await untilNone(pruner, signal, PAIR_BATCH_SIZE, em => deletePairs(em, teamId, PAIR_BATCH_SIZE));
  await untilNone(pruner, signal, STORY_BATCH_SIZE, em =>
    deleteOldStoryRecords(em, teamId, STORY_BATCH_SIZE),
  );
  await untilNone(pruner, signal, LOOK_BATCH_SIZE, em => deleteOldLooks(em, teamId, LOOK_BATCH_SIZE));
}

async function untilNone(
  pruner: PruneContext,
  signal: AbortSignal,
  batchSize: number,
  deletePart: (em: EntityManager) => Promise<number>,
): Promise<number> {
  let sum = 0;
  while (!signal.aborted) {
    const deleted = await deletePart(pruner.em());
    sum += deleted;
    await renewTaskLease(pruner.em(), TASK);
    if (deleted < batchSize) break;
  }
  return sum;
}
