import type { DecodedUpload, UploadedImage } from "../../../shared/contracts/builds/builds.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { notFound, ServiceError } from "../../../shared/errors.ts";
import type { RunsContext } from "../runs-context.ts";
import { BUILD_ERRORS } from "../texts.ts";
import { lockBuild } from "./build.store.ts";
import { type BuildOfRun, buildOf, requireOpen } from "./build-views.ts";
import { findImage, insertImage, isListed } from "./listed-screenshot.store.ts";

/**
 * Returns an image that a build lists, if the project has it. Null if its bytes are needed.
 * @throws ServiceError not_found; conflict if the build has ended
 */
export async function findUpload(
  context: RunsContext,
  caller: Caller,
  { id, hash }: { id: string; hash: string },
): Promise<UploadedImage | null> {
  const { build } = await requireListed(context, caller, id, hash);
  const image = await findImage(context.em(), build.projectId, hash);
  return image && { hash, width: image.width, height: image.height };
}

/** Adds a stored image to the build's project. Repeating it changes nothing. @throws ServiceError like findUpload */
export async function recordUpload(
  context: RunsContext,
  caller: Caller,
  { id, image }: { id: string; image: DecodedUpload },
): Promise<UploadedImage> {
  const { build } = await requireListed(context, caller, id, image.hash);
  const em = context.em();
  await insertImage(em, build.projectId, image);
  // An upload counts as activity.
  await lockBuild(em, id);
  return { hash: image.hash, width: image.width, height: image.height };
}

async function requireListed(
  context: RunsContext,
  caller: Caller,
  id: string,
  hash: string,
): Promise<BuildOfRun> {
  const found = await buildOf(context, caller, id);
  requireOpen(found);
  if (!(await isListed(context.em(), id, hash))) throw notFound("image", hash);
  return found;
}

/** Returns the error for images that are missing at the end of a build. */
export function missingImages(hashes: readonly string[]): ServiceError {
  return new ServiceError("conflict", BUILD_ERRORS.missing(hashes.length, hashes[0] ?? ""));
}
