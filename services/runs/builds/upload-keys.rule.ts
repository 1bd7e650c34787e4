import { isArchiveUrl } from "../../../shared/contracts/builds/archive-url.ts";
import type { CreateBuild } from "../../../shared/contracts/builds/builds.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import type { Run } from "../run.entity.ts";

/** Returns whether a caller may create builds of a project. A key that can only upload may do so in one project. */
export function mayUploadTo({ uploadProject }: Pick<Caller, "uploadProject">, project: string): boolean {
  return uploadProject === undefined || project === uploadProject || project.startsWith(`${uploadProject}#`);
}

/**
 * Returns whether a caller may upload a build of a commit, which sets the commit's check. A key that can only upload to
 * the project of a repository may do so with commits of that repository.
 */
export function mayReportOn(
  { uploadProject, uploadRepository }: Pick<Caller, "uploadProject" | "uploadRepository">,
  scm: Pick<NonNullable<CreateBuild["scm"]>, "owner" | "repo"> | undefined,
): boolean {
  const repository = uploadRepository ?? uploadProject?.split("#")[0] ?? "";
  if (!scm || !repository.includes("/")) return true;
  return repository.toLowerCase() === `${scm.owner}/${scm.repo}`.toLowerCase();
}

/** Returns whether a caller may see a run of its team. A key that can only upload sees builds and runs of archives of its project. */
export function maySeeRun(
  caller: Pick<Caller, "uploadProject">,
  { source, url, project }: Pick<Run, "source" | "url" | "project">,
): boolean {
  return (
    caller.uploadProject === undefined ||
    ((source === "upload" || isArchiveUrl(url)) && mayUploadTo(caller, project))
  );
}
