import { useQuery } from "@tanstack/react-query";
import { monitorOfProject } from "../../shared/monitor-project.ts";
import { Link } from "../location.tsx";
import { projectInWords } from "./monitor-words.ts";
import { monitorQuery } from "./queries.ts";

/** How a project is called: one that holds a monitor's baselines by the monitor's name. */
export function useProjectName(project: string): string {
  const id = monitorOfProject(project)?.id;
  const { data, error } = useQuery({
    ...monitorQuery(id ?? ""),
    enabled: id !== undefined,
    // A name does not change by itself.
    refetchInterval: false,
  });
  return projectInWords(project, data?.name ?? (error ? "Deleted monitor" : "Monitor"));
}

export function ProjectName({ project }: { project: string }) {
  return useProjectName(project);
}

/** Leads to the monitor where the project is one's, else to the project's baselines. */
export function ProjectLink({ project }: { project: string }) {
  const of = monitorOfProject(project);
  if (of)
    return (
      <Link to={{ page: "monitor", id: of.id, isEdited: false }} title="The monitor that this is a check of">
        <ProjectName project={project} />
      </Link>
    );
  return (
    <Link to={{ page: "baselines", project }} title="The baselines of this project">
      {project}
    </Link>
  );
}
