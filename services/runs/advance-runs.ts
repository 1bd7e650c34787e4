import { broadcast, emit } from "../../shared/contracts/bus.ts";
import { conclude } from "./conclude.ts";
import { dispatchCaptures } from "./dispatch-captures.ts";
import { progressOf } from "./present-run.ts";
import type { Run } from "./run.entity.ts";
import { closeRun, findRuns, markComparing, tallyRuns } from "./run.store.ts";
import { NO_TALLY, type RunTally } from "./run-tally.ts";
import type { RunsNode } from "./runs-node.ts";

/** Screenshots under way below which a run gets its next window: half of it at least is still there to render meanwhile. */
const REFILL_BELOW = 16;

/** Moves runs on after something came in for them: queues their next routes, or ends them, and tells how far they are. */
export async function advanceRuns(node: RunsNode, runIds: string[]): Promise<void> {
  if (runIds.length === 0) return;
  const em = node.em();
  const runs = (await findRuns(em, runIds)).filter(run => run.completedAt === null);
  const tallies = await tallyRuns(em, runs);
  for (const run of runs) await advance(node, run, tallies.get(run.id) ?? NO_TALLY);
}

async function advance(node: RunsNode, run: Run, tally: RunTally): Promise<void> {
  const outcome = conclude(tally);
  if (outcome) {
    if (!(await closeRun(node.em(), run.id, outcome, tally))) return;
    await tellProgress(node, { ...run, ...outcome }, tally);
    await emit(node.bus, "run.completed", { runId: run.id, teamId: run.teamId });
    return;
  }
  if (tally.waiting > 0 && tally.underWay < REFILL_BELOW) await dispatchCaptures(node, run);
  const allCaptured = tally.captured === tally.total;
  if (allCaptured && run.status !== "comparing") await markComparing(node.em(), run.id);
  await tellProgress(node, { ...run, status: allCaptured ? "comparing" : run.status }, tally);
}

/** Tells every gateway, for those who watch the run. */
export async function tellProgress(node: RunsNode, run: Run, tally: RunTally): Promise<void> {
  await broadcast(node.bus, "run.progressed", { teamId: run.teamId, ...progressOf(run, tally) });
}
