import type { EntityManager } from "../../../mixins/database.ts";
import type { Blame } from "../../../shared/contracts/runs/jobs.ts";
import {
  type EnqueueOptions,
  enqueueResult,
  JobTooLargeError,
} from "../../../shared/contracts/work-queue.ts";
import { findExplainable } from "../capsules/capsule.store.ts";
import type { RunWithOptions } from "../run.entity.ts";
import { findRunsWithOptions } from "../run.store.ts";
import type { RunsContext } from "../runs-context.ts";
import { secretsOfJob } from "../secrets/secrets-of-job.ts";
import { RUN_ERRORS } from "../texts/runs.ts";
import { captureJobId, captureSettings, jobScreenshot, siteFields } from "./capture-job.ts";
import {
  chargeSlots,
  countQueuedJobs,
  type DispatchedScreenshot,
  dispatchJobs,
  findShares,
  findSharingRuns,
  type HeldTime,
  lockSlots,
  writeShares,
} from "./dispatch.store.ts";
import { countBaselineRenderings, type Pin, pinRenderings } from "./rendering.store.ts";
import { renderingKey, renderingOf } from "./rendering-of.rule.ts";
import { shareSlots } from "./share-slots.rule.ts";

/** One page is rendering, and one waits for its slot. */
export const JOBS_PER_PAGE = 2;
/** Slots while no renderer is known, so that the first renderer finds work. */
const UNKNOWN_SLOTS = 2;
/** The only key: each call needs one dispatch. */
const DISPATCH = "captures";
/** The longest time that a renderer can charge for one page. */
const LONGEST_HOLD_MS = 60 * 60_000;

/**
 * Queues the next jobs: one per route and environment, with all its viewports and states.
 * Teams share the renderers' slots by the time that they hold them, then a team's projects, then a project's runs.
 */
export function dispatchCaptures(context: RunsContext): Promise<void> {
  // Many simultaneous submissions need one dispatch, not one each.
  return context.dispatches.run(DISPATCH, () => dispatch(context));
}

/** Records how long a page held its slot. The next dispatch charges it. */
export function noteHeldTime(context: Pick<RunsContext, "held">, runId: string, heldMs: number): void {
  addHeldTime(context, { runId, heldMs: Math.min(Math.max(0, heldMs), LONGEST_HOLD_MS), pages: 1 });
}

function addHeldTime({ held }: Pick<RunsContext, "held">, { runId, heldMs, pages }: HeldTime): void {
  const before = held.get(runId) ?? { heldMs: 0, pages: 0 };
  held.set(runId, { runId, heldMs: before.heldMs + heldMs, pages: before.pages + pages });
}

async function dispatch(context: RunsContext): Promise<void> {
  const held = [...context.held.values()];
  context.held.clear();
  const sharing = context.em().transactional(async tx => {
    // Two nodes that share slots at the same time would both assign the same slots.
    await lockSlots(tx);
    await chargeSlots(tx, held);
    return await dispatchNext(tx, context.fleet);
  });
  const { runIds, dispatched } = await sharing.catch((error: unknown) => {
    // The next dispatch charges it, besides what was recorded meanwhile.
    for (const time of held) addHeldTime(context, time);
    throw error;
  });
  if (dispatched.length === 0) return;
  const runs = await findRunsWithOptions(context.em(), [...new Set(runIds)]);
  // A run that was canceled since then has lost its options. Its pages would be captured without them.
  await pinRunRenderings(context, runs, dispatched);
  const explainable = await findExplainable(
    context.em(),
    dispatched.flatMap(({ id, baselineHash }) => (baselineHash === null ? [] : [id])),
  );
  const fullTeams = await context.fullTeams.among(context.em(), new Set(runs.map(({ teamId }) => teamId)));
  const open = new Map(runs.filter(run => run.completedAt === null).map(run => [run.id, run]));
  await Promise.all(
    inDispatchOrder(runIds, dispatched).map(screenshots =>
      enqueueJob(context, { open, explainable, fullTeams }, screenshots),
    ),
  );
}

/**
 * Fixes the rendering of runs before their first job in a region: nodes that draw differently never share a run's
 * screenshots of a region.
 */
async function pinRunRenderings(
  context: RunsContext,
  runs: RunWithOptions[],
  dispatched: DispatchedScreenshot[],
): Promise<void> {
  const open = new Map(runs.filter(({ completedAt }) => completedAt === null).map(run => [run.id, run]));
  const unpinned = dispatched.filter(({ runId, region }) => {
    const run = open.get(runId);
    return run && renderingOf(run, region) === null && context.fleet.choose(new Map(), region) !== null;
  });
  if (unpinned.length === 0) return;
  const em = context.em();
  const keyOf = ({ runId, region }: Pick<Pin, "runId" | "region">) => `${runId} ${renderingKey(region)}`;
  const places = new Map(unpinned.map(({ runId, region }) => [keyOf({ runId, region }), { runId, region }]));
  const runIds = new Set(unpinned.map(({ runId }) => runId));
  const counted = Map.groupBy(await countBaselineRenderings(em, [...runIds]), keyOf);
  const pins = [...places].flatMap(([key, place]) => {
    const baselines = new Map(counted.get(key)?.map(row => [row.rendering, row.screenshots]));
    const rendering = context.fleet.choose(baselines, place.region);
    return rendering === null ? [] : [{ ...place, rendering }];
  });
  const pinned = await pinRenderings(em, pins);
  for (const runId of runIds) {
    const run = open.get(runId);
    if (run) run.renderings = pinned.get(runId) ?? run.renderings;
  }
}

