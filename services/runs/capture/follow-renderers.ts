import type { PeriodicTask } from "../../../shared/periodic-task.ts";
import type { RunsContext } from "../runs-context.ts";
import { LOG_MESSAGES } from "../texts/log.ts";
import { dispatchCaptures } from "./dispatch-captures.ts";
import { findPinnedRuns, moveRun, releaseQueued } from "./rendering.store.ts";

/** A lost node is noticed within seconds. Its runs then wait a little longer for a node that draws alike. */
const FOLLOW_INTERVAL_MS = 5_000;

/** Returns the periodic task that follows the renderers. */
export function followRenderersTask(context: RunsContext): PeriodicTask {
  return {
    intervalMs: FOLLOW_INTERVAL_MS,
    failed: LOG_MESSAGES.notMoved,
    work: () => followRenderers(context),
  };
}

/**
 * Warns when renderers draw differently, and moves runs from missing renderers to others. A run never mixes renderings,
 * and never waits forever for one.
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
  // These jobs are for renderers that are missing.
  await context.queue.drop(run.id);
  // Jobs that were queued in between were dropped too.
  await releaseQueued(context.em(), run.id);
  context.inform(LOG_MESSAGES.moved(run.rendering, run.id, rendering, recaptured));
  return true;
}
