import { createHash } from "node:crypto";
import { pageUrl } from "../../shared/capture/page-url.ts";
import { type Claimed, claimRoutes } from "./job.store.ts";
import { captureOptionsFor } from "./plan-screenshots.ts";
import type { RunWithOptions } from "./run.entity.ts";
import { findRunsWithOptions } from "./run.store.ts";
import type { RunsNode } from "./runs-node.ts";

/** Routes of one team in the queue at once, at least: few enough that other teams, and a small run of the same, are soon their turn. */
const SMALLEST_WINDOW = 32;
/** A page that is being rendered, and one that waits for its place. */
export const ROUTES_PER_PAGE = 2;

/** Queues a team's next routes, a job each with all its viewports; its runs take turns. */
export function dispatchCaptures(node: RunsNode, teamId: string): Promise<void> {
  // Two hundred submissions at once need one look at what is to be queued, not as many.
  return node.dispatches.take(teamId, () => dispatch(node, teamId));
}

async function dispatch(node: RunsNode, teamId: string): Promise<void> {
  const window = Math.max(SMALLEST_WINDOW, ROUTES_PER_PAGE * node.renderCapacity());
  const { claimed, more } = await claimRoutes(node.em(), teamId, window);
  if (more) node.waitingTeams.add(teamId);
  else node.waitingTeams.delete(teamId);
  if (claimed.length === 0) return;
  const runIds = new Set(claimed.map(screenshot => screenshot.runId));
  const runs = await findRunsWithOptions(node.em(), [...runIds]);
  // One that was canceled meanwhile has no options any more: it would be looked at otherwise than it asked for.
  const open = runs.filter(run => run.completedAt === null);
  await Promise.all(
    open.map(run =>
      enqueueRoutes(
        node,
        run,
        claimed.filter(({ runId }) => runId === run.id),
      ),
    ),
  );
}

async function enqueueRoutes(node: RunsNode, run: RunWithOptions, claimed: Claimed[]): Promise<void> {
  const routes = Map.groupBy(
    claimed.toSorted((a, b) => a.position - b.position),
    screenshot => screenshot.route,
  );
  await Promise.all([...routes].map(([route, screenshots]) => enqueueRoute(node, run, route, screenshots)));
}

async function enqueueRoute(
  node: RunsNode,
  run: RunWithOptions,
  route: string,
  screenshots: Claimed[],
): Promise<void> {
  const job = {
    runId: run.id,
    teamId: run.teamId,
    url: pageUrl(run.url, route),
    options: captureOptionsFor(run.options, route),
    screenshots: screenshots.map(({ id, viewport, baselineHash }) => {
      const token = node.tokens.issue("capture", run.id, id);
      return { id, viewport, baselineHash, token };
    }),
  };
  const attempt = Math.max(...screenshots.map(({ dispatches }) => dispatches));
  await node.queue.enqueue("capture", job, { id: captureJobId(route), fairKey: run.id, attempt });
}

/** A route as a job's id: a route itself may hold any character. */
export function captureJobId(route: string): string {
  return createHash("sha256").update(route).digest("hex").slice(0, 32);
}
