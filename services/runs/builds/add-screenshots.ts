import type { EntityManager } from "../../../mixins/database.ts";
import { ATTACHMENT_BOUNDS } from "../../../shared/contracts/builds/attachments.ts";
import type { AddShard, Build as BuildView } from "../../../shared/contracts/builds/builds.ts";
import type { UploadedScreenshot } from "../../../shared/contracts/builds/uploaded-screenshot.ts";
import { BOUNDS } from "../../../shared/contracts/capture/bounds.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { invalidField, notFound } from "../../../shared/errors.ts";
import { findApproved, findMissingAttachments, wantAttachments } from "../attachments/attachment.store.ts";
import { wantedFiles, withFiles } from "../attachments/wanted-attachments.rule.ts";
import type { RunsContext } from "../runs-context.ts";
import { BUILD_ERRORS } from "../texts/uploads.ts";
import { type Build, countBuild, lockBuild, putShard, setTotal } from "./build.store.ts";
import { buildOf, MAX_UPLOADS, type NeededFiles, requireOpen, viewOfBuild } from "./build-views.ts";
import { findContested, findUnknown, type ListedScreenshot, putListed } from "./listed-screenshot.store.ts";
import { lastAttempts } from "./plan-uploads.rule.ts";

interface Addition {
  id: string;
  shard: string;
  screenshots: readonly UploadedScreenshot[];
  /** Expected number of shards. Null if unknown. */
  total?: number | null;
}

/** Lists screenshots of a shard. Returns the build with the files to upload. @throws ServiceError */
export async function addShard(
  context: RunsContext,
  caller: Caller,
  { id, body: { shard, screenshots } }: { id: string; body: AddShard },
): Promise<BuildView> {
  const { build } = await buildOf(context, caller, id);
  if (build.nonce !== null && shard === undefined) throw invalidField("shard", BUILD_ERRORS.shardIsRequired);
  const needed = await addScreenshots(context, caller, { id, shard: shard ?? "1", screenshots });
  return viewOfBuild(context, caller, id, needed);
}

/**
 * Adds screenshots to a build. Repeating it changes nothing.
 * @returns the images and attachments that the project doesn't have
 * @throws ServiceError not_found; conflict for a build that has ended; invalid_request
 */
export async function addScreenshots(
  context: RunsContext,
  caller: Caller,
  { id, shard, screenshots, total = null }: Addition,
): Promise<NeededFiles> {
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
    return {
      images: [...(await findUnknown(tx, build.projectId, hashes))],
      attachments: await findNeededAttachments(tx, build, { shard, listed }),
    };
  });
}

/** Notes which attachments of these screenshots the run will show. @returns those that the project doesn't have */
async function findNeededAttachments(
  tx: EntityManager,
  build: Build,
  { shard, listed }: { shard: string; listed: readonly ListedScreenshot[] },
): Promise<string[]> {
  const candidates = withFiles(listed);
  if (candidates.length === 0) return [];
  const wanted = wantedFiles(candidates, await findApproved(tx, build.projectId, candidates));
  await wantAttachments(tx, build.runId, { shard, hashes: wanted, limit: ATTACHMENT_BOUNDS.files });
  return await findMissingAttachments(tx, build, { shard, limit: MAX_UPLOADS });
}

function requireDistinct(screenshots: readonly UploadedScreenshot[]): ListedScreenshot[] {
  const result = lastAttempts(screenshots);
  if ("listed" in result) return result.listed;
  throw invalidField(`screenshots[${result.duplicate}]`, BUILD_ERRORS.duplicate);
}
