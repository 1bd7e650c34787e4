import type { BillingView, PaidPlan, PaymentPage } from "../../shared/contracts/billing/billing.ts";
import type { Usage, UsageHistory } from "../../shared/contracts/billing/usage.ts";
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
import type { Fleet } from "../../shared/contracts/fleet.ts";
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
import { monitorsApi } from "./monitors.ts";
import { projectsApi } from "./projects.ts";
import { ApiProblem, chosenTeam, queryOf, rememberTeam, requestJson } from "./request.ts";
import { runsApi } from "./runs.ts";

/** All requests of the dashboard to `/v1`. Every function throws ApiProblem. */
export const api = {
  ...runsApi,
  ...projectsApi,
  ...monitorsApi,

  /** @param team whose own provider is meant. Null for the installation's */
  signInMethods: (team: string | null) =>
    requestJson<WaysIn>(team === null ? "v1/sign-in" : `v1/sign-in?provider=${encodeURIComponent(team)}`),
  session: readSession,
  signIn: (apiKey: string) => requestJson<SessionView>("v1/session", { method: "POST", body: { apiKey } }),
  /** Returns the URL that signs the user out at the identity provider, if there is one. */
  signOut: () => requestJson<SignedOut | null>("v1/session", { method: "DELETE" }),

  sessions: (cursor: string | null) =>
    requestJson<SessionList>(`v1/sessions${queryOf({ limit: "100", cursor })}`),
  closeSession: (id: string) =>
    requestJson<null>(`v1/sessions/${encodeURIComponent(id)}`, { method: "DELETE" }),
  closeOtherSessions: () => requestJson<null>("v1/sessions", { method: "DELETE" }),
  createTeam: (name: string) => requestJson<CreatedTeam>("v1/teams", { method: "POST", body: { name } }),
  leaveTeam: (team: string) => requestJson<null>(`${ofTeam(team)}/members/me`, { method: "DELETE" }),

  keys: (cursor: string | null) => requestJson<KeyList>(`v1/keys${queryOf({ limit: "100", cursor })}`),
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
    requestJson<DeliveryList>(`${ofWebhook(id)}/deliveries${queryOf({ limit: "20", cursor })}`),
  replayDelivery: (id: string, delivery: string) =>
    requestJson<DeliveryView>(`${ofWebhook(id)}/deliveries/${encodeURIComponent(delivery)}/replay`, {
      method: "POST",
    }),
  members: (team: string, cursor: string | null) =>
    requestJson<MemberList>(`${ofTeam(team)}/members${queryOf({ limit: "100", cursor })}`),
  invitations: (team: string) => requestJson<InvitationList>(`${ofTeam(team)}/invitations?limit=100`),
  revokeInvitation: (team: string, id: string) =>
    requestJson<null>(`${ofTeam(team)}/invitations/${encodeURIComponent(id)}`, { method: "DELETE" }),
  activity: (team: string, filter: ActivityFilter, cursor: string | null) =>
    requestJson<ActivityList>(`${ofTeam(team)}/activity${queryOf({ limit: "20", cursor, ...filter })}`),
  activityExportUrl: (team: string, filter: ActivityFilter, format: "csv" | "jsonl") =>
    `${ofTeam(team)}/activity/export${queryOf({ format, ...filter })}`,
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

const ofTeam = (id: string) => `v1/teams/${encodeURIComponent(id)}`;

/** Filter of a team's activity. Empty values filter nothing. Dates are UTC, such as 2026-12-01. */
export type ActivityFilter = Record<"type" | "from" | "to", string>;
