import type { AddShard, Build as BuildView } from "../../../shared/contracts/builds/builds.ts";
import type { UploadedScreenshot } from "../../../shared/contracts/builds/uploaded-screenshot.ts";
import { BOUNDS } from "../../../shared/contracts/capture/bounds.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { invalidField, notFound } from "../../../shared/errors.ts";
import type { RunsContext } from "../runs-context.ts";
import { BUILD_ERRORS } from "../texts.ts";
import { countBuild, lockBuild, putShard, setTotal } from "./build.store.ts";
import { buildOf, requireOpen, viewOfBuild } from "./build-views.ts";
import { findContested, findUnknown, type ListedScreenshot, putListed } from "./listed-screenshot.store.ts";
import { lastAttempts } from "./plan-uploads.rule.ts";

interface Addition {
  id: string;
  shard: string;
  screenshots: readonly UploadedScreenshot[];
  /** Expected number of shards. Null if unknown. */
  total?: number | null;
}

/** Lists screenshots of a shard. Returns the build with the images to upload. @throws ServiceError */
export async function addShard(
  context: RunsContext,
  caller: Caller,
  { id, body: { shard, screenshots } }: { id: string; body: AddShard },
): Promise<BuildView> {
  const { build } = await buildOf(context, caller, id);
  if (build.nonce !== null && shard === undefined) throw invalidField("shard", BUILD_ERRORS.shardIsRequired);
  const unknown = await addScreenshots(context, caller, { id, shard: shard ?? "1", screenshots });
  return viewOfBuild(context, caller, id, unknown);
}

/**
 * Adds screenshots to a build. Repeating it changes nothing.
 * @returns the hashes that the project has no image of
 * @throws ServiceError not_found; conflict for a build that has ended; invalid_request
 */
export async function addScreenshots(
  context: RunsContext,
  caller: Caller,
  { id, shard, screenshots, total = null }: Addition,
): Promise<string[]> {
  const { run } = await buildOf(context, caller, id);
  const listed = requireDistinct(screenshots);
  return context.em().transactional(async tx => {
    const build = await lockBuild(tx, id);
    if (!build) throw notFound("build", id);
    requireOpen({ build, run });
    if (total !== null) await setTotal(tx, id, total);
    await putShard(tx, id, shard, false);
    const contested = await findContested(tx, id, shard, listed);
    if (contested !== null) throw invalidField("screenshots", BUILD_ERRORS.contested(contested));
    await putListed(tx, id, shard, listed);
    const { screenshots: count } = await countBuild(tx, id);
    if (count > BOUNDS.screenshots)
      throw invalidField("screenshots", BUILD_ERRORS.tooMany(count, BOUNDS.screenshots));
    const hashes = [...new Set(listed.map(({ hash }) => hash))].sort();
    return [...(await findUnknown(tx, build.projectId, hashes))];
  });
}

function requireDistinct(screenshots: readonly UploadedScreenshot[]): ListedScreenshot[] {
  const result = lastAttempts(screenshots);
  if ("listed" in result) return result.listed;
  throw invalidField(`screenshots[${result.duplicate}]`, BUILD_ERRORS.duplicate);
}
