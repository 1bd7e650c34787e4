import { readIndex } from "../../../shared/archives/archive-index.ts";
import type { Archive } from "../../../shared/contracts/builds/archives.ts";
import { secretNamesIn } from "../../../shared/contracts/configuration/secret-references.ts";
import type { SubmitRun } from "../../../shared/contracts/runs/submit-run.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { invalidField, notFound, ServiceError } from "../../../shared/errors.ts";
import { sumTeamFiles } from "../attachments/sum-team-files.ts";
import { mayReportOn, mayUploadTo } from "../builds/upload-keys.rule.ts";
import type { RunsContext } from "../runs-context.ts";
import { ARCHIVE_ERRORS, BUILD_ERRORS } from "../texts/uploads.ts";
import { insertArchive, type StoredArchive, touchArchive } from "./archive.store.ts";

/**
 * Returns an archive of a project, and keeps it for another day. Null if the project doesn't have it.
 * @throws ServiceError forbidden
 */
export async function findArchive(
  context: RunsContext,
  caller: Caller,
  { project, id }: { project: string; id: string },
): Promise<Archive | null> {
  requireProject(caller, project);
  const found = await touchArchive(context.em(), { teamId: caller.teamId, project }, id);
  return found && viewOf(project, found);
}

/** Returns an archive of a project. @throws ServiceError not_found; forbidden */
export async function getArchive(
  context: RunsContext,
  caller: Caller,
  of: { project: string; id: string },
): Promise<Archive> {
  const found = await findArchive(context, caller, of);
  if (!found) throw notFound("archive", of.id);
  return found;
}

/**
 * Checks that the caller may upload an archive now, before its bytes are read.
 * @throws ServiceError forbidden; plan_limit_exceeded
 */
export async function admitArchive(
  context: RunsContext,
  caller: Caller,
  { project }: { project: string },
): Promise<null> {
  requireProject(caller, project);
  const bytes = await sumTeamFiles(context.em(), caller.teamId);
  if (bytes >= context.archiveTeamBytes)
    throw new ServiceError("plan_limit_exceeded", ARCHIVE_ERRORS.noRoom(context.archiveTeamBytes));
  return null;
}

/**
 * Records an archive whose files and index are in the store.
 * @throws ServiceError forbidden; Error if the index is missing
 */
export async function recordArchive(
  context: RunsContext,
  caller: Caller,
  { project, id }: { project: string; id: string },
): Promise<Archive> {
  requireProject(caller, project);
  const files = readIndex(await context.archiveFiles.get(id));
  await insertArchive(context.em(), { teamId: caller.teamId, project }, { id, files });
  return getArchive(context, caller, { project, id });
}

/**
 * Checks that a run may show an archive, and keeps it until the run refers to it.
 * @throws ServiceError invalid_request
 */
export async function requireArchive(
  context: Pick<RunsContext, "em">,
  { teamId }: Pick<Caller, "teamId">,
  { project, id }: { project: string; id: string },
): Promise<void> {
  if (await touchArchive(context.em(), { teamId, project }, id)) return;
  throw invalidField("archive", ARCHIVE_ERRORS.unknown(project));
}

/**
 * Checks that a caller may submit a run. A key that can only upload may do so for archives of its project, whose pages
 * can't get secrets.
 * @throws ServiceError forbidden
 */
export function requireMaySubmit(
  caller: Caller,
  body: Pick<SubmitRun, "archive" | "scm" | "options"> & { project: string },
): void {
  if (caller.uploadProject === undefined) return;
  if (body.archive === undefined) throw new ServiceError("forbidden", ARCHIVE_ERRORS.onlyArchives);
  requireProject(caller, body.project);
  if (!mayReportOn(caller, body.scm)) throw new ServiceError("forbidden", BUILD_ERRORS.otherRepository);
  if (secretNamesIn(body.options ?? {}).length > 0)
    throw new ServiceError("forbidden", ARCHIVE_ERRORS.noSecrets);
}

function requireProject(caller: Caller, project: string): void {
  if (!mayUploadTo(caller, project))
    throw new ServiceError("forbidden", ARCHIVE_ERRORS.otherProject(project));
}

function viewOf(project: string, { id, files, bytes, createdAt }: StoredArchive): Archive {
  return { id, project, files, bytes, createdAt: createdAt.toISOString() };
}
