import type { EntityManager } from "../../../mixins/database.ts";
import { emit } from "../../../shared/contracts/bus.ts";
import type { ProvedScreenshot } from "../../../shared/contracts/runs/jobs.ts";
import { publishProgress } from "../capture/advance-runs.ts";
import { NO_TALLY } from "../capture/conclude.rule.ts";
import { findRunOfAnyTeam } from "../run.store.ts";
import type { RunsContext } from "../runs-context.ts";
import { findScreenshots } from "../screenshot.store.ts";
import { endProofs, markProvenCauses, type StoredProof } from "./proof.store.ts";

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
  for (const { runId, screenshotId, result } of ended.toSorted((a, b) => (a.runId < b.runId ? -1 : 1))) {
    const [screenshot] = await findScreenshots(tx, runId, [screenshotId]);
    const causes = screenshot?.explanation?.causes ?? [];
    const proven = causes.filter(({ file }) => file !== null && result?.files.includes(file.url));
    await markProvenCauses(
      tx,
      runId,
      proven.map(({ key }) => key),
    );
  }
  return ended;
}
