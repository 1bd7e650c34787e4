import type { Build as BuildView, FinalizeBuild } from "../../../shared/contracts/builds/builds.ts";
import { call } from "../../../shared/contracts/bus.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { asError, notFound, ServiceError } from "../../../shared/errors.ts";
import { receiveAttachments } from "../attachments/receive-attachments.ts";
import { pairBaselines } from "../baselines/pair-baselines.ts";
import { failRun } from "../capture/advance-runs.ts";
import { publishSoon } from "../events/publish-events.ts";
import { insertBuildEvent } from "../events/run-events.ts";
import type { Run } from "../run.entity.ts";
import { findRuns } from "../run.store.ts";
import type { RunsContext } from "../runs-context.ts";
import { isOverLimit, uncountRun } from "../submission/count-run.ts";
import { BUILD_ERRORS } from "../texts/uploads.ts";
import {
  type Build,
  closeBuild,
  countBuild,
  findBuild,
  lockBuild,
  putShard,
  writeScreenshots,
} from "./build.store.ts";
import { buildOf, MAX_UPLOADS, NOTHING, requireOpen, viewOfBuild } from "./build-views.ts";
import { findListed, findMissing } from "./listed-screenshot.store.ts";
import { planUploads } from "./plan-uploads.rule.ts";
import { receiveUploads } from "./receive-uploads.ts";
import { missingImages } from "./record-upload.ts";
import { recordUploads } from "./record-uploads.ts";

/**
 * Finalizes a shard, or the whole build. Once the build is complete, its screenshots are compared. Repeating it
 * changes nothing.
 * @throws ServiceError not_found; conflict if images are missing, or the build has failed; plan_limit_exceeded
 */
export async function finalizeBuild(
  context: RunsContext,
  caller: Caller,
  { id, body: { shard } }: { id: string; body: FinalizeBuild },
): Promise<BuildView> {
  const { run, build } = await buildOf(context, caller, id);
  if (build.closedAt === null) {
    requireOpen({ run, build });
    const of = mayComplete(build, shard) ? undefined : shard;
    await receiveUploads(context, build, of);
    await receiveAttachments(context, { build, teamId: caller.teamId }, of);
  }
  if (await closeIfComplete(context, id, shard)) {
    publishSoon(context);
    await completeBuild(context, id);
  }
  return viewOfBuild(context, caller, id, NOTHING);
}

/** Closes a build unless shards are missing. @returns whether this call closed it */
async function closeIfComplete(
  context: RunsContext,
  id: string,
  shard: string | undefined,
): Promise<boolean> {
  return context.em().transactional(async tx => {
    const build = await lockBuild(tx, id);
    // Its run may have failed since the request came.
    const [run] = await findRuns(tx, [id]);
    if (!build || !run) throw notFound("build", id);
    if (build.closedAt !== null) return false;
    requireOpen({ build, run });
    if (shard !== undefined) await putShard(tx, run.id, shard, true);
    const { screenshots, finalized } = await countBuild(tx, run.id);
    const isComplete = shard === undefined || hasAllShards(build, finalized);
    const of = isComplete ? undefined : shard;
    const missing = await findMissing(tx, build, { shard: of, limit: MAX_UPLOADS });
    if (missing.length > 0) throw missingImages(missing);
    if (!isComplete) return false;
    if (screenshots === 0) throw new ServiceError("conflict", BUILD_ERRORS.empty(run.id));
    if (!(await closeBuild(tx, run.id))) return false;
    await insertBuildEvent(tx, run, screenshots);
    return true;
  });
}

/** Returns whether finalizing this shard can complete the build. */
function mayComplete({ nonce, total }: Build, shard: string | undefined): boolean {
  return shard === undefined || nonce === null || total !== null;
}

function hasAllShards({ nonce, total }: Build, finalized: number): boolean {
  return nonce === null || (total !== null && finalized >= total);
}

/**
 * Makes a closed build's screenshots the rows of its run, and compares them. Any node can repeat it after a crash.
 * @throws ServiceError plan_limit_exceeded, after the build has failed with that reason
 */
export async function completeBuild(context: RunsContext, id: string): Promise<void> {
  const em = context.em();
  const [build, [run]] = [await findBuild(em, id), await findRuns(em, [id])];
  if (!build || !run || run.completedAt !== null) return;
  if (build.finalizedAt === null) await planScreenshots(context, build, run);
  await recordUploads(context, id);
}

async function planScreenshots(context: RunsContext, build: Build, run: Run): Promise<void> {
  const em = context.em();
  const planned = planUploads(await findListed(em, build), run);
  await countBuildOf(context, run, planned.length);
  const { comparedWith, subset } = build;
  const rows = await pairBaselines(em, run, { ...comparedWith, partial: subset }, planned);
  await writeScreenshots(em, run.id, rows);
  const [now] = await findRuns(context.em(), [run.id]);
  // It was canceled in between. Nothing was compared.
  if (now?.status === "canceled" && (await findBuild(context.em(), run.id))?.finalizedAt === null)
    await uncountRun(context, run.id);
}

async function countBuildOf(context: RunsContext, run: Run, screenshots: number): Promise<void> {
  try {
    await call(context.bus, "billing.take", { runId: run.id, teamId: run.teamId, screenshots });
  } catch (error) {
    if (isOverLimit(error)) await failRun(context, run, asError(error).message);
    throw error;
  }
}
