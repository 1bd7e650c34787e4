import type { BillingView, PaidPlan, PaymentPage } from "../../shared/contracts/billing/billing.ts";
import type { Usage, UsageHistory } from "../../shared/contracts/billing/usage.ts";
import type { ScreenshotKey } from "../../shared/contracts/capture/screenshot-key.ts";
import type {
  BeginApp,
  CodeHostAppView,
  CreatedApp,
  FinishApp,
  PendingApp,
} from "../../shared/contracts/code-host/code-host.ts";
import type {
  ChangeConnection,
  Connect,
  ConnectionList,
  ConnectionView,
  ConnectionWithSecret,
} from "../../shared/contracts/code-host/connections.ts";
import type { ConfigurationView } from "../../shared/contracts/configuration/configuration.ts";
import type { SecretList, SecretView } from "../../shared/contracts/configuration/secrets.ts";
import type { SubmittedTrial } from "../../shared/contracts/configuration/trials.ts";
import type { Fleet } from "../../shared/contracts/fleet.ts";
import type {
  AlertsView,
  AvailableChannels,
  NotificationList,
} from "../../shared/contracts/monitors/alerts.ts";
import type { PeriodDays, UptimeView } from "../../shared/contracts/monitors/availability.ts";
import type { CheckList, CheckView } from "../../shared/contracts/monitors/checks.ts";
import type { HttpResultList } from "../../shared/contracts/monitors/http-checks.ts";
import type { DriftView } from "../../shared/contracts/monitors/monitor-series.ts";
import type {
  ChangeMonitor,
  CreateMonitorInput,
  MonitorList,
  MonitorView,
  TestedAlert,
} from "../../shared/contracts/monitors/monitors.ts";
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
import type { ProofView } from "../../shared/contracts/runs/proof.ts";
import type { Approved, Dismissed, Rejected } from "../../shared/contracts/runs/reviews.ts";
import type { RunList, RunView } from "../../shared/contracts/runs/runs.ts";
import type { ScreenshotList } from "../../shared/contracts/runs/screenshots.ts";
import type { SubmitRunInput, SubmittedRun } from "../../shared/contracts/runs/submit-run.ts";
import type { CreatedKey, CreateKeyInput, KeyList } from "../../shared/contracts/teams/keys.ts";
import type {
  ActivityList,
  ChangeTeam,
  CreatedTeam,
  InvitationList,
  ManagedTeam,
  MemberList,
  TeamsBody,
  TeamView,
} from "../../shared/contracts/teams/people.ts";
import type { SessionList, SessionView } from "../../shared/contracts/teams/sessions.ts";
import type { SignedOut, WaysIn } from "../../shared/contracts/teams/sign-in.ts";
import type {
  ChangeWebhook,
  CreateWebhook,
  DeliveryList,
  DeliveryView,
  WebhookList,
  WebhookView,
  WebhookWithSecret,
} from "../../shared/contracts/webhooks/webhooks.ts";
import type { BaselineFilters, MonitorFilters, RunFilters, WithMonitors } from "../app-location.ts";
import { ApiProblem, chosenTeam, rememberTeam, requestJson } from "./request.ts";

/** A run and its team. Decisions may be sent after the tab has switched to another team. */
export interface RunOfTeam {
  id: string;
  team: string | null;
}

/** A page of a project at one width in px. */
export interface ProjectPage extends ScreenshotKey {
  project: string;
}

/** Returns the parameters of a page in a query. */
const pageIn = ({ project, route, state, environment, viewport }: ProjectPage) => ({
  ...{ project, route, viewport: String(viewport) },
  ...{ state: state ?? undefined, environment: environment ?? undefined },
});

