import type { EntityManager } from "../../../mixins/database.ts";
import { broadcast, call } from "../../../shared/contracts/bus.ts";
import type { ChangeProject, ProjectView } from "../../../shared/contracts/runs/projects.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { invalidField, notFound, ServiceError } from "../../../shared/errors.ts";
import { MONITOR_PROJECTS } from "../../../shared/monitor-project.ts";
import { lockProject } from "../baselines/approval.store.ts";
import { noteActivity } from "../note-activity.ts";
import { findStoredProject, type StoredProject } from "../queries/history.store.ts";
import { viewOfProject } from "../queries/present-baseline.ts";
import type { RunsContext } from "../runs-context.ts";
import { followDefaultBranch } from "../submission/follow-default-branch.ts";
import { RUN_ERRORS } from "../texts/runs.ts";
import { type ProjectColumns, writeProjectSettings } from "./project-settings.store.ts";

const SETTINGS = [
  "nullReruns",
  "mirrorThreads",
  "requiredApprovals",
  "allowSelfApproval",
  "retentionDays",
  "linkDays",
] as const satisfies readonly (keyof ProjectColumns)[];

/**
 * Changes a project's settings, all or none.
 * @throws ServiceError not_found; conflict for the project of a monitor; invalid_request for more days than the plan's
 */
export async function changeProject(
  context: RunsContext,
  caller: Caller,
  id: string,
  change: ChangeProject,
): Promise<ProjectView> {
  const { teamId } = caller;
  const found = await findStoredProject(context.em(), teamId, id);
  if (!found) throw notFound("project", id);
  if (found.name.startsWith(MONITOR_PROJECTS)) throw new ServiceError("conflict", RUN_ERRORS.monitorProject);
  if (change.retentionDays) await requireKeptDays(context, teamId, change.retentionDays);
  const { before, after } = await context.em().transactional(tx => applyChange(tx, found, teamId, change));
  const details = changedDetails(before, after);
  // Not `access.changed`, which ends the streams and tunnels of the whole team.
  if (after.linkDays !== before.linkDays) await broadcast(context.bus, "links.changed", { teamId });
  if (Object.keys(details).length > 0)
    await noteActivity(context, caller, "project.changed", after.name, details);
  return viewOfProject(after);
}

async function applyChange(
  tx: EntityManager,
  { id, name }: StoredProject,
  teamId: string,
  { defaultBranch, ...settings }: ChangeProject,
): Promise<{ before: StoredProject; after: StoredProject }> {
  const project = await lockProject(tx, teamId, name);
  const before = await findStoredProject(tx, teamId, id);
  if (!project || !before) throw notFound("project", id);
  await writeProjectSettings(tx, teamId, id, settings);
  await followDefaultBranch(tx, project, defaultBranch);
  const after = await findStoredProject(tx, teamId, id);
  if (!after) throw notFound("project", id);
  return { before, after };
}

async function requireKeptDays({ bus }: RunsContext, teamId: string, days: number): Promise<void> {
  const { name, retentionDays } = await call(bus, "billing.plan", { teamId });
  if (days > retentionDays)
    throw invalidField("retentionDays", RUN_ERRORS.longRetention(name, retentionDays));
}

/** Returns the changed settings for the activity log. `-` is the team's or the plan's setting. */
function changedDetails(before: StoredProject, after: StoredProject): Record<string, string> {
  const details: Record<string, string> = {};
  if (after.defaultBranch !== before.defaultBranch) {
    details.defaultBranch = after.defaultBranch;
    details.was = before.defaultBranch;
  }
  for (const name of SETTINGS) {
    const value = after[name];
    if (value === before[name]) continue;
    details[name] = typeof value === "boolean" ? (value ? "on" : "off") : String(value ?? "-");
  }
  return details;
}
