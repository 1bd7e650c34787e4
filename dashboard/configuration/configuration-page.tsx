import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ProjectName, useProjectName } from "../monitors/project-name.tsx";
import { Link } from "../navigation.tsx";
import { MirrorSettings } from "../people/mirror-setting.tsx";
import { ProjectChat } from "../people/project-chat.tsx";
import { ReviewerRules } from "../people/reviewer-rules.tsx";
import { baselinesTexts } from "../texts/baselines.ts";
import { loadedThings } from "../texts/common.ts";
import { configurationTexts } from "../texts/configuration.ts";
import { noiseTexts } from "../texts/noise.ts";
import { Loading, Problem, useTitle } from "../ui/parts.tsx";
import "./configuration.css";
import { ConfigurationEditor } from "./configuration-editor.tsx";
import { MONITORS } from "./monitors-project.ts";
import { configurationQuery } from "./queries.ts";
import { Schedules } from "./schedules.tsx";
import { SecretsSection } from "./secrets-section.tsx";

/** Shows a project's stored configuration, its secrets, and links to the monitors. */
export function ConfigurationPage({ project }: { project: string }) {
  const name = useProjectName(project);
  useTitle(configurationTexts.titleOf(name));
  const { data, error, refetch } = useQuery(configurationQuery(project));
  // A version that someone else saved replaces the form only if the reader loads it.
  const [loads, setLoads] = useState(0);
  const loadLatest = async () => {
    await refetch();
    setLoads(count => count + 1);
  };
  return (
    <>
      <p className="project">
        <Link to={project === MONITORS ? { page: "monitors" } : { page: "baselines", project }}>
          <ProjectName project={project} />
        </Link>
      </p>
      <div className="page-head">
        <h1>{configurationTexts.title}</h1>
        {project !== MONITORS && (
          <div className="actions">
            <Link className="button" to={{ page: "noise", project }} title={baselinesTexts.viewNoiseTitle}>
              {baselinesTexts.viewNoise}
            </Link>
          </div>
        )}
      </div>
      {error && !data && (
        <Problem
          error={error}
          what={loadedThings.configuration}
          again={refetch}
          exitLink={<Link to={{ page: "baselines" }}>{noiseTexts.seeProjects}</Link>}
        />
      )}
      {!data && !error && <Loading what={loadedThings.configuration} />}
      {data && (
        <>
          <p className="about">
            {data.project === MONITORS ? configurationTexts.aboutMonitors : configurationTexts.about}
          </p>
          <ConfigurationEditor key={loads} project={project} loaded={data} onLoadLatest={loadLatest} />
          {project !== MONITORS && <ReviewerRules project={project} />}
          {project !== MONITORS && <MirrorSettings project={project} />}
          {project !== MONITORS && <ProjectChat project={project} />}
          <SecretsSection project={project} />
          <Schedules />
        </>
      )}
    </>
  );
}
