import type { EntityManager } from "../../../mixins/database.ts";
import { forEachIsolated } from "../../../shared/async.ts";
import type { Bus } from "../../../shared/contracts/bus.ts";
import { deleteGoneTeams } from "../../../shared/delete-gone-teams.ts";
import type { PeriodicTask } from "../../../shared/periodic-task.ts";
import { deleteOldNoise } from "../noise/noise.store.ts";
import { LOG_MESSAGES } from "../texts.ts";
import { deleteOldRuns, deleteSuperseded, findTeams, leaseTask, renewTaskLease } from "./retention.store.ts";

const TASK = "prune-runs";
/** Days are counted, so that an hour more or less is no matter. */
const INTERVAL_MS = 3_600_000;
const POLL_INTERVAL_MS = 10 * 60_000;
/** Each has up to 2,000 screenshots: what is locked at once, and what a stopping node waits for. */
const RUN_BATCH_SIZE = 10;
const BASELINE_BATCH_SIZE = 1_000;
const OBSERVATION_BATCH_SIZE = 1_000;

/** What the pruning works with. */
export interface PruneContext {
  em(): EntityManager;
  bus: Bus;
  /** Days for which a team's runs are kept. */
  retentionDays(teamId: string): Promise<number>;
  /** Told of each run that is gone. */
  onRunDeleted(runId: string): void;
  /** Deletes all that a team had here. */
  deleteTeam(teamId: string): Promise<void>;
  warn(error: unknown, what: string): void;
}

/** What the pruning did. */
export interface Pruned {
  runs: number;
  baselines: number;
  /** Teams that were gone without this service having heard of it. */
  teams: number;
}

/** The pruning as a node's chore. @param tell is told what was done, when it was due */
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
 * Deletes runs that ended longer ago than their team's plan keeps them, approvals that have been superseded for good,
 * observations of noise that are too old to count, and what is left of teams that are gone, on one node at a time and every hour, however often it is asked to. The
 * baselines stay: an approval holds its own image, whichever run it came from. Images that no row refers to any more
 * are the cleanup's to remove.
 * @returns null when it was not due
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
  pruned.teams = (await deleteGoneTeams(pruner.bus, teams, deleteTeam, signal)).size;
  return pruned;
}

/** Adds to `pruned` what it deleted of a team. */
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
  await untilNone(pruner, signal, OBSERVATION_BATCH_SIZE, em =>
    deleteOldNoise(em, teamId, OBSERVATION_BATCH_SIZE),
  );
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
