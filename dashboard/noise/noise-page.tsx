import { useQuery } from "@tanstack/react-query";
import { ProjectName, useProjectName } from "../monitors/project-name.tsx";
import { Link } from "../navigation.tsx";
import { ProjectLinks } from "../projects/project-links.tsx";
import { loadedThings } from "../texts/common.ts";
import { ignoreTexts } from "../texts/ignore.ts";
import { noiseTexts } from "../texts/noise.ts";
import { Loading, Problem, useTitle } from "../ui/parts.tsx";
import { FlakyPages } from "./flaky-pages.tsx";
import "./noise.css";
import { NullReruns } from "./null-reruns.tsx";
import { noiseQuery } from "./queries.ts";
import { Suggestions } from "./suggestions.tsx";

/** Shows which pages of a project are flaky, and the settings against it. */
export function NoisePage({ project }: { project: string }) {
  useTitle(noiseTexts.titleOf(useProjectName(project)));
  const { data, error, refetch } = useQuery(noiseQuery(project));
  return (
    <>
      <p className="project">
        <Link to={{ page: "baselines", project }}>
          <ProjectName project={project} />
        </Link>
      </p>
      <div className="page-head">
        <h1>{noiseTexts.title}</h1>
        <div className="actions">
          <ProjectLinks project={project} on="noise" />
          <Link className="button" to={{ page: "configuration", project, section: "ignore-rules" }}>
            {ignoreTexts.manage}
          </Link>
        </div>
      </div>
      {error && !data && (
        <Problem
          error={error}
          what={loadedThings.noise}
          again={refetch}
          exitLink={<Link to={{ page: "baselines" }}>{noiseTexts.seeProjects}</Link>}
        />
      )}
      {!data && !error && <Loading what={loadedThings.noise} />}
      {data && (
        <div className="noise">
          <Suggestions project={project} suggestions={data.suggestions} />
          <FlakyPages project={project} pages={data.pages} />
          <NullReruns noise={data} />
        </div>
      )}
    </>
  );
}
