import type { UploadedAttachment } from "../../../shared/contracts/builds/attachments.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { notFound, ServiceError } from "../../../shared/errors.ts";
import { touchBuild } from "../builds/build.store.ts";
import { type BuildOfRun, buildOf, requireOpen } from "../builds/build-views.ts";
import type { RunsContext } from "../runs-context.ts";
import { ATTACHMENT_ERRORS } from "../texts/uploads.ts";
import { findAttachments, insertAttachment, isWanted } from "./attachment.store.ts";
import { sumTeamFiles } from "./sum-team-files.ts";

/**
 * Returns an attachment that a build wants, if the project has it. Null if its bytes are needed.
 * @throws ServiceError not_found for one that the build doesn't want; conflict if the build has ended;
 * plan_limit_exceeded
 */
export async function findAttachment(
  context: RunsContext,
  caller: Caller,
  { id, hash }: { id: string; hash: string },
): Promise<UploadedAttachment | null> {
  const { build } = await requireWanted(context, caller, id, hash);
  const known = (await findAttachments(context.em(), build.projectId, [hash])).get(hash);
  if (known) return known;
  if ((await sumTeamFiles(context.em(), caller.teamId)) >= context.archiveTeamBytes)
    throw new ServiceError("plan_limit_exceeded", ATTACHMENT_ERRORS.noRoom(context.archiveTeamBytes));
  return null;
}

/** Adds a stored attachment to the build's project. Repeating it changes nothing. @throws ServiceError */
export async function recordAttachment(
  context: RunsContext,
  caller: Caller,
  { id, attachment }: { id: string; attachment: UploadedAttachment },
): Promise<UploadedAttachment> {
  const { build } = await requireWanted(context, caller, id, attachment.hash);
  await insertAttachment(context.em(), build.projectId, attachment);
  await touchBuild(context.em(), id);
  return attachment;
}

async function requireWanted(
  context: RunsContext,
  caller: Caller,
  id: string,
  hash: string,
): Promise<BuildOfRun> {
  const found = await buildOf(context, caller, id);
  requireOpen(found);
  if (!(await isWanted(context.em(), id, hash))) throw notFound("attachment", hash);
  return found;
}
