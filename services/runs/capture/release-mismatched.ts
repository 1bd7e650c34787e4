import { fingerprintId } from "../../../shared/contracts/capture/rendering.ts";
import type { CapturedScreenshot } from "../../../shared/contracts/runs/jobs.ts";
import type { Run } from "../run.entity.ts";
import type { RunsContext } from "../runs-context.ts";
import type { Screenshot } from "../screenshot.entity.ts";
import { followRenderers } from "./follow-renderers.ts";
import { pinRenderings, releaseMismatchedCaptures } from "./rendering.store.ts";

/** A capture with its screenshot and run. */
interface Captured {
  capture: CapturedScreenshot;
  screenshot: Screenshot;
  run: Run;
}

/**
 * Returns the captures whose rendering matches their run's. Releases the others, so that they are captured again. The
 * first capture of a run without a rendering fixes it.
 */
export async function releaseMismatched(context: RunsContext, captured: Captured[]): Promise<Captured[]> {
  const renderings = await renderingsOf(context, captured);
  const isMismatched = ({ capture, run }: Captured) => {
    const pinned = renderings.get(run.id) ?? run.rendering;
    return capture.rendering !== null && pinned !== null && capture.rendering !== pinned;
  };
  const mismatched = captured.filter(isMismatched);
  if (mismatched.length === 0) return captured;
  await releaseMismatchedCaptures(
    context.em(),
    mismatched.map(({ screenshot }) => screenshot.id),
  );
  // A single node that draws differently after a browser restart doesn't need to wait for the periodic task.
  await followRenderers(context);
  return captured.filter(each => !isMismatched(each));
}

/** Returns the newly fixed renderings of these captures' runs. */
function renderingsOf(context: RunsContext, captured: Captured[]): Promise<Map<string, string>> {
  const first = new Map<string, string>();
  for (const { run, capture } of captured) {
    const { data: rendering } = fingerprintId.safeParse(capture.rendering);
    if (run.rendering === null && rendering && !first.has(run.id)) first.set(run.id, rendering);
  }
  return pinRenderings(
    context.em(),
    [...first].map(([runId, rendering]) => ({ runId, rendering })),
  );
}