/** All requests of the dashboard to `/v1`. Every function throws ApiProblem. */
export const api = {
  /** @param team whose own provider is meant. Null for the installation's */
  signInMethods: (team: string | null) =>
    requestJson<WaysIn>(team === null ? "v1/sign-in" : `v1/sign-in?provider=${encodeURIComponent(team)}`),
  session: readSession,
  signIn: (apiKey: string) => requestJson<SessionView>("v1/session", { method: "POST", body: { apiKey } }),
  /** Returns the URL that signs the user out at the identity provider, if there is one. */
  signOut: () => requestJson<SignedOut | null>("v1/session", { method: "DELETE" }),

  runs: (filters: RunFilters, limit: number, cursor: string | null) =>
    requestJson<RunList>(
      `v1/runs${query({ ...filters, monitors: monitorsIn(filters), limit: String(limit), cursor })}`,
    ),
  run: (id: string) => requestJson<RunView>(`v1/runs/${encodeURIComponent(id)}`),
  submitRun: (body: SubmitRunInput) => requestJson<SubmittedRun>("v1/run", { method: "POST", body }),
  rerun: (id: string, body: { only?: "failed" }) =>
    requestJson<SubmittedRun>(`v1/runs/${encodeURIComponent(id)}/rerun`, { method: "POST", body }),
  cancelRun: (id: string) =>
    requestJson<RunView>(`v1/runs/${encodeURIComponent(id)}/cancel`, { method: "POST" }),
  prove: (id: string) =>
    requestJson<ProofView>(`v1/screenshots/${encodeURIComponent(id)}/prove`, { method: "POST" }),
  revokeLinks: (id: string) =>
    requestJson<RunView>(`v1/runs/${encodeURIComponent(id)}/links/revoke`, { method: "POST" }),
  /** Returns the first screenshots in the order of a review, with the tally of all. */
  firstScreenshots: (runId: string, limit: number) =>
    requestJson<ScreenshotList>(
      `v1/screenshots/${encodeURIComponent(runId)}${query({ order: "need", limit: String(limit) })}`,
    ),
  screenshots: (runId: string) => requestJson<ScreenshotList>(`v1/screenshots/${encodeURIComponent(runId)}`),
  approve: ({ id, team }: RunOfTeam, screenshots: readonly string[], note: string | null) =>
    requestJson<Approved>(`v1/baselines/${encodeURIComponent(id)}/approve`, {
      method: "POST",
      team,
      body: { screenshots, ...(note !== null && { note }) },
    }),
  reject: (
    { id, team }: RunOfTeam,
    why: { reason: string; noise: boolean },
    screenshots: readonly string[],
  ) =>
    requestJson<Rejected>(`v1/baselines/${encodeURIComponent(id)}/reject`, {
      method: "POST",
      team,
      body: { screenshots, ...why },
    }),
  /** Dismisses the caller's own decisions, and none of others. */
  dismissOwn: ({ id, team }: RunOfTeam, reason: string, screenshots: readonly string[]) =>
    requestJson<Dismissed>(`v1/baselines/${encodeURIComponent(id)}/dismiss`, {
      method: "POST",
      team,
      body: { screenshots, reason, own: true },
    }),

  projects: (asked: WithMonitors, cursor: string | null) =>
    requestJson<ProjectList>(`v1/projects${query({ monitors: monitorsIn(asked), limit: "100", cursor })}`),
  baselines: ({ project, branch, pr, find }: BaselineFilters & { project: string }, cursor: string | null) =>
    requestJson<BaselineList>(
      `v1/baselines${query({ project, branch, pr: pr?.toString(), find, limit: "100", cursor })}`,
    ),
  baselineHistory: (page: ProjectPage, cursor: string | null) =>
    requestJson<BaselineHistory>(`v1/baselines/history${query({ ...pageIn(page), cursor })}`),
  restoreBaseline: (id: string) =>
    requestJson<BaselineView>(`v1/baselines/${encodeURIComponent(id)}/restore`, { method: "POST" }),
  screenshotHistory: (page: ProjectPage, limit: number) =>
    requestJson<ScreenshotHistory>(`v1/screenshots${query({ ...pageIn(page), limit: String(limit) })}`),
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
    requestJson<OverviewView>(`v1/overview${query({ project, days: String(days) })}`),
  noise: (project: string) => requestJson<NoiseView>(`v1/noise${query({ project })}`),
  dismissRegion: (body: DismissRegion) => requestJson<null>("v1/noise/dismiss", { method: "POST", body }),
  ignoreRegions: (project: string, state: "active" | "ended", cursor: string | null) =>
    requestJson<IgnoreRegionList>(`v1/ignore-regions${query({ project, state, limit: "50", cursor })}`),
  acceptRegion: (body: AcceptRegion) =>
    requestJson<AcceptedRegion>("v1/ignore-regions", { method: "POST", body }),
  previewRule: (body: PreviewRule, signal: AbortSignal) =>
    requestJson<RulePreview>("v1/ignore-regions/preview", { method: "POST", body, signal }),
  changeRule: (id: string, body: ChangeRule) =>
    requestJson<IgnoreRegionView>(`v1/ignore-regions/${encodeURIComponent(id)}`, { method: "PATCH", body }),
  removeRegion: ({ id, runId = null }: { id: string; runId?: string | null }) =>
    requestJson<null>(`v1/ignore-regions/${encodeURIComponent(id)}${query({ runId })}`, { method: "DELETE" }),
  ruleConfiguration: (project: string) =>
    requestJson<RuleConfiguration>(`v1/ignore-regions/configuration${query({ project })}`),
  monitors: (filters: MonitorFilters, cursor: string | null) =>
    requestJson<MonitorList>(`v1/monitors${query({ ...filters, limit: "50", cursor })}`),
  monitor: (id: string) => requestJson<MonitorView>(ofMonitor(id)),
  createMonitor: (body: CreateMonitorInput) =>
    requestJson<MonitorView>("v1/monitors", { method: "POST", body }),
  changeMonitor: (id: string, body: ChangeMonitor) =>
    requestJson<MonitorView>(ofMonitor(id), { method: "PATCH", body }),
  deleteMonitor: (id: string) => requestJson<null>(ofMonitor(id), { method: "DELETE" }),
  checkMonitor: (id: string) => requestJson<CheckView>(`${ofMonitor(id)}/run`, { method: "POST" }),
  checks: (id: string, cursor: string | null) =>
    requestJson<CheckList>(`${ofMonitor(id)}/history${query({ limit: "20", cursor })}`),
  drift: (id: string, days: number) =>
    requestJson<DriftView>(`${ofMonitor(id)}/drift${query({ days: String(days) })}`),
  httpChecks: (id: string) =>
    requestJson<HttpResultList>(`${ofMonitor(id)}/http-checks${query({ limit: "30" })}`),
  uptime: (id: string, days: PeriodDays) =>
    requestJson<UptimeView>(`${ofMonitor(id)}/uptime${query({ days: String(days) })}`),
  alerts: (id: string, days: number) =>
    requestJson<AlertsView>(`${ofMonitor(id)}/alerts${query({ days: String(days) })}`),
  deliveries: (id: string) => requestJson<NotificationList>(`${ofMonitor(id)}/deliveries?limit=100`),
  alertChannels: () => requestJson<AvailableChannels>("v1/alerts/channels"),
  snooze: (id: string, hours: number) =>
    requestJson<{ snoozedUntil: string }>(`${ofMonitor(id)}/snooze`, { method: "POST", body: { hours } }),
  unsnooze: (id: string) => requestJson<null>(`${ofMonitor(id)}/snooze`, { method: "DELETE" }),
  testAlert: (id: string) => requestJson<TestedAlert>(`${ofMonitor(id)}/test-alert`, { method: "POST" }),

  sessions: (cursor: string | null) =>
    requestJson<SessionList>(`v1/sessions${query({ limit: "100", cursor })}`),
  closeSession: (id: string) =>
    requestJson<null>(`v1/sessions/${encodeURIComponent(id)}`, { method: "DELETE" }),
  closeOtherSessions: () => requestJson<null>("v1/sessions", { method: "DELETE" }),
  createTeam: (name: string) => requestJson<CreatedTeam>("v1/teams", { method: "POST", body: { name } }),
  leaveTeam: (team: string) => requestJson<null>(`${ofTeam(team)}/members/me`, { method: "DELETE" }),

  keys: (cursor: string | null) => requestJson<KeyList>(`v1/keys${query({ limit: "100", cursor })}`),
  createKey: (body: CreateKeyInput) => requestJson<CreatedKey>("v1/keys", { method: "POST", body }),
  revokeKey: (id: string) => requestJson<null>(`v1/keys/${encodeURIComponent(id)}`, { method: "DELETE" }),
  connections: () => requestJson<ConnectionList>("v1/connections"),
  connect: (body: Connect) => requestJson<ConnectionWithSecret>("v1/connections", { method: "POST", body }),
  changeConnection: (id: string, body: ChangeConnection) =>
    requestJson<ConnectionView>(ofConnection(id), { method: "PATCH", body }),
  rotateConnectionSecret: (id: string) =>
    requestJson<ConnectionWithSecret>(`${ofConnection(id)}/rotate-secret`, { method: "POST", body: {} }),
  disconnect: (id: string) => requestJson<null>(ofConnection(id), { method: "DELETE" }),
  webhooks: () => requestJson<WebhookList>("v1/webhooks"),
  createWebhook: (body: CreateWebhook) =>
    requestJson<WebhookWithSecret>("v1/webhooks", { method: "POST", body }),
  changeWebhook: (id: string, body: ChangeWebhook) =>
    requestJson<WebhookView>(ofWebhook(id), { method: "PATCH", body }),
  deleteWebhook: (id: string) => requestJson<null>(ofWebhook(id), { method: "DELETE" }),
  rotateWebhookSecret: (id: string) =>
    requestJson<WebhookWithSecret>(`${ofWebhook(id)}/rotate-secret`, { method: "POST", body: {} }),
  testWebhook: (id: string) => requestJson<DeliveryView>(`${ofWebhook(id)}/test`, { method: "POST" }),
  webhookDeliveries: (id: string, cursor: string | null) =>
    requestJson<DeliveryList>(`${ofWebhook(id)}/deliveries${query({ limit: "20", cursor })}`),
  replayDelivery: (id: string, delivery: string) =>
    requestJson<DeliveryView>(`${ofWebhook(id)}/deliveries/${encodeURIComponent(delivery)}/replay`, {
      method: "POST",
    }),
  members: (team: string, cursor: string | null) =>
    requestJson<MemberList>(`${ofTeam(team)}/members${query({ limit: "100", cursor })}`),
  invitations: (team: string) => requestJson<InvitationList>(`${ofTeam(team)}/invitations?limit=100`),
  revokeInvitation: (team: string, id: string) =>
    requestJson<null>(`${ofTeam(team)}/invitations/${encodeURIComponent(id)}`, { method: "DELETE" }),
  activity: (team: string, filter: ActivityFilter, cursor: string | null) =>
    requestJson<ActivityList>(`${ofTeam(team)}/activity${query({ limit: "20", cursor, ...filter })}`),
  activityExportUrl: (team: string, filter: ActivityFilter, format: "csv" | "jsonl") =>
    `${ofTeam(team)}/activity/export${query({ format, ...filter })}`,
  manageTeam: (body: Pick<TeamsBody, "teamId" | "add" | "remove">) =>
    requestJson<ManagedTeam>("v1/teams", { method: "POST", body }),
  changeTeam: (team: string, body: ChangeTeam) =>
    requestJson<TeamView>(ofTeam(team), { method: "PATCH", body }),
  billing: () => requestJson<BillingView>("v1/billing"),
  checkout: (plan: PaidPlan) =>
    requestJson<PaymentPage>("v1/billing/checkout", { method: "POST", body: { plan } }),
  portal: () => requestJson<PaymentPage>("v1/billing/portal", { method: "POST" }),
  usage: () => requestJson<Usage>("v1/usage"),
  usageHistory: () => requestJson<UsageHistory>("v1/usage/history"),
  nodes: () => requestJson<Fleet>("v1/admin/nodes"),
  codeHostApp: () => requestJson<CodeHostAppView>("v1/admin/code-host"),
  createApp: (body: BeginApp) => requestJson<PendingApp>("v1/admin/code-host/app", { method: "POST", body }),
  finishApp: (body: FinishApp) =>
    requestJson<CreatedApp>("v1/admin/code-host/app/settings", { method: "POST", body }),
};

