import { broadcast, emit } from "../../shared/contracts/bus.ts";
import { conclude } from "./conclude.ts";
import { dispatchCaptures } from "./dispatch-captures.ts";
import { progressOf } from "./present-run.ts";
import type { Run } from "./run.entity.ts";
import { closeRun, findRuns, markComparing, tallyRuns } from "./run.store.ts";
import { NO_TALLY, type RunTally } from "./run-tally.ts";
import type { RunsNode } from "./runs-node.ts";

/** Moves runs on after something came in for them: queues their next routes, or ends them, and tells how far they are. */
export async function advanceRuns(node: RunsNode, runIds: string[]): Promise<void> {
  if (runIds.length === 0) return;
  const em = node.em();
  const runs = (await findRuns(em, runIds)).filter(run => run.completedAt === null);
  const tallies = await tallyRuns(em, runs);
  const tallyOf = (run: Run) => tallies.get(run.id) ?? NO_TALLY;
  for (const run of runs) await advance(node, run, tallyOf(run));
  const waiting = runs.filter(run => tallyOf(run).waiting > 0 || node.waitingTeams.has(run.teamId));
  for (const teamId of new Set(waiting.map(run => run.teamId))) await dispatchCaptures(node, teamId);
}

async function advance(node: RunsNode, run: Run, tally: RunTally): Promise<void> {
  const outcome = conclude(tally);
  if (outcome) {
    if (!(await closeRun(node.em(), run.id, outcome, tally))) return;
    await tellProgress(node, { ...run, ...outcome }, tally);
    await emit(node.bus, "run.completed", { runId: run.id, teamId: run.teamId });
    return;
  }
  const allCaptured = tally.captured === tally.total;
  if (allCaptured && run.status !== "comparing") await markComparing(node.em(), run.id);
  await tellProgress(node, { ...run, status: allCaptured ? "comparing" : run.status }, tally);
}

/** Tells every gateway, for those who watch the run. */
export async function tellProgress(node: RunsNode, run: Run, tally: RunTally): Promise<void> {
  await broadcast(node.bus, "run.progressed", { teamId: run.teamId, ...progressOf(run, tally) });
}
