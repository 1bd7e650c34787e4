import { useQuery } from "@tanstack/react-query";
import { projectOfBuildBase } from "../../shared/contracts/builds/builds.ts";
import type { ProjectView } from "../../shared/contracts/runs/projects.ts";
import { projectQuery } from "../people/queries.ts";
import { useMe } from "../session.tsx";

/** What a project's settings are while they are null. */
interface Inherited {
  /** The project of a named build. Null for other projects, whose team and plan decide. */
  from: string | null;
  requiredApprovals: number;
  allowSelfApproval: boolean;
  linkDays: number;
  /** Null: the plan's days. */
  retentionDays: number | null;
}

/** Returns what a project inherits: a named build from its project, others from the team. Null while it loads. */
export function useInherited({ name }: ProjectView): Inherited | null {
  const { team } = useMe().session;
  const base = baseOf(name);
  const { data } = useQuery({ ...projectQuery(base ?? ""), enabled: base !== null });
  if (!team || (base !== null && data === undefined)) return null;
  const { requiredApprovals, allowSelfApproval, linkDays } = team;
  return {
    from: base,
    requiredApprovals: data?.requiredApprovals ?? requiredApprovals,
    allowSelfApproval: data?.allowSelfApproval ?? allowSelfApproval,
    linkDays: data?.linkDays ?? linkDays,
    retentionDays: data?.retentionDays ?? null,
  };
}

/** Returns the project of a named build. Null for other projects. */
export function baseOf(project: string): string | null {
  const base = projectOfBuildBase(project);
  return base === project ? null : base;
}
