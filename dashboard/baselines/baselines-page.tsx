import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { ProjectView } from "../../shared/contracts/runs/projects.ts";
import type { BaselineFilters } from "../location-filters.ts";
import { ProjectName, useProjectName } from "../monitors/project-name.tsx";
import { navigate } from "../navigation.tsx";
import { ProjectLinks } from "../projects/project-links.tsx";
import { baselinesTexts } from "../texts/baselines.ts";
import { commonTexts, loadedThings } from "../texts/common.ts";
import { useFollowedText } from "../ui/hooks/use-field-text.ts";
import { Icon } from "../ui/icon.tsx";
import { More } from "../ui/more.tsx";
import { Loading, Problem, useTitle } from "../ui/parts.tsx";
import { WithMonitors } from "../ui/with-monitors.tsx";
import { BaselineGrid } from "./baseline-grid.tsx";
import "./baselines.css";
import { NoBaselines } from "./no-baselines.tsx";
import { ProjectList } from "./project-list.tsx";
import { baselinesQuery, projectsQuery } from "./queries.ts";

/** Shows the baselines: the list of projects, or one project's pages and widths. */
export function BaselinesPage({ location }: { location: BaselineFilters }) {
  const name = useProjectName(location.project ?? "");
  useTitle(location.project ? baselinesTexts.titleOf(name) : baselinesTexts.title);
  const list = useInfiniteQuery(projectsQuery(location));
  const { data, error, refetch, hasNextPage } = list;
  const projects = data?.pages.flatMap(page => page.data);
  const only = projects?.length === 1 && !hasNextPage ? projects[0]?.name : undefined;
  const project = location.project ?? only;
  return (
    <>
      <div className="page-head">
        <h1>{baselinesTexts.title}</h1>
        <div className="actions">
          <WithMonitors
            label={commonTexts.includeMonitors}
            value={location.monitors}
            onChange={filters => {
              const { monitors: _before, ...rest } = location;
              navigate({ page: "baselines", ...rest, ...filters });
            }}
          />
          {project !== undefined && <ProjectLinks project={project} on="baselines" />}
        </div>
      </div>
      {error && !projects && <Problem error={error} what={loadedThings.projects} again={refetch} />}
      {!projects && !error && <Loading what={loadedThings.projects} />}
      {projects?.length === 0 && location.project === undefined && <NoBaselines isFirst branch={null} />}
      {projects && projects.length > 0 && project === undefined && (
        <>
          <ProjectList filters={location.monitors ? { monitors: "1" } : {}} projects={projects} />
          <More list={list}>{baselinesTexts.olderProjects}</More>
        </>
      )}
      {projects && project !== undefined && (
        <ProjectBaselines at={{ ...location, project }} projects={projects} />
      )}
    </>
  );
}

type ProjectAt = BaselineFilters & { project: string };

function ProjectBaselines({ at, projects }: { at: ProjectAt; projects: readonly ProjectView[] }) {
  const list = useInfiniteQuery(baselinesQuery(at));
  const { data, error, refetch, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list;
  const baselines = data?.pages.flatMap(page => page.data);
  const project = projects.find(({ name }) => name === at.project);
  const branch = at.pr ? baselinesTexts.pullRequest(at.pr) : (at.branch ?? project?.defaultBranch ?? "main");
  return (
    <>
      <BaselineFilterBar at={at} projects={projects} project={project} />
      <p className="about baselines-about">{aboutScope(at, project, branch)}</p>
      {error && !baselines && <Problem error={error} what={loadedThings.baselines} again={refetch} />}
      {!baselines && !error && <Loading what={loadedThings.baselines} />}
      {baselines?.length === 0 &&
        (at.find ? (
          <p className="empty">{baselinesTexts.noRoute(at.find)}</p>
        ) : (
          <NoBaselines isFirst={false} branch={branch} />
        ))}
      {baselines && baselines.length > 0 && (
        <BaselineGrid
          baselines={baselines}
          onEnd={
            hasNextPage && !isFetchingNextPage && !isFetchNextPageError ? () => void fetchNextPage() : null
          }
        />
      )}
      {isFetchNextPageError && <More list={list}>{baselinesTexts.more}</More>}
    </>
  );
}

function aboutScope(at: ProjectAt, project: ProjectView | undefined, branch: string): string {
  if (at.pr === undefined && (at.branch === undefined || at.branch === project?.defaultBranch))
    return baselinesTexts.aboutDefault(branch);
  return baselinesTexts.aboutOther(branch, project?.defaultBranch);
}

interface BaselineFilterBarProps {
  at: ProjectAt;
  projects: readonly ProjectView[];
  project: ProjectView | undefined;
}

function BaselineFilterBar({ at, projects, project }: BaselineFilterBarProps) {
  const names = withChosen(
    projects.map(({ name }) => name),
    at.project,
  );
  const branches = withChosen(project?.branches ?? [], project?.defaultBranch ?? at.branch ?? "main");
  const pulls = project?.pullRequests ?? [];
  const { project: name, find, monitors } = at;
  const filters = { ...(monitors && { monitors }) };
  const kept = { project: name, ...(find && { find }), ...filters };
  const chosen = at.pr ? `pr ${at.pr}` : `branch ${at.branch ?? project?.defaultBranch ?? "main"}`;
  const choose = (value: string) => {
    const [kind = "", ...rest] = value.split(" ");
    const named = rest.join(" ");
    const scope =
      kind === "pr" ? { pr: Number(named) } : named !== project?.defaultBranch && { branch: named };
    navigate({ page: "baselines", ...kept, ...scope });
  };
  return (
    <search className="run-filters" aria-label={baselinesTexts.filter}>
      <Choice
        label={baselinesTexts.project}
        value={name}
        onChange={value => navigate({ page: "baselines", project: value, ...filters })}
      >
        {names.map(each => (
          <option key={each} value={each}>
            <ProjectName project={each} />
          </option>
        ))}
      </Choice>
      <Choice label={baselinesTexts.scope} value={chosen} onChange={choose}>
        {withChosen(branches, at.branch ?? "").map(each => (
          <option key={each} value={`branch ${each}`}>
            {each}
          </option>
        ))}
        {[...new Set([...(at.pr ? [at.pr] : []), ...pulls])].map(each => (
          <option key={each} value={`pr ${each}`}>
            {baselinesTexts.pullRequest(each)}
          </option>
        ))}
      </Choice>
      <FindRoute at={at} />
    </search>
  );
}

function withChosen(names: readonly string[], chosen: string): string[] {
  return names.includes(chosen) || chosen === "" ? [...names] : [chosen, ...names];
}

interface ChoiceProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  children: ReactNode;
}

function Choice({ label, value, onChange, children }: ChoiceProps) {
  return (
    <label>
      <span className="field-label">{label}</span>
      <select value={value} onChange={event => onChange(event.currentTarget.value)}>
        {children}
      </select>
    </label>
  );
}

function FindRoute({ at: { find = "", ...rest } }: { at: ProjectAt }) {
  const [text, setText] = useFollowedText(find, wanted =>
    navigate({ page: "baselines", ...rest, ...(wanted && { find: wanted }) }, "replace"),
  );
  return (
    <div className="find-field">
      <label className="find">
        <Icon name="search" />
        <span className="hidden">{commonTexts.findRoute}</span>
        <input
          type="search"
          placeholder={commonTexts.findRoute}
          autoComplete="off"
          maxLength={200}
          value={text}
          onChange={event => setText(event.currentTarget.value)}
        />
      </label>
    </div>
  );
}
