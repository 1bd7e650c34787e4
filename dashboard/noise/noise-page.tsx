import { useQuery } from "@tanstack/react-query";
import { Link } from "../location.tsx";
import { ProjectName, useProjectName } from "../monitors/project-name.tsx";
import { Problem, useTitle, Waiting } from "../ui/parts.tsx";
import { FlakyPages } from "./flaky-pages.tsx";
import { IgnoreRegions } from "./ignore-regions.tsx";
import "./noise.css";
import { NullReruns } from "./null-reruns.tsx";
import { noiseQuery } from "./queries.ts";
import { Suggestions } from "./suggestions.tsx";

/** Which of a project's pages differ although nothing changed, and what is done about it. */
export function NoisePage({ project }: { project: string }) {
  useTitle(`Noise of ${useProjectName(project)}`);
  const { data, error, refetch } = useQuery(noiseQuery(project));
  return (
    <>
      <p className="project">
        <Link to={{ page: "baselines", project }}>
          <ProjectName project={project} />
        </Link>
      </p>
      <div className="page-head">
        <h1>Noise</h1>
      </div>
      {error && !data && (
        <Problem
          error={error}
          what="The noise of this project"
          again={refetch}
          wayOut={<Link to={{ page: "baselines" }}>See the projects</Link>}
        />
      )}
      {!data && !error && <Waiting what="the noise of this project" />}
      {data && (
        <div className="noise">
          <Suggestions project={project} suggestions={data.suggestions} />
          <FlakyPages project={project} pages={data.pages} />
          <IgnoreRegions project={project} />
          <NullReruns noise={data} />
        </div>
      )}
    </>
  );
}
