import type { EntityManager } from "../../../mixins/database.ts";
import { forEachConcurrently } from "../../../shared/async.ts";
import { broadcast, emit } from "../../../shared/contracts/bus.ts";
import { traced } from "../../../shared/tracing/work-scope.ts";
import { countCauses } from "../capsules/capsule.store.ts";
import { publishSoon } from "../events/publish-events.ts";
import { insertEndEvents, insertRunEvent } from "../events/run-events.ts";
import { countIntended } from "../intent/count-intended.ts";
import { markChanged } from "../looks/mark-production.ts";
import { noteNoiseOfRun } from "../noise/note-noise.ts";
import { planNullRerun, recordNullRerunResult } from "../noise/null-rerun.store.ts";
import { keepOptions } from "../proofs/proof.store.ts";
import { progressOf } from "../queries/present-run.ts";
import type { Run } from "../run.entity.ts";
import { closeRun, findRuns, lockRun, markComparing, tallyRuns } from "../run.store.ts";
import { inRunScope } from "../run-scope.ts";
import type { RunsContext } from "../runs-context.ts";
import { reportMissed } from "../stories/report-missed.ts";
import { conclude, NO_TALLY, type Outcome, type RunTally } from "./conclude.rule.ts";

interface Ended {
  outcome: Outcome;
  tally: RunTally;
}

/**
 * Advances runs after results arrived: ends those without pending screenshots, and publishes their progress.
 * @throws the error of a run that can't be advanced. It doesn't stop the others
 */
export async function advanceRuns(context: RunsContext, runIds: string[]): Promise<void> {
  if (runIds.length === 0) return;
  const em = context.em();
  const runs = (await findRuns(em, runIds)).filter(run => run.completedAt === null);
  const tallies = await tallyRuns(em, runs);
  const tallyOf = (run: Run) => tallies.get(run.id) ?? NO_TALLY;
  const failures: unknown[] = [];
  await forEachConcurrently(
    runs,
    1,
    run => inRunScope(context, run, () => advance(context, run, tallyOf(run))),
    error => failures.push(error),
  );
  // Its results are handled again, and the recovery sweep finds it.
  if (failures.length > 0) throw failures[0];
}

async function advance(context: RunsContext, run: Run, tally: RunTally): Promise<void> {
  if (tally.pending === 0) {
    const ended = await traced("conclude run", () => end(context, run), { tags: { runId: run.id } });
    if (!ended) return;
    if (run.kind === "run") context.countEnded(ended.outcome.conclusion ?? ended.outcome.status);
    publishProgress(context, { ...run, ...ended.outcome }, ended.tally);
    if (run.kind === "run") publishCompleted(context, run);
    return;
  }
  const allCaptured = tally.captured === tally.total;
  if (allCaptured && run.status !== "comparing") await markComparing(context.em(), run.id);
  publishProgress(context, { ...run, status: allCaptured ? "comparing" : run.status }, tally);
}

/**
 * Ends a run without pending screenshots.
 * @returns how it ended, to the one caller who ended it; null if it had ended, or if screenshots are pending again
 */
function end(context: RunsContext, run: Run): Promise<Ended | null> {
  return context.em().transactional(async tx => {
    const locked = await lockRun(tx, run.id);
    if (locked?.completedAt !== null) return null;
    // A move to other renderers and an undo of a carried approval lock the run, so its tally may have changed by now.
    const tally = (await tallyRuns(tx, [run])).get(run.id) ?? NO_TALLY;
    const ended = await endAs(tx, run, tally);
    if (ended) await insertEndEvents(tx, context.links, { ...run, ...ended.outcome }, ended.tally);
    return ended;
  });
}

async function endAs(em: EntityManager, run: Run, tally: RunTally): Promise<Ended | null> {
  const outcome = conclude(tally);
  if (!outcome) return null;
  if (run.kind === "null-rerun") await recordNullRerunResult(em, run.id, tally);
  else if (tally.changed > 0) await markChanged(em, run);
  if (run.kind === "run") await reportMissed(em, run);
  if (run.kind !== "trial") await noteNoiseOfRun(em, run);
  // Uploaded screenshots can't be captured again, and a local application is gone when its run has ended. This needs
  // the run's options, which closing the run deletes.
  const isRepeatable = run.kind === "run" && run.source === "capture" && run.tunnel === null;
  if (isRepeatable && outcome.status === "completed") await planNullRerun(em, run);
  if (isRepeatable) await keepOptions(em, run);
  const causes = tally.changed > 0 ? await countCauses(em, run.id) : [];
  const intent = await countIntended(em, run);
  return (await closeRun(em, run.id, outcome, tally, { causes, intent })) ? { outcome, tally } : null;
}

/**
 * Fails an unfinished run with this reason, once.
 * @param mustFail returns, in the same transaction, whether the reason still holds
 */
export function failRun(
  context: RunsContext,
  run: Run,
  error: string,
  mustFail?: (tx: EntityManager) => Promise<boolean>,
): Promise<void> {
  const work = () =>
    traced("conclude run", () => fail(context, run, error, mustFail), { tags: { runId: run.id } });
  return inRunScope(context, run, work);
}

async function fail(
  context: RunsContext,
  run: Run,
  error: string,
  mustFail: (tx: EntityManager) => Promise<boolean> = async () => true,
): Promise<void> {
  const outcome = { status: "failed" as const, conclusion: null, error };
  const isClosed = await context.em().transactional(async tx => {
    if (!(await mustFail(tx)) || !(await closeRun(tx, run.id, outcome, NO_TALLY))) return false;
    await insertRunEvent(tx, context.links, "run.completed", { ...run, ...outcome }, NO_TALLY);
    return true;
  });
  if (!isClosed) return;
  context.countEnded(outcome.status);
  publishProgress(context, { ...run, ...outcome }, NO_TALLY);
  publishCompleted(context, run);
}

/** Publishes the run's progress to every gateway, for clients that watch it. */
export function publishProgress({ bus, pendingEvents }: RunsContext, run: Run, tally: RunTally): void {
  const { teamId, project } = run;
  pendingEvents.add(broadcast(bus, "run.progressed", { teamId, project, ...progressOf(run, tally) }));
}

function publishCompleted(context: RunsContext, { id: runId, teamId }: Run): void {
  const { bus, pendingEvents } = context;
  publishSoon(context);
  // Listeners on this node may wait for others, such as a code host. All results wait for this writer, so it doesn't
  // wait for them.
  pendingEvents.add(emit(bus, "run.completed", { runId, teamId }));
}
