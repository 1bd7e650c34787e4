import { createHash } from "node:crypto";
import { forEachBatch } from "../../../shared/async.ts";
import { UnreadableImageError } from "../../../shared/compare/png-file.ts";
import { readUpload } from "../../../shared/compare/read-upload.ts";
import { UPLOAD_BOUNDS } from "../../../shared/contracts/builds/uploaded-screenshot.ts";
import { ServiceError } from "../../../shared/errors.ts";
import type { RunsContext } from "../runs-context.ts";
import { BUILD_ERRORS } from "../texts/uploads.ts";
import type { Build } from "./build.store.ts";
import { findMissing, insertImage } from "./listed-screenshot.store.ts";
import { receivedName } from "./received-name.ts";

/** Images that are read and decoded at the same time, each of at most 32 MiB. */
const CONCURRENCY = 3;
/** Missing images that are looked for. A build has no more. */
const MAX_IMAGES = 2_000;

/**
 * Reads the images that clients sent to the store themselves, verifies them, and adds them to the project. Stored ones
 * stay, so a repeated call continues.
 * @param shard the shard whose images are read. Undefined for all
 * @throws ServiceError conflict for an image that isn't what its hash says, or that can't be used
 */
export async function receiveUploads(
  context: Pick<RunsContext, "em" | "images" | "directUploads">,
  build: Build,
  shard: string | undefined,
): Promise<void> {
  const { directUploads } = context;
  if (!directUploads) return;
  const missing = await findMissing(context.em(), build, { shard, limit: MAX_IMAGES });
  await forEachBatch(missing, CONCURRENCY, async hash => {
    const name = receivedName(build.runId, hash);
    const bytes = await directUploads.read(name, UPLOAD_BOUNDS.imageBytes);
    if (bytes === "missing") return;
    const { png, width, height } = await verified(hash, bytes);
    const imageHash = await context.images.put(png);
    await insertImage(context.em(), build.projectId, { hash, imageHash, width, height });
    await directUploads.remove(name);
  });
}

async function verified(hash: string, bytes: Buffer | "too large") {
  if (bytes === "too large") throw unusable(hash, BUILD_ERRORS.tooLarge(UPLOAD_BOUNDS.imageBytes));
  if (createHash("sha256").update(bytes).digest("hex") !== hash) throw unusable(hash, BUILD_ERRORS.otherHash);
  try {
    return await readUpload(bytes);
  } catch (error) {
    throw error instanceof UnreadableImageError ? unusable(hash, error.message) : error;
  }
}

function unusable(hash: string, why: string): ServiceError {
  return new ServiceError("conflict", BUILD_ERRORS.unusable(hash, why));
}