function ofConnection(id: string): string {
  return `v1/connections/${encodeURIComponent(id)}`;
}

function ofWebhook(id: string): string {
  return `v1/webhooks/${encodeURIComponent(id)}`;
}

/**
 * Returns the session, or null without one. Clears a chosen team that the user has left, or that requires another
 * sign-in.
 */
async function readSession(): Promise<SessionView | null> {
  try {
    return await requestJson<SessionView>("v1/session");
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error;
    if (error.status === 401) return null;
    if (![403, 404].includes(error.status) || chosenTeam() === null) throw error;
    rememberTeam(null);
    return readSession();
  }
}

/** Lists leave out runs of monitors, unless the filter includes them or names one of their projects. */
const monitorsIn = ({ monitors, project }: WithMonitors & { project?: string }) =>
  monitors ?? (project === undefined ? "0" : undefined);

/** A trial as the form sends it. The service validates the configuration. */
export interface TrialInput {
  url: string;
  route: string;
  environment: string | null;
  viewport?: number;
  configuration: object;
}

const ofProject = (project: string) => `v1/projects/${encodeURIComponent(project)}`;
const ofMonitor = (id: string) => `v1/monitors/${encodeURIComponent(id)}`;
const ofTeam = (id: string) => `v1/teams/${encodeURIComponent(id)}`;

/** Filter of a team's activity. Empty values filter nothing. Dates are UTC, such as 2026-12-01. */
export type ActivityFilter = Record<"type" | "from" | "to", string>;

function query(values: Record<string, string | null | undefined>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value) search.set(name, value);
  return search.size === 0 ? "" : `?${search}`;
}
