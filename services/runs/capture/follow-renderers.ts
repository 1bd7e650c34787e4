import type { PeriodicTask } from "../../../shared/periodic-task.ts";
import type { RunsContext } from "../runs-context.ts";
import { LOG_MESSAGES } from "../texts/log.ts";
import { RUN_ERRORS } from "../texts/runs.ts";
import { captureJobId } from "./capture-job.ts";
import { dispatchCaptures, failCaptures } from "./dispatch-captures.ts";
import { findUncaptured, findUncapturedIn, moveRun, type Pin, releaseQueued } from "./rendering.store.ts";

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
 * Warns when renderers draw differently, moves runs from missing renderers to others of the region, and fails
 * screenshots of regions that have no renderer. A region of a run never mixes renderings, and no run waits forever.
 */
export async function followRenderers(context: RunsContext): Promise<void> {
  context.fleet.warnOfMix();
  const parts = await findUncaptured(context.em());
  const pins = parts.flatMap(part => {
    const { runId, region, rendering } = part;
    return rendering === null ? [] : [{ runId, region, rendering }];
  });
  let isReleased = false;
  for (const pin of context.fleet.missing(pins))
    isReleased = (await moveToPresentRenderers(context, pin)) || isReleased;
  const absent = context.fleet.absent(new Set(parts.flatMap(({ region }) => region ?? [])));
  for (const part of parts)
    if (part.region !== null && absent.has(part.region))
      await failRegion(context, { runId: part.runId, region: part.region });
  if (isReleased) await dispatchCaptures(context);
}

async function moveToPresentRenderers(context: RunsContext, pin: Pin): Promise<boolean> {
  const { runId, region } = pin;
  const rendering = context.fleet.choose(new Map(), region);
  if (rendering === null) return false;
  const recaptured = await context.em().transactional(tx => moveRun(tx, pin, rendering));
  if (recaptured === null) return false;
  await dropQueued(context, runId);
  context.inform(LOG_MESSAGES.moved(pin.rendering, runId, rendering, recaptured));
  return true;
}

/**
 * Fails the uncaptured screenshots of a region that has no renderer. Its queued jobs are removed first, because the
 * renderers of other regions would return them to each other for as long as none of this one comes back. The run's other
 * jobs and results stay.
 */
async function failRegion(
  context: RunsContext,
  { runId, region }: { runId: string; region: string },
): Promise<void> {
  const screenshots = await findUncapturedIn(context.em(), runId, region);
  const jobs = new Set(screenshots.flatMap(shot => (shot.isQueued ? captureJobId(shot) : [])));
  if (jobs.size > 0) await context.queue.dropWaiting("capture", runId, jobs);
  await failCaptures(context, screenshots, { reason: RUN_ERRORS.noRegion(region), blame: "service" });
}

/** Removes a run's jobs, which are for renderers that are missing. */
async function dropQueued(context: RunsContext, runId: string): Promise<void> {
  await context.queue.drop(runId);
  // Jobs that were queued in between were dropped too.
  await releaseQueued(context.em(), runId);
}
