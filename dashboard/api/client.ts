import type {
  BaselineHistory,
  BaselineList,
  BaselineView,
  ProjectList,
  ScreenshotHistory,
} from "../../shared/contracts/baselines.ts";
import type { BillingView, PaidPlan, PaymentPage } from "../../shared/contracts/billing.ts";
import type { Fleet } from "../../shared/contracts/fleet.ts";
import type {
  CreatedKey,
  CreateKey,
  KeyList,
  RunList,
  RunView,
  ScreenshotList,
  SubmitRunInput,
  SubmittedRun,
} from "../../shared/contracts/http.ts";
import type {
  ActivityList,
  ChangeTeam,
  InvitationList,
  ManagedTeam,
  MemberList,
  SessionView,
  TeamsBody,
  TeamView,
  WaysIn,
} from "../../shared/contracts/people.ts";
import type { Approved, Dismissed, Rejected } from "../../shared/contracts/reviews.ts";
import type { Usage } from "../../shared/contracts/usage.ts";
import type { BaselinesAt, RunFilters } from "../place.ts";
import { ApiProblem, askFor, chosenTeam, rememberTeam } from "./request.ts";

/** One page of a project at one width, px. */
export interface PageAt {
  project: string;
  route: string;
  viewport: number;
}

/** The whole of what the dashboard asks of `/v1`. Every function throws ApiProblem. */
export const api = {
  waysIn: () => askFor<WaysIn>("v1/sign-in"),
  session: readSession,
  signIn: (apiKey: string) => askFor<SessionView>("v1/session", { method: "POST", body: { apiKey } }),
  signOut: () => askFor<null>("v1/session", { method: "DELETE" }),

  runs: (filters: RunFilters, limit: number, cursor: string | null) =>
    askFor<RunList>(`v1/runs${query({ ...filters, limit: String(limit), cursor })}`),
  run: (id: string) => askFor<RunView>(`v1/runs/${encodeURIComponent(id)}`),
  submitRun: (body: SubmitRunInput) => askFor<SubmittedRun>("v1/run", { method: "POST", body }),
  cancelRun: (id: string) => askFor<RunView>(`v1/runs/${encodeURIComponent(id)}/cancel`, { method: "POST" }),
  screenshots: (runId: string) => askFor<ScreenshotList>(`v1/screenshots/${encodeURIComponent(runId)}`),
  approve: (runId: string, screenshots?: string[]) =>
    askFor<Approved>(`v1/baselines/${encodeURIComponent(runId)}/approve`, {
      method: "POST",
      body: { screenshots },
    }),
  reject: (runId: string, reason: string, screenshots?: string[]) =>
    askFor<Rejected>(`v1/baselines/${encodeURIComponent(runId)}/reject`, {
      method: "POST",
      body: { screenshots, reason },
    }),
  /** Has what the caller said count no more, and nothing of what others did. */
  dismissOwn: (runId: string, reason: string, screenshots?: string[]) =>
    askFor<Dismissed>(`v1/baselines/${encodeURIComponent(runId)}/dismiss`, {
      method: "POST",
      body: { screenshots, reason, own: true },
    }),

  projects: (cursor: string | null) => askFor<ProjectList>(`v1/projects${query({ limit: "100", cursor })}`),
  baselines: ({ project, branch, pr, find }: BaselinesAt & { project: string }, cursor: string | null) =>
    askFor<BaselineList>(
      `v1/baselines${query({ project, branch, pr: pr?.toString(), find, limit: "100", cursor })}`,
    ),
  baselineHistory: ({ project, route, viewport }: PageAt, cursor: string | null) =>
    askFor<BaselineHistory>(
      `v1/baselines/history${query({ project, route, viewport: String(viewport), cursor })}`,
    ),
  restoreBaseline: (id: string) =>
    askFor<BaselineView>(`v1/baselines/${encodeURIComponent(id)}/restore`, { method: "POST" }),
  screenshotHistory: ({ project, route, viewport }: PageAt, limit: number) =>
    askFor<ScreenshotHistory>(
      `v1/screenshots${query({ project, route, viewport: String(viewport), limit: String(limit) })}`,
    ),

  keys: (cursor: string | null) => askFor<KeyList>(`v1/keys${query({ limit: "100", cursor })}`),
  createKey: (body: CreateKey) => askFor<CreatedKey>("v1/keys", { method: "POST", body }),
  revokeKey: (id: string) => askFor<null>(`v1/keys/${encodeURIComponent(id)}`, { method: "DELETE" }),
  members: (team: string, cursor: string | null) =>
    askFor<MemberList>(`${ofTeam(team)}/members${query({ limit: "100", cursor })}`),
  invitations: (team: string) => askFor<InvitationList>(`${ofTeam(team)}/invitations?limit=100`),
  revokeInvitation: (team: string, id: string) =>
    askFor<null>(`${ofTeam(team)}/invitations/${encodeURIComponent(id)}`, { method: "DELETE" }),
  activity: (team: string, cursor: string | null) =>
    askFor<ActivityList>(`${ofTeam(team)}/activity${query({ limit: "20", cursor })}`),
  manageTeam: (body: Pick<TeamsBody, "teamId" | "add" | "remove">) =>
    askFor<ManagedTeam>("v1/teams", { method: "POST", body }),
  changeTeam: (team: string, body: ChangeTeam) => askFor<TeamView>(ofTeam(team), { method: "PATCH", body }),
  billing: () => askFor<BillingView>("v1/billing"),
  checkout: (plan: PaidPlan) =>
    askFor<PaymentPage>("v1/billing/checkout", { method: "POST", body: { plan } }),
  portal: () => askFor<PaymentPage>("v1/billing/portal", { method: "POST" }),
  usage: () => askFor<Usage>("v1/usage"),
  nodes: () => askFor<Fleet>("v1/admin/nodes"),
};

/** Who has signed in; null for nobody. A team that she is in no more is forgotten. */
async function readSession(): Promise<SessionView | null> {
  try {
    return await askFor<SessionView>("v1/session");
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error;
    if (error.status === 401) return null;
    if (error.status !== 404 || chosenTeam() === null) throw error;
    rememberTeam(null);
    return readSession();
  }
}

const ofTeam = (id: string) => `v1/teams/${encodeURIComponent(id)}`;

function query(values: Record<string, string | null | undefined>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value) search.set(name, value);
  return search.size === 0 ? "" : `?${search}`;
}
