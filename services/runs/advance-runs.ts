import { broadcast, emit } from "../../shared/contracts/bus.ts";
import { conclude } from "./conclude.ts";
import { dispatchCaptures } from "./dispatch-captures.ts";
import { progressOf } from "./present-run.ts";
import type { Run } from "./run.entity.ts";
import { closeRun, findRuns, markComparing, type RunTally, tallyRuns } from "./run.store.ts";
import type { RunsNode } from "./runs-node.ts";

/** Moves runs on after something came in for them: queues their next routes, or ends them, and tells how far they are. */
export async function advanceRuns(node: RunsNode, runIds: string[]): Promise<void> {
  if (runIds.length === 0) return;
  const em = node.em();
  const tallies = await tallyRuns(em, runIds);
  for (const run of await findRuns(em, runIds)) {
    const tally = tallies.get(run.id);
    if (tally && run.completedAt === null) await advance(node, run, tally);
  }
}

async function advance(node: RunsNode, run: Run, tally: RunTally): Promise<void> {
  const outcome = conclude(tally);
  if (outcome) {
    if (!(await closeRun(node.em(), run.id, outcome))) return;
    await tellProgress(node, { ...run, ...outcome }, tally);
    await emit(node.bus, "run.completed", { runId: run.id, teamId: run.teamId });
    return;
  }
  if (tally.waiting > 0) await dispatchCaptures(node, run);
  const allCaptured = tally.captured === tally.total;
  if (allCaptured && run.status !== "comparing") await markComparing(node.em(), run.id);
  await tellProgress(node, { ...run, status: allCaptured ? "comparing" : run.status }, tally);
}

/** Tells every gateway, for those who watch the run. */
export async function tellProgress(node: RunsNode, run: Run, tally: RunTally): Promise<void> {
  await broadcast(node.bus, "run.progressed", { teamId: run.teamId, ...progressOf(run, tally) });
}
