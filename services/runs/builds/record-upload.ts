import type { DecodedUpload, UploadedImage } from "../../../shared/contracts/builds/builds.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { notFound, ServiceError } from "../../../shared/errors.ts";
import type { RunsContext } from "../runs-context.ts";
import { BUILD_ERRORS } from "../texts/uploads.ts";
import { touchBuild } from "./build.store.ts";
import { findUploadTarget, insertImage, type UploadTarget } from "./listed-screenshot.store.ts";
import { maySeeRun } from "./upload-keys.rule.ts";

/**
 * Returns an image that a build lists, if the project has it. Null if its bytes are needed.
 * @throws ServiceError not_found; conflict if the build has ended
 */
export async function findUpload(
  context: RunsContext,
  caller: Caller,
  { id, hash }: { id: string; hash: string },
): Promise<UploadedImage | null> {
  const { image } = await requireListed(context, caller, id, hash);
  return image && { hash, ...image };
}

/** Adds a stored image to the build's project. Repeating it changes nothing. @throws ServiceError like findUpload */
export async function recordUpload(
  context: RunsContext,
  caller: Caller,
  { id, image }: { id: string; image: DecodedUpload },
): Promise<UploadedImage> {
  const { projectId } = await requireListed(context, caller, id, image.hash);
  const em = context.em();
  await insertImage(em, projectId, image);
  await touchBuild(em, id);
  return { hash: image.hash, width: image.width, height: image.height };
}

async function requireListed(
  context: RunsContext,
  caller: Caller,
  id: string,
  hash: string,
): Promise<UploadTarget> {
  const found = await findUploadTarget(context.em(), caller.teamId, { runId: id, hash });
  if (!found || !maySeeRun(caller, found.run)) throw notFound("build", id);
  if (!found.isOpen) throw new ServiceError("conflict", BUILD_ERRORS.closed(id, found.run.status));
  if (!found.isListed) throw notFound("image", hash);
  return found;
}

/** Returns the error for images that are missing at the end of a build. */
export function missingImages(hashes: readonly string[]): ServiceError {
  return new ServiceError("conflict", BUILD_ERRORS.missing(hashes.length, hashes[0] ?? ""));
}
