import { captureOptionsFor, pageUrl } from "./plan-screenshots.ts";
import type { Run } from "./run.entity.ts";
import type { RunsNode } from "./runs-node.ts";
import { type Claimed, claimRoutes } from "./screenshot.store.ts";

/** Routes of one run in the queue at once: enough to keep many nodes busy, few enough that a small run is soon its turn. */
const WINDOW = 32;

/** Queues the run's next routes, a job each with all its viewports. */
export async function dispatchCaptures(node: RunsNode, run: Run): Promise<void> {
  const claimed = await claimRoutes(node.em(), run.id, WINDOW);
  const routes = Map.groupBy(
    claimed.toSorted((a, b) => a.position - b.position),
    screenshot => screenshot.route,
  );
  for (const [route, screenshots] of routes) await enqueueRoute(node, run, route, screenshots);
}

async function enqueueRoute(node: RunsNode, run: Run, route: string, screenshots: Claimed[]): Promise<void> {
  const job = {
    runId: run.id,
    teamId: run.teamId,
    url: pageUrl(run.url, route),
    options: captureOptionsFor(run.options, route),
    screenshots: screenshots.map(({ id, viewport, baselineHash }) => ({ id, viewport, baselineHash })),
  };
  await node.queue.enqueue("capture", job, { id: `${run.id} ${route}`, fairKey: run.id });
}
