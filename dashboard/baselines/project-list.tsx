import type { ProjectView } from "../../shared/contracts/baselines.ts";
import { count } from "../../shared/report/words.ts";
import { Link } from "../location.tsx";
import { ProjectName } from "../monitors/project-name.tsx";
import type { WithMonitors } from "../place.ts";
import { Time } from "../ui/time.tsx";

interface ProjectListProps {
  /** Kept in the address of what is chosen. */
  asked: WithMonitors;
  projects: readonly ProjectView[];
}

/** The projects to choose from; each is a namespace of baselines. */
export function ProjectList({ asked, projects }: ProjectListProps) {
  return (
    <>
      <p className="about">Each project has baselines of its own. Choose one.</p>
      <ul className="runs" aria-label="Projects">
        {projects.map(project => (
          <li key={project.id}>
            <Link className="project-row" to={{ page: "baselines", project: project.name, ...asked }}>
              <strong>
                <ProjectName project={project.name} />
              </strong>
              <span className="quiet">{scopesOf(project)}</span>
              <span className="quiet">
                made <Time iso={project.createdAt} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

function scopesOf({ branches, pullRequests, defaultBranch }: ProjectView): string {
  if (branches.length + pullRequests.length === 0) return "nothing approved yet";
  const parts = [
    branches.includes(defaultBranch)
      ? `approved on ${defaultBranch}`
      : `nothing approved on ${defaultBranch}`,
    branches.length > 1 ? count(branches.length, "branch", "branches") : null,
    pullRequests.length > 0 ? count(pullRequests.length, "pull request") : null,
  ];
  return parts.filter(part => part !== null).join(" · ");
}
