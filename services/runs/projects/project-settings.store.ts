import type { EntityManager } from "../../../mixins/database.ts";
import { projectOfBuildBase } from "../../../shared/contracts/builds/builds.ts";
import type { ChangeProject } from "../../../shared/contracts/runs/projects.ts";

/** Queries for the settings of projects. `em` is one unit of work. */

/** Settings in columns of their own. */
export type ProjectColumns = Omit<ChangeProject, "defaultBranch">;

const COLUMNS: Record<keyof ProjectColumns, string> = {
  nullReruns: "null_reruns",
  mirrorThreads: "mirror_threads",
  requiredApprovals: "required_approvals",
  allowSelfApproval: "allow_self_approval",
  retentionDays: "retention_days",
  linkDays: "link_days",
};

/** Writes settings of a team's project. Those that are undefined stay. */
export async function writeProjectSettings(
  em: EntityManager,
  teamId: string,
  id: string,
  change: ProjectColumns,
): Promise<void> {
  const entries = Object.entries(COLUMNS).flatMap(([name, column]) => {
    const value = Object.entries(change).find(([field]) => field === name)?.[1];
    return value === undefined ? [] : [{ column, value }];
  });
  if (entries.length === 0) return;
  await em.execute(
    `update runs.project set ${entries.map(({ column }) => `${column} = ?`).join(", ")} where id = ? and team_id = ?`,
    [...entries.map(({ value }) => value), id, teamId],
  );
}

/** Settings that replace those of the team. Null means the team's. */
export interface ProjectOverrides {
  requiredApprovals: number | null;
  allowSelfApproval: boolean | null;
  linkDays: number | null;
}

const NONE: ProjectOverrides = { requiredApprovals: null, allowSelfApproval: null, linkDays: null };

/** Returns what a project replaces of its team's settings. A named build inherits from its project. */
export async function findProjectOverrides(
  em: EntityManager,
  teamId: string,
  project: string,
): Promise<ProjectOverrides> {
  const rows: (ProjectOverrides & { name: string })[] = await em.execute(
    `select name, required_approvals as "requiredApprovals", allow_self_approval as "allowSelfApproval",
       link_days as "linkDays" from runs.project where team_id = ? and name in (?, ?)`,
    [teamId, project, projectOfBuildBase(project)],
  );
  const own = rows.find(({ name }) => name === project) ?? NONE;
  const base = rows.find(({ name }) => name !== project) ?? NONE;
  return {
    requiredApprovals: own.requiredApprovals ?? base.requiredApprovals,
    allowSelfApproval: own.allowSelfApproval ?? base.allowSelfApproval,
    linkDays: own.linkDays ?? base.linkDays,
  };
}
