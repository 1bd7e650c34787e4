import { markRendering } from "../run.store.ts";
import type { RunsContext } from "../runs-context.ts";

/** More runs than a node renders at the same time. A deleted entry costs one statement. */
const MAX_RENDERING_RUNS = 1_000;

/** Marks runs as rendering, each once. */
export async function recordStarts(context: RunsContext, runIds: string[]): Promise<void> {
  const fresh = runIds.filter(id => !context.rendering.has(id));
  if (fresh.length === 0) return;
  await markRendering(context.em(), fresh);
  if (context.rendering.size > MAX_RENDERING_RUNS) context.rendering.clear();
  for (const id of fresh) context.rendering.add(id);
}
