import type { PeriodicTask } from "../../../shared/periodic-task.ts";
import type { RunsContext } from "../runs-context.ts";
import { LOG_MESSAGES } from "../texts.ts";
import { dispatchCaptures } from "./dispatch-captures.ts";
import { findPinnedRuns, moveRun, releaseQueued } from "./rendering.store.ts";

/** A node that is gone is noticed within seconds; its runs wait for one that draws alike a little longer. */
const FOLLOW_INTERVAL_MS = 5_000;

/** The following of the renderers as a node's chore. */
export function followRenderersTask(context: RunsContext): PeriodicTask {
  return {
    intervalMs: FOLLOW_INTERVAL_MS,
    failed: LOG_MESSAGES.notMoved,
    work: () => followRenderers(context),
  };
}

/**
 * Warns when renderers draw differently, and moves runs whose renderers are gone to others: one run is never of two
 * kinds of browser, and never waits forever for one.
 */
export async function followRenderers(context: RunsContext): Promise<void> {
  context.fleet.warnOfMix();
  const runs = await findPinnedRuns(context.em());
  const missing = new Set(context.fleet.missing([...new Set(runs.map(({ rendering }) => rendering))]));
  let moved = false;
  for (const run of runs.filter(({ rendering }) => missing.has(rendering))) {
    moved = (await moveToPresentRenderers(context, run)) || moved;
  }
  if (moved) await dispatchCaptures(context);
}

async function moveToPresentRenderers(
  context: RunsContext,
  run: { id: string; rendering: string },
): Promise<boolean> {
  const rendering = context.fleet.choose(new Map());
  if (rendering === null) return false;
  const recaptured = await context.em().transactional(tx => moveRun(tx, run, rendering));
  if (recaptured === null) return false;
  // Those jobs are for renderers that are gone.
  await context.queue.drop(run.id);
  // What was queued between the two is gone with them.
  await releaseQueued(context.em(), run.id);
  context.inform(LOG_MESSAGES.moved(run.rendering, run.id, rendering, recaptured));
  return true;
}
