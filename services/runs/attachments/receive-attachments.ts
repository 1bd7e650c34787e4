import { createHash } from "node:crypto";
import { forEachBatch } from "../../../shared/async.ts";
import { attachmentKindOf } from "../../../shared/contracts/builds/attachment-kind.ts";
import { ATTACHMENT_BOUNDS } from "../../../shared/contracts/builds/attachments.ts";
import type { Build } from "../builds/build.store.ts";
import { receivedName } from "../builds/received-name.ts";
import type { RunsContext } from "../runs-context.ts";
import { findMissingAttachments, insertAttachment } from "./attachment.store.ts";
import { sumTeamFiles } from "./sum-team-files.ts";

/** Files that are in memory at the same time, each of at most 64 MiB. */
const CONCURRENCY = 2;

/**
 * Reads the attachments that clients sent to the store themselves, and adds those that can be used to the project. The
 * others are left out: a build is complete without them.
 * @param shard the shard whose attachments are read. Undefined for all
 */
export async function receiveAttachments(
  context: Pick<RunsContext, "em" | "archiveFiles" | "archiveTeamBytes" | "directUploads">,
  { build, teamId }: { build: Build; teamId: string },
  shard: string | undefined,
): Promise<void> {
  const { directUploads } = context;
  if (!directUploads) return;
  const limit = ATTACHMENT_BOUNDS.files;
  const missing = await findMissingAttachments(context.em(), build, { shard, limit });
  if (missing.length === 0) return;
  let room = context.archiveTeamBytes - (await sumTeamFiles(context.em(), teamId));
  await forEachBatch(missing, CONCURRENCY, async hash => {
    const name = receivedName(build.runId, hash);
    const bytes = await directUploads.read(name, ATTACHMENT_BOUNDS.fileBytes);
    if (bytes === "missing") return;
    const kind = bytes === "too large" || room <= 0 ? null : kindOf(bytes, hash);
    if (bytes !== "too large" && kind !== null) {
      room -= bytes.length;
      await context.archiveFiles.put(bytes);
      await insertAttachment(context.em(), build.projectId, { hash, kind, bytes: bytes.length });
    }
    await directUploads.remove(name);
  });
}

function kindOf(bytes: Buffer, hash: string): ReturnType<typeof attachmentKindOf> {
  return createHash("sha256").update(bytes).digest("hex") === hash ? attachmentKindOf(bytes) : null;
}
