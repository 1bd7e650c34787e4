import type { EntityManager } from "../../../mixins/database.ts";
import { emit } from "../../../shared/contracts/bus.ts";
import type { ProvedScreenshot } from "../../../shared/contracts/runs/jobs.ts";
import { publishProgress } from "../capture/advance-runs.ts";
import { NO_TALLY } from "../capture/conclude.rule.ts";
import { findRunOfAnyTeam } from "../run.store.ts";
import type { RunsContext } from "../runs-context.ts";
import { endProofs, findProvenCauses, markProvenCauses, type StoredProof } from "./proof.store.ts";

/** Records the results of proofs, each once, and publishes them. */
export async function recordProofs(context: RunsContext, results: ProvedScreenshot[]): Promise<void> {
  if (results.length === 0) return;
  // In one transaction: a repeated result finds its proof ended, and would no longer mark its causes.
  const ended = await context.em().transactional(tx => endAndMark(tx, results));
  for (const { runId } of ended) {
    const run = await findRunOfAnyTeam(context.em(), runId);
    if (!run) continue;
    context.ended.delete(runId);
    // The dashboards reload the run, and the code host's comment is updated.
    publishProgress(context, run, run.tally ?? NO_TALLY);
    context.pendingEvents.add(emit(context.bus, "run.proved", { runId, teamId: run.teamId }));
  }
}

/** Ends proofs, and marks the causes that they prove. @returns those that this caller ended */
async function endAndMark(tx: EntityManager, results: ProvedScreenshot[]): Promise<StoredProof[]> {
  const ended = await endProofs(
    tx,
    results.map(({ runId, screenshotId, outcome, files, tried, unkept, captures, reason }) => {
      return { screenshotId, runId, result: { outcome, files, tried, unkept, captures, reason } };
    }),
  );
  // Sorted, so that two writers lock runs in the same order.
  for (const runId of [...new Set(ended.map(proof => proof.runId))].sort())
    await markProvenCauses(tx, runId, await findProvenCauses(tx, runId));
  return ended;
}
