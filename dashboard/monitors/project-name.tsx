import { useQuery } from "@tanstack/react-query";
import { monitorOfProject } from "../../shared/monitor-project.ts";
import { ApiProblem } from "../api/request.ts";
import type { AppLocation } from "../app-location.ts";
import { Link } from "../navigation.tsx";
import { monitorsTexts, projectName } from "../texts/monitors/monitors.ts";
import { monitorQuery } from "./queries.ts";

interface Named {
  /** Name of the project. For a project of a monitor's baselines, the monitor's name. */
  name: string;
  /** The monitor's page; null if there is none. */
  monitor: AppLocation | null;
}

function useProject(project: string): Named {
  const id = monitorOfProject(project)?.id;
  const { data, error } = useQuery({
    ...monitorQuery(id ?? ""),
    enabled: id !== undefined,
    // Names don't change by themselves.
    refetchInterval: false,
  });
  const isDeleted = error instanceof ApiProblem && error.status === 404;
  return {
    name: projectName(
      project,
      data?.name ?? (isDeleted ? monitorsTexts.deletedMonitor : monitorsTexts.monitor),
    ),
    monitor: id === undefined || isDeleted ? null : { page: "monitor", id, isEdited: false },
  };
}

export function useProjectName(project: string): string {
  return useProject(project).name;
}

export function ProjectName({ project }: { project: string }) {
  return useProjectName(project);
}

/** Links to the monitor of a project, otherwise to the project's baselines. */
export function ProjectLink({ project }: { project: string }) {
  const { name, monitor } = useProject(project);
  return (
    <Link
      to={monitor ?? { page: "baselines", project }}
      title={monitor ? monitorsTexts.monitorTitle : monitorsTexts.projectTitle}
    >
      {name}
    </Link>
  );
}

/** Links to the monitor of the project; empty if there is none. */
export function MonitorLink({ project }: { project: string }) {
  const { monitor } = useProject(project);
  if (monitor === null) return null;
  return (
    <>
      {" · "}
      <Link className="run-monitor" to={monitor}>
        {monitorsTexts.openMonitor}
      </Link>
    </>
  );
}