/**
 * Returns the maximum number of queued jobs. Jobs are done in order. With fewer waiting jobs than slots, a new job
 * gets a slot once every page that renders now has ended.
 */
function windowOf(capacity: number): number {
  const slots = capacity > 0 ? capacity : UNKNOWN_SLOTS;
  return slots > 2 ? JOBS_PER_PAGE * slots - 1 : JOBS_PER_PAGE * slots;
}

/** Marks the next jobs as dispatched. @returns their runs in order, and their screenshots in any order */
async function dispatchNext(
  tx: EntityManager,
  fleet: RunsContext["fleet"],
): Promise<{ runIds: string[]; dispatched: DispatchedScreenshot[] }> {
  const queued = await countQueuedJobs(tx);
  const freeJobs = windowOf(fleet.capacity) - queued.reduce((sum, { jobs }) => sum + jobs, 0);
  // Jobs without a renderer would only keep others from the queue.
  const openRegions = fleet.regions().filter(region => {
    const { jobs } = queued.find(each => each.region === region) ?? { jobs: 0 };
    return jobs < windowOf(fleet.capacityIn(region));
  });
  const runs = await findSharingRuns(tx, freeJobs, openRegions);
  const before = await findShares(tx, runs);
  const { runIds, shares } = shareSlots(runs, before, freeJobs);
  await writeShares(tx, before, shares);
  const wanted = [...Map.groupBy(runIds, id => id)].map(([runId, { length }]) => ({ runId, jobs: length }));
  return { runIds, dispatched: await dispatchJobs(tx, wanted, openRegions) };
}

/** Returns each run's jobs in the order of its submission, interleaved in the order of the runs. */
function inDispatchOrder(runIds: string[], dispatched: DispatchedScreenshot[]): DispatchedScreenshot[][] {
  const jobs = new Map<string, DispatchedScreenshot[][]>();
  for (const [runId, screenshots] of Map.groupBy(dispatched, ({ runId }) => runId)) {
    const sorted = screenshots.toSorted((a, b) => a.position - b.position);
    jobs.set(runId, [...Map.groupBy(sorted, captureJobId).values()]);
  }
  return runIds.flatMap(runId => {
    const next = jobs.get(runId)?.shift();
    return next ? [next] : [];
  });
}

interface DispatchFacts {
  open: ReadonlyMap<string, RunWithOptions>;
  explainable: ReadonlyMap<string, string>;
  /** Teams that keep no more bodies of responses. */
  fullTeams: ReadonlySet<string>;
}

async function enqueueJob(
  context: RunsContext,
  { open, explainable, fullTeams }: DispatchFacts,
  screenshots: DispatchedScreenshot[],
): Promise<void> {
  const [first] = screenshots;
  const run = first && open.get(first.runId);
  if (!run) return;
  const settings = captureSettings(run, first);
  const secrets = await secretsOfJob(context.em(), run, settings);
  // A dispatch queues jobs of many runs, so the job belongs to the request of its run.
  const { origin } = run;
  if ("refusal" in secrets)
    return failCaptures(context, screenshots, { reason: secrets.refusal, blame: "page" }, { origin });
  const job = {
    runId: run.id,
    teamId: run.teamId,
    ...settings,
    ...secrets,
    ...(!fullTeams.has(run.teamId) && run.tunnel === null && { keepsBodies: true as const }),
    ...(run.isConfirmation && { isFresh: true as const }),
    ...siteFields(run),
    rendering: renderingOf(run, first.region),
    screenshots: screenshots.map(screenshot =>
      jobScreenshot(context, run, screenshot, explainable.get(screenshot.id)),
    ),
  };
  const attempt = Math.max(...screenshots.map(({ dispatches }) => dispatches));
  const name = { id: captureJobId(first), fairKey: run.id };
  await context.queue.enqueue("capture", job, { ...name, attempt, origin }).catch(error => {
    if (!(error instanceof JobTooLargeError)) throw error;
    return failCaptures(context, screenshots, { reason: RUN_ERRORS.largeJob, blame: "page" }, { origin });
  });
}

/** Fails screenshots that no renderer can capture. They take the way of every result, which also ends the run. */
export async function failCaptures(
  { queue, tokens }: Pick<RunsContext, "queue" | "tokens">,
  screenshots: readonly Pick<DispatchedScreenshot, "id" | "runId">[],
  failure: { reason: string; blame: Blame },
  options: Pick<EnqueueOptions, "origin"> = {},
): Promise<void> {
  await Promise.all(
    screenshots.map(({ id, runId }) => {
      const fields = { runId, screenshotId: id, token: tokens.issue("capture", runId, id) };
      return enqueueResult(queue, { kind: "failed", ...fields, stage: "capture", ...failure }, options);
    }),
  );
}
