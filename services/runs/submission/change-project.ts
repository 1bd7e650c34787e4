import type { ChangeProject, ProjectView } from "../../../shared/contracts/runs/baselines.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { notFound, ServiceError } from "../../../shared/errors.ts";
import { MONITOR_PROJECTS } from "../../../shared/monitor-project.ts";
import { setMirrorSetting } from "../comments/mirror.store.ts";
import { setNullReruns } from "../noise/null-rerun.store.ts";
import { noteActivity } from "../note-activity.ts";
import { findStoredProject } from "../queries/history.store.ts";
import { viewOfProject } from "../queries/present-baseline.ts";
import type { RunsContext } from "../runs-context.ts";
import { RUN_ERRORS } from "../texts/runs.ts";

/** Changes a project's settings. @throws ServiceError not_found; conflict for the project of a monitor */
export async function changeProject(
  context: RunsContext,
  caller: Caller,
  id: string,
  { nullReruns, mirrorThreads }: ChangeProject,
): Promise<ProjectView> {
  const before = await findStoredProject(context.em(), caller.teamId, id);
  if (!before) throw notFound("project", id);
  if (before.name.startsWith(MONITOR_PROJECTS)) {
    throw new ServiceError("conflict", RUN_ERRORS.monitorProject);
  }
  const details: Record<string, string> = {};
  const { teamId } = caller;
  if (nullReruns !== undefined) {
    const updated = await setNullReruns(context.em(), teamId, id, nullReruns);
    if (updated?.isChanged) details.nullReruns = nullReruns ? "on" : "off";
  }
  if (mirrorThreads !== undefined) {
    const updated = await setMirrorSetting(context.em(), teamId, id, mirrorThreads);
    if (updated?.isChanged) details.mirrorThreads = mirrorThreads;
  }
  const changed = await findStoredProject(context.em(), teamId, id);
  if (!changed) throw notFound("project", id);
  if (Object.keys(details).length > 0)
    await noteActivity(context, caller, "project.changed", changed.name, details);
  return viewOfProject(changed);
}
