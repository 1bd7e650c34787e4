import type { ProjectView } from "../../shared/contracts/runs/projects.ts";
import type { WithMonitors } from "../location-filters.ts";
import { ProjectName } from "../monitors/project-name.tsx";
import { Link } from "../navigation.tsx";
import { baselinesTexts } from "../texts/baselines.ts";
import { fill } from "../ui/fill.ts";
import { Time } from "../ui/text/time.tsx";

interface ProjectListProps {
  /** The selection in the URL, which links keep. */
  filters: WithMonitors;
  projects: readonly ProjectView[];
}

/** Lists the projects. Each one is a namespace of baselines. */
export function ProjectList({ filters, projects }: ProjectListProps) {
  return (
    <>
      <p className="about">{baselinesTexts.chooseProject}</p>
      <ul className="runs" aria-label={baselinesTexts.projects}>
        {projects.map(project => (
          <li key={project.id}>
            <Link className="project-row" to={{ page: "baselines", project: project.name, ...filters }}>
              <strong>
                <ProjectName project={project.name} />
              </strong>
              <span className="quiet">{scopesOf(project)}</span>
              <span className="quiet">
                {fill(baselinesTexts.created, { time: <Time iso={project.createdAt} /> })}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

function scopesOf({ branches, pullRequests, defaultBranch }: ProjectView): string {
  if (branches.length + pullRequests.length === 0) return baselinesTexts.noneYet;
  const parts = [
    branches.includes(defaultBranch)
      ? baselinesTexts.on(defaultBranch)
      : baselinesTexts.noneOn(defaultBranch),
    branches.length > 1 ? baselinesTexts.branches(branches.length) : null,
    pullRequests.length > 0 ? baselinesTexts.pullRequests(pullRequests.length) : null,
  ];
  return parts.filter(part => part !== null).join(" · ");
}
