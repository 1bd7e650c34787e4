import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ProjectName, useProjectName } from "../monitors/project-name.tsx";
import { Link } from "../navigation.tsx";
import { MonitorNotifications } from "../projects/notification-section.tsx";
import { ProjectLinks } from "../projects/project-links.tsx";
import { ProjectSettings } from "../projects/project-settings.tsx";
import { SectionNav } from "../projects/section-nav.tsx";
import { loadedThings } from "../texts/common.ts";
import { configurationTexts } from "../texts/configuration.ts";
import { noiseTexts } from "../texts/noise.ts";
import { shellTexts } from "../texts/shell.ts";
import { Loading, Problem, useTitle } from "../ui/parts.tsx";
import "./configuration.css";
import { PROJECT_OF_ALL_MONITORS } from "../../shared/monitor-project.ts";
import { ConfigurationEditor } from "./configuration-editor.tsx";
import { configurationQuery } from "./queries.ts";
import { WithRepositorySettings } from "./repository-settings.tsx";
import { Schedules } from "./schedules.tsx";
import type { ProjectSection } from "./sections.ts";

interface ConfigurationPageProps {
  project: string;
  section?: ProjectSection | undefined;
}

/** Shows all settings of a project: its stored configuration, rules, people, retention and links. */
export function ConfigurationPage({ project, section }: ConfigurationPageProps) {
  const name = useProjectName(project);
  const isForMonitors = project === PROJECT_OF_ALL_MONITORS;
  useTitle(isForMonitors ? configurationTexts.titleOfMonitors : configurationTexts.titleOf(name));
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
        <Link to={isForMonitors ? { page: "monitors" } : { page: "baselines", project }}>
          {isForMonitors ? shellTexts.pages.monitors : <ProjectName project={project} />}
        </Link>
      </p>
      <div className="page-head">
        <h1>{isForMonitors ? configurationTexts.titleOfMonitors : configurationTexts.title}</h1>
        {!isForMonitors && (
          <div className="actions">
            <ProjectLinks project={project} on="configuration" />
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
        <WithRepositorySettings project={project}>
          <p className="about">
            {isForMonitors ? configurationTexts.aboutMonitors : configurationTexts.about}
          </p>
          <div className="settings-layout">
            <SectionNav project={project} current={section} />
            <div>
              <ConfigurationEditor key={loads} project={project} loaded={data} onLoadLatest={loadLatest} />
              {isForMonitors ? <MonitorNotifications /> : <ProjectSettings project={project} />}
              <Schedules />
            </div>
          </div>
        </WithRepositorySettings>
      )}
    </>
  );
}
