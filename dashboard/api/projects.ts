import type { ScreenshotKey } from "../../shared/contracts/capture/screenshot-key.ts";
import type { ConfigurationView } from "../../shared/contracts/configuration/configuration.ts";
import type { SecretList, SecretView } from "../../shared/contracts/configuration/secrets.ts";
import type { SubmittedTrial } from "../../shared/contracts/configuration/trials.ts";
import type {
  AcceptedRegion,
  AcceptRegion,
  ChangeRule,
  IgnoreRegionList,
  IgnoreRegionView,
  PreviewRule,
  RuleConfiguration,
  RulePreview,
} from "../../shared/contracts/noise/ignore-rules.ts";
import type { DismissRegion, NoiseView } from "../../shared/contracts/noise/noise.ts";
import type {
  BaselineHistory,
  BaselineList,
  BaselineView,
  ScreenshotHistory,
} from "../../shared/contracts/runs/baselines.ts";
import type { OverviewView } from "../../shared/contracts/runs/overview.ts";
import type { ChangeProject, ProjectList, ProjectView } from "../../shared/contracts/runs/projects.ts";
import type { BaselineFilters, WithMonitors } from "../location-filters.ts";
import { queryOf, requestJson } from "./request.ts";
import { monitorsIn } from "./runs.ts";

/** A page of a project at one width in px. */
export interface ProjectPage extends ScreenshotKey {
  project: string;
}

/** Returns the parameters of a page in a query. */
const pageIn = ({ project, route, state, environment, viewport }: ProjectPage) => ({
  ...{ project, route, viewport: String(viewport) },
  ...{ state: state ?? undefined, environment: environment ?? undefined },
});

/** A trial as the form sends it. The service validates the configuration. */
export interface TrialInput {
  url: string;
  route: string;
  environment: string | null;
  viewport?: number;
  configuration: object;
}

const ofProject = (project: string) => `v1/projects/${encodeURIComponent(project)}`;

/** Requests about projects: baselines, configurations, secrets and noise. Every function throws ApiProblem. */
export const projectsApi = {
  projects: (asked: WithMonitors, cursor: string | null) =>
    requestJson<ProjectList>(`v1/projects${queryOf({ monitors: monitorsIn(asked), limit: "100", cursor })}`),
  baselines: ({ project, branch, pr, find }: BaselineFilters & { project: string }, cursor: string | null) =>
    requestJson<BaselineList>(
      `v1/baselines${queryOf({ project, branch, pr: pr?.toString(), find, limit: "100", cursor })}`,
    ),
  baselineHistory: (page: ProjectPage, cursor: string | null) =>
    requestJson<BaselineHistory>(`v1/baselines/history${queryOf({ ...pageIn(page), cursor })}`),
  restoreBaseline: (id: string) =>
    requestJson<BaselineView>(`v1/baselines/${encodeURIComponent(id)}/restore`, { method: "POST" }),
  screenshotHistory: (page: ProjectPage, limit: number) =>
    requestJson<ScreenshotHistory>(`v1/screenshots${queryOf({ ...pageIn(page), limit: String(limit) })}`),
  changeProject: (id: string, body: ChangeProject) =>
    requestJson<ProjectView>(`v1/projects/${encodeURIComponent(id)}`, { method: "PATCH", body }),
  configuration: (project: string) => requestJson<ConfigurationView>(`${ofProject(project)}/configuration`),
  putConfiguration: (project: string, version: number, configuration: object) =>
    requestJson<ConfigurationView>(`${ofProject(project)}/configuration`, {
      method: "PUT",
      body: { version, configuration },
    }),
  submitTrial: (project: string, body: TrialInput) =>
    requestJson<SubmittedTrial>(`${ofProject(project)}/trials`, { method: "POST", body }),
  secrets: (project: string) => requestJson<SecretList>(`${ofProject(project)}/secrets`),
  putSecret: (project: string, name: string, value: string) =>
    requestJson<SecretView>(`${ofProject(project)}/secrets/${encodeURIComponent(name)}`, {
      method: "PUT",
      body: { value },
    }),
  deleteSecret: (project: string, name: string) =>
    requestJson<null>(`${ofProject(project)}/secrets/${encodeURIComponent(name)}`, { method: "DELETE" }),
  overview: (project: string, days: number) =>
    requestJson<OverviewView>(`v1/overview${queryOf({ project, days: String(days) })}`),
  noise: (project: string) => requestJson<NoiseView>(`v1/noise${queryOf({ project })}`),
  dismissRegion: (body: DismissRegion) => requestJson<null>("v1/noise/dismiss", { method: "POST", body }),
  ignoreRegions: (project: string, state: "active" | "ended", cursor: string | null) =>
    requestJson<IgnoreRegionList>(`v1/ignore-regions${queryOf({ project, state, limit: "50", cursor })}`),
  acceptRegion: (body: AcceptRegion) =>
    requestJson<AcceptedRegion>("v1/ignore-regions", { method: "POST", body }),
  previewRule: (body: PreviewRule, signal: AbortSignal) =>
    requestJson<RulePreview>("v1/ignore-regions/preview", { method: "POST", body, signal }),
  changeRule: (id: string, body: ChangeRule) =>
    requestJson<IgnoreRegionView>(`v1/ignore-regions/${encodeURIComponent(id)}`, { method: "PATCH", body }),
  removeRegion: ({ id, runId = null }: { id: string; runId?: string | null }) =>
    requestJson<null>(`v1/ignore-regions/${encodeURIComponent(id)}${queryOf({ runId })}`, {
      method: "DELETE",
    }),
  ruleConfiguration: (project: string) =>
    requestJson<RuleConfiguration>(`v1/ignore-regions/configuration${queryOf({ project })}`),
};
