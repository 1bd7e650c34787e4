import { fingerprintId } from "../../../shared/contracts/capture/rendering.ts";
import type { CapturedScreenshot } from "../../../shared/contracts/runs/jobs.ts";
import type { Run } from "../run.entity.ts";
import type { RunsContext } from "../runs-context.ts";
import type { Screenshot } from "../screenshot.entity.ts";
import { followRenderers } from "./follow-renderers.ts";
import { type Pin, pinRenderings, releaseMismatchedCaptures } from "./rendering.store.ts";
import { renderingKey, renderingOf } from "./rendering-of.rule.ts";

/** A capture with its screenshot and run. */
interface Captured {
  capture: CapturedScreenshot;
  screenshot: Screenshot;
  run: Run;
}

/**
 * Returns the captures whose rendering matches the one of their run and region. Releases the others, so that they are
 * captured again. The first capture of a run without a rendering fixes it.
 */
export async function releaseMismatched(context: RunsContext, captured: Captured[]): Promise<Captured[]> {
  const renderings = await renderingsOf(context, captured);
  const isMismatched = ({ capture, run, screenshot: { region } }: Captured) => {
    const pinned = renderingOf({ renderings: renderings.get(run.id) ?? run.renderings }, region);
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

/** Returns the renderings of runs for which these captures fix one. */
function renderingsOf(
  context: RunsContext,
  captured: Captured[],
): Promise<Map<string, Record<string, string>>> {
  const first = new Map<string, Pin>();
  for (const { run, capture, screenshot } of captured) {
    const { region } = screenshot;
    const { data: rendering } = fingerprintId.safeParse(capture.rendering);
    const key = `${run.id} ${renderingKey(region)}`;
    if (renderingOf(run, region) === null && rendering && !first.has(key))
      first.set(key, { runId: run.id, region, rendering });
  }
  return pinRenderings(context.em(), [...first.values()]);
}
