import type { Chore } from "../../../shared/periodic-task.ts";
import type { RunsNode } from "../runs-context.ts";
import { LOG_MESSAGES } from "../texts.ts";
import { dispatchCaptures } from "./dispatch-captures.ts";
import { findPinnedRuns, moveRun, releaseQueued } from "./rendering.store.ts";

/** A node that is gone is noticed within seconds; its runs wait for one that draws alike a little longer. */
const FOLLOW_EVERY_MS = 5_000;

/** The following of the renderers as a node's chore. */
export function rendererChore(node: RunsNode): Chore {
  return {
    everyMs: FOLLOW_EVERY_MS,
    failed: LOG_MESSAGES.notMoved,
    work: () => followRenderers(node),
  };
}

/**
 * Warns when renderers draw differently, and moves runs whose renderers are gone to others: one run is never of two
 * kinds of browser, and never waits forever for one.
 */
export async function followRenderers(node: RunsNode): Promise<void> {
  node.fleet.warnOfMix();
  const runs = await findPinnedRuns(node.em());
  const gone = new Set(node.fleet.gone([...new Set(runs.map(({ rendering }) => rendering))]));
  let moved = false;
  for (const run of runs.filter(({ rendering }) => gone.has(rendering))) {
    moved = (await move(node, run)) || moved;
  }
  if (moved) await dispatchCaptures(node);
}

async function move(node: RunsNode, run: { id: string; rendering: string }): Promise<boolean> {
  const rendering = node.fleet.choose(new Map());
  if (rendering === null) return false;
  const again = await node.em().transactional(tx => moveRun(tx, run, rendering));
  if (again === null) return false;
  // Those jobs are for renderers that are gone.
  await node.queue.drop(run.id);
  // What was queued between the two is gone with them.
  await releaseQueued(node.em(), run.id);
  node.inform(LOG_MESSAGES.moved(run.rendering, run.id, rendering, again));
  return true;
}
