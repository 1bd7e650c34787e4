import { createHash } from "node:crypto";
import type { EntityManager } from "../../../mixins/database.ts";
import { pageUrl } from "../../../shared/capture/network/page-url.ts";
import type { RunWithOptions } from "../run.entity.ts";
import { findRunsWithOptions } from "../run.store.ts";
import type { RunsContext } from "../runs-context.ts";
import { captureOptionsFor } from "../submission/plan-screenshots.rule.ts";
import {
  chargeSlots,
  countQueuedRoutes,
  type DispatchedScreenshot,
  dispatchRoutes,
  findShares,
  findSharingRuns,
  lockSlots,
  writeShares,
} from "./dispatch.store.ts";
import { countBaselineRenderings, pinRenderings } from "./rendering.store.ts";
import { shareSlots } from "./share-slots.rule.ts";

/** One page is rendering, and one waits for its slot. */
export const ROUTES_PER_PAGE = 2;
/** Slots while no renderer is known, so that the first renderer finds work. */
const UNKNOWN_SLOTS = 2;
/** The only key: each call needs one dispatch. */
const DISPATCH = "captures";
/** The longest time that a renderer can charge for one page. */
const LONGEST_HOLD_MS = 60 * 60_000;

/**
 * Queues the next routes, as one job per route with all its viewports.
 * Teams share the renderers' slots by the time that they hold them, then a team's projects, then a project's runs.
 */
export function dispatchCaptures(context: RunsContext): Promise<void> {
  // Many simultaneous submissions need one dispatch, not one each.
  return context.dispatches.run(DISPATCH, () => dispatch(context));
}

/** Records how long a page held its slot. The next dispatch charges it. */
export function noteHeldTime(context: Pick<RunsContext, "held">, runId: string, heldMs: number): void {
  const held = context.held.get(runId) ?? { runId, heldMs: 0, pages: 0 };
  held.heldMs += Math.min(Math.max(0, heldMs), LONGEST_HOLD_MS);
  held.pages += 1;
  context.held.set(runId, held);
}

async function dispatch(context: RunsContext): Promise<void> {
  const held = [...context.held.values()];
  context.held.clear();
  const { runIds, dispatched } = await context.em().transactional(async tx => {
    // Two nodes that share slots at the same time would both assign the same slots.
    await lockSlots(tx);
    await chargeSlots(tx, held);
    return await dispatchNext(tx, windowOf(context.fleet.capacity));
  });
  if (dispatched.length === 0) return;
  const runs = await findRunsWithOptions(context.em(), [...new Set(runIds)]);
  // A run that was canceled since then has lost its options. Its pages would be captured without them.
  await pinRunRenderings(context, runs);
  const open = new Map(runs.filter(run => run.completedAt === null).map(run => [run.id, run]));
  await Promise.all(
    inDispatchOrder(runIds, dispatched).map(screenshots => enqueueRoute(context, open, screenshots)),
  );
}

/** Fixes the rendering of runs before their first job: nodes that draw differently never share a run. */
async function pinRunRenderings(context: RunsContext, runs: RunWithOptions[]): Promise<void> {
  const unpinned = runs.filter(({ rendering, completedAt }) => rendering === null && completedAt === null);
  if (unpinned.length === 0 || context.fleet.choose(new Map()) === null) return;
  const em = context.em();
  const ids = unpinned.map(({ id }) => id);
  const counted = Map.groupBy(await countBaselineRenderings(em, ids), ({ runId }) => runId);
  const pins = ids.flatMap(runId => {
    const baselines = counted.get(runId) ?? [];
    const rendering = context.fleet.choose(new Map(baselines.map(row => [row.rendering, row.screenshots])));
    return rendering === null ? [] : [{ runId, rendering }];
  });
  const pinned = await pinRenderings(em, pins);
  for (const run of unpinned) run.rendering = pinned.get(run.id) ?? null;
}

/**
 * Returns the maximum number of queued routes. Jobs are done in order. With fewer waiting routes than slots, a new route
 * gets a slot once every page that renders now has ended.
 */
function windowOf(capacity: number): number {
  const slots = capacity > 0 ? capacity : UNKNOWN_SLOTS;
  return slots > 2 ? ROUTES_PER_PAGE * slots - 1 : ROUTES_PER_PAGE * slots;
}

/** Marks the next routes as dispatched. @returns their runs in order, and their screenshots in any order */
async function dispatchNext(
  tx: EntityManager,
  window: number,
): Promise<{ runIds: string[]; dispatched: DispatchedScreenshot[] }> {
  const freeRoutes = window - (await countQueuedRoutes(tx));
  const runs = await findSharingRuns(tx, freeRoutes);
  const before = await findShares(tx, runs);
  const { runIds, shares } = shareSlots(runs, before, freeRoutes);
  await writeShares(tx, before, shares);
  const wanted = [...Map.groupBy(runIds, id => id)].map(([runId, { length }]) => ({ runId, routes: length }));
  return { runIds, dispatched: await dispatchRoutes(tx, wanted) };
}

/** Returns each run's routes in the order of its submission, interleaved in the order of the runs. */
function inDispatchOrder(runIds: string[], dispatched: DispatchedScreenshot[]): DispatchedScreenshot[][] {
  const routes = new Map<string, DispatchedScreenshot[][]>();
  for (const [runId, screenshots] of Map.groupBy(dispatched, ({ runId }) => runId)) {
    const sorted = screenshots.toSorted((a, b) => a.position - b.position);
    routes.set(runId, [...Map.groupBy(sorted, ({ route }) => route).values()]);
  }
  return runIds.flatMap(runId => {
    const next = routes.get(runId)?.shift();
    return next ? [next] : [];
  });
}

async function enqueueRoute(
  context: RunsContext,
  open: ReadonlyMap<string, RunWithOptions>,
  screenshots: DispatchedScreenshot[],
): Promise<void> {
  const [first] = screenshots;
  const run = first && open.get(first.runId);
  if (!run) return;
  const { route } = first;
  const job = {
    runId: run.id,
    teamId: run.teamId,
    url: pageUrl(run.url, route),
    options: captureOptionsFor(run.options, route),
    ...(run.isConfirmation && { isFresh: true as const }),
    rendering: run.rendering,
    screenshots: screenshots.map(({ id, viewport, baselineHash }) => {
      const token = context.tokens.issue("capture", run.id, id);
      return { id, viewport, baselineHash, token };
    }),
  };
  const attempt = Math.max(...screenshots.map(({ dispatches }) => dispatches));
  await context.queue.enqueue("capture", job, { id: captureJobId(route), fairKey: run.id, attempt });
}

/** Returns a job id for a route. The route itself may contain any character. */
export function captureJobId(route: string): string {
  return createHash("sha256").update(route).digest("hex").slice(0, 32);
}
