import assert from "node:assert/strict";
import { ROUTES } from "../../../services/gateway/routes/routes.ts";
import { monitorView } from "../../../shared/contracts/monitors/monitors.ts";
import type { Role } from "../../../shared/contracts/runs/runs.ts";
import { submittedRun } from "../../../shared/contracts/runs/submit-run.ts";
import { createdKey } from "../../../shared/contracts/teams/keys.ts";
import { createdTeam, managedTeam } from "../../../shared/contracts/teams/people.ts";
import { sessionList } from "../../../shared/contracts/teams/sessions.ts";
import { Vrs } from "../../support/drivers/vrs.ts";

/** The callers and their teams. */
const ASKERS = [
  "nobody",
  "viewer",
  "reviewer",
  "admin",
  "other team's admin",
  "other team's admin, naming this one",
  "operator",
  "upload key",
] as const;
type Asker = (typeof ASKERS)[number];

/** In a project that no team has. */
const REGION = { project: "p", route: "/", viewport: 1280, x: 0, y: 0, width: 10, height: 10 };

/** The resources of a request. They are created for each request, because most requests change them. */
interface Things {
  team: string;
  run: string;
  monitor: string;
  key(): Promise<string>;
  invitation(): Promise<string>;
  oneMoreMonitor(): Promise<string>;
  session(asker: Asker): Promise<string>;
}

interface Case {
  /** The URL, if it differs from the route's path with the team's resources. */
  path?: string | ((things: Things, asker: Asker) => string | Promise<string>);
  /** The least permission. `anybody` needs no credential. */
  least: Role | "anybody" | "operator" | "scim";
  /** The statuses for permitted callers. A 409 for a forbidden state counts. */
  answers: number[];
  /** The status for another team's admin, if it is not the first of these: 404. */
  other?: number;
  body?: object;
  /** Only its beginning is read. */
  endless?: true;
}

/** Returns a route's URL with one team's resources. */
function addressOf(name: string, { team, run, monitor }: Things): string {
  const [, route = ""] = name.split(" ");
  const ids: Record<string, string> = { monitors: monitor, teams: team };
  return route.replace(/^(\/v1\/(\w+))\/:(id|runId)/, (_all, of, noun) => `${of}/${ids[noun] ?? run}`);
}

const alertLink = (what: string, about: string) => (things: Things) =>
  `/v1/alerts/${what}/${things.team}/mon_1/${about}/${"0".repeat(22)}`;

/** Every route with its permission. It repeats the table of routes, so that an error there fails. */
const CASES: Record<string, Case> = {
  "POST /v1/run": { least: "reviewer", answers: [422], body: {} },
  "GET /v1/runs": { least: "viewer", answers: [200] },
  "GET /v1/runs/:id": { least: "viewer", answers: [200], other: 404 },
  "GET /v1/runs/:id/events": { least: "viewer", answers: [200], other: 404 },
  "GET /v1/events": { least: "viewer", answers: [200], endless: true },
  "POST /v1/runs/:id/cancel": { least: "reviewer", answers: [200, 409], other: 404 },
  "POST /v1/runs/:id/rerun": { least: "reviewer", answers: [202, 409], other: 404, body: {} },
  "POST /v1/screenshots/:id/prove": { least: "reviewer", answers: [404], other: 404 },
  "POST /v1/runs/:id/links/revoke": { least: "reviewer", answers: [200], other: 404 },
  "GET /v1/reports/:id": { least: "viewer", answers: [200], other: 404 },
  "GET /v1/screenshots/:runId": { least: "viewer", answers: [200], other: 404 },
  // Only the link gives access, for any caller.
  "GET /v1/images/:team/:signature/:file": {
    path: things => `/v1/images/${things.team}/none/${"0".repeat(64)}.png`,
    least: "anybody",
    answers: [401],
  },
  "GET /v1/sites/:team/:signature/*path": {
    path: things => `/v1/sites/${things.team}/none/iframe.html`,
    least: "anybody",
    answers: [401],
  },
  "GET /v1/attachments/:team/:signature/:hash/:file": {
    path: things => `/v1/attachments/${things.team}/none/${"0".repeat(64)}/trace.zip`,
    least: "anybody",
    answers: [401],
  },
  "POST /v1/archives": { path: () => "/v1/archives?project=p", least: "reviewer", answers: [422] },
  "GET /v1/archives/:id": {
    path: () => `/v1/archives/${"0".repeat(64)}?project=p`,
    least: "reviewer",
    answers: [404],
  },
  "POST /v1/builds": { least: "reviewer", answers: [422], body: {} },
  "GET /v1/builds/:id": { least: "viewer", answers: [404] },
  "POST /v1/builds/:id/shards": {
    least: "reviewer",
    answers: [404],
    body: { screenshots: [{ name: "a", hash: "0".repeat(64) }] },
  },
  "PUT /v1/builds/:id/images/:hash": {
    path: ({ run }) => `/v1/builds/${run}/images/${"0".repeat(64)}`,
    least: "reviewer",
    answers: [404],
  },
  "PUT /v1/builds/:id/attachments/:hash": {
    path: ({ run }) => `/v1/builds/${run}/attachments/${"0".repeat(64)}`,
    ...{ least: "reviewer", answers: [404] },
  },
  "POST /v1/builds/:id/finalize": { least: "reviewer", answers: [404], body: {} },
  "POST /v1/baselines/:runId/approve": { least: "reviewer", answers: [409], other: 404 },
  "POST /v1/baselines/:runId/reject": {
    least: "reviewer",
    answers: [409],
    other: 404,
    body: { reason: "no" },
  },
  "POST /v1/baselines/:runId/dismiss": {
    least: "reviewer",
    answers: [409],
    other: 404,
    body: { reason: "no" },
  },
  // Only a WebSocket opens a tunnel.
  "GET /v1/tunnels": { least: "reviewer", answers: [422] },
  "GET /v1/projects": { least: "viewer", answers: [200] },
  "PATCH /v1/projects/:id": {
    path: "/v1/projects/proj_00000000000000000000000000",
    least: "admin",
    answers: [404],
    body: { nullReruns: true },
  },
  "GET /v1/overview": { path: "/v1/overview?project=p", least: "viewer", answers: [404] },
  "GET /v1/noise": { path: "/v1/noise?project=p", least: "viewer", answers: [404] },
  "POST /v1/noise/dismiss": { least: "reviewer", answers: [404], body: REGION },
  "GET /v1/ignore-regions": { path: "/v1/ignore-regions?project=p", least: "viewer", answers: [200] },
  "POST /v1/ignore-regions": { least: "reviewer", answers: [404], body: REGION },
  "POST /v1/ignore-regions/preview": { least: "viewer", answers: [404], body: REGION },
  "GET /v1/ignore-regions/configuration": {
    path: "/v1/ignore-regions/configuration?project=p",
    least: "viewer",
    answers: [404],
  },
  "PATCH /v1/ignore-regions/:id": {
    path: "/v1/ignore-regions/ign_00000000000000000000000000",
    least: "reviewer",
    answers: [404],
    body: { reason: "x" },
  },
  "DELETE /v1/ignore-regions/:id": {
    path: "/v1/ignore-regions/ign_00000000000000000000000000",
    least: "reviewer",
    answers: [404],
  },
  "GET /v1/runs/:id/comments": { path: "/v1/runs/run_0/comments", least: "viewer", answers: [404] },
  "POST /v1/runs/:id/comments": {
    path: "/v1/runs/run_0/comments",
    least: "reviewer",
    answers: [404],
    body: { text: "x" },
  },
  "PATCH /v1/comments/:id": {
    path: "/v1/comments/com_0",
    least: "reviewer",
    answers: [404],
    body: { resolved: true },
  },
  "DELETE /v1/comments/:id": { path: "/v1/comments/com_0", least: "reviewer", answers: [404] },
  "GET /v1/inbox": { least: "viewer", answers: [200] },
  "GET /v1/runs/:id/reviewers": { path: "/v1/runs/run_0/reviewers", least: "viewer", answers: [404] },
  "PUT /v1/runs/:id/reviewers": {
    path: "/v1/runs/run_0/reviewers",
    least: "reviewer",
    answers: [404],
    body: { reviewers: [] },
  },
  "GET /v1/projects/:project/reviewers": {
    path: "/v1/projects/p/reviewers",
    least: "viewer",
    answers: [200],
  },
  "PUT /v1/projects/:project/reviewers": {
    path: "/v1/projects/p/reviewers",
    least: "admin",
    answers: [200],
    body: { rules: [] },
  },
  "GET /v1/projects/:project/email": { path: "/v1/projects/p/email", least: "viewer", answers: [200] },
  "PUT /v1/projects/:project/email": {
    path: "/v1/projects/p/email",
    least: "admin",
    answers: [200],
    body: { addresses: [] },
  },
  "GET /v1/projects/:project/chat": { path: "/v1/projects/p/chat", least: "viewer", answers: [200] },
  "PUT /v1/projects/:project/chat": {
    path: "/v1/projects/p/chat",
    least: "admin",
    answers: [200],
    body: { slack: null },
  },
  "POST /v1/projects/:project/chat/test": {
    path: "/v1/projects/p/chat/test",
    least: "admin",
    answers: [404],
  },
  "GET /v1/teams/:id/chat-channels": { least: "viewer", answers: [200], other: 404 },
  // These keys belong to no user.
  "GET /v1/account/notices": { least: "viewer", answers: [409] },
  "PATCH /v1/account/notices": { least: "viewer", answers: [409], body: { mentions: true } },
  "GET /v1/notices/stop/:user/:kinds/:signature": {
    path: "/v1/notices/stop/user_0/review/forged",
    least: "anybody",
    answers: [401],
  },
  "POST /v1/notices/stop/:user/:kinds/:signature": {
    path: "/v1/notices/stop/user_0/review/forged",
    least: "anybody",
    answers: [401],
  },
  "GET /v1/notices/unsubscribe/:team/:id/:address/:signature": {
    path: "/v1/notices/unsubscribe/team_0/eml_0/YQ/forged",
    least: "anybody",
    answers: [401],
  },
  "POST /v1/notices/unsubscribe/:team/:id/:address/:signature": {
    path: "/v1/notices/unsubscribe/team_0/eml_0/YQ/forged",
    least: "anybody",
    answers: [401],
  },
  "GET /v1/projects/:project/configuration": {
    path: "/v1/projects/p/configuration",
    least: "viewer",
    answers: [200],
  },
  "PUT /v1/projects/:project/configuration": {
    path: "/v1/projects/p/configuration",
    least: "admin",
    // Another version was read.
    answers: [409],
    body: { version: 7, configuration: {} },
  },
  "POST /v1/projects/:project/trials": {
    path: "/v1/projects/p/trials",
    least: "reviewer",
    answers: [422],
    body: {},
  },
  "GET /v1/projects/:project/secrets": {
    path: "/v1/projects/p/secrets",
    least: "viewer",
    answers: [200],
  },
  "PUT /v1/projects/:project/secrets/:name": {
    path: "/v1/projects/p/secrets/PASSWORD",
    least: "admin",
    answers: [200],
    body: { value: "secret" },
  },
  "DELETE /v1/projects/:project/secrets/:name": {
    path: "/v1/projects/p/secrets/PASSWORD",
    least: "admin",
    answers: [204, 404],
  },
  "GET /v1/baselines": { path: "/v1/baselines?project=p", least: "viewer", answers: [200] },
  "GET /v1/baselines/history": {
    path: "/v1/baselines/history?project=localhost%3A1024&route=/&viewport=1280",
    least: "viewer",
    answers: [200],
  },
  // Nothing in this team's run was approved.
  "POST /v1/baselines/:id/restore": {
    path: "/v1/baselines/base_00000000000000000000000000/restore",
    least: "reviewer",
    answers: [404],
  },
  "GET /v1/screenshots": {
    path: "/v1/screenshots?project=localhost%3A1024&route=/&viewport=1280",
    least: "viewer",
    answers: [200],
  },
  "GET /v1/usage": { least: "viewer", answers: [200] },
  "GET /v1/usage/history": { least: "viewer", answers: [200] },
  "GET /v1/keys": { least: "admin", answers: [200] },
  "POST /v1/keys": { least: "admin", answers: [201], body: { name: "new", role: "viewer" } },
  "DELETE /v1/keys/:id": {
    path: async things => `/v1/keys/${await things.key()}`,
    least: "admin",
    answers: [204],
    other: 404,
  },
  "POST /v1/upload-keys": { least: "anybody", answers: [422], body: {} },
  // Users who sign in have no identity yet. No code host is configured here.
  "GET /auth/login": { least: "anybody", answers: [404] },
  "GET /auth/callback": { least: "anybody", answers: [400] },
  "GET /auth/oidc/:provider": { least: "anybody", path: "/auth/oidc/default", answers: [404] },
  "GET /auth/oidc/:provider/callback": {
    ...{ least: "anybody", path: "/auth/oidc/default/callback", answers: [400] },
  },
  "POST /auth/oidc/:provider/logout": {
    ...{ least: "anybody", path: "/auth/oidc/default/logout", answers: [400] },
  },
  // Only keys with the scope scim have access. Their own tests are in scim.test.ts.
  "GET /scim/v2/Users": { least: "scim", answers: [] },
  "POST /scim/v2/Users": { least: "scim", answers: [] },
  "GET /scim/v2/Users/:id": { least: "scim", answers: [] },
  "PUT /scim/v2/Users/:id": { least: "scim", answers: [] },
  "PATCH /scim/v2/Users/:id": { least: "scim", answers: [] },
  "DELETE /scim/v2/Users/:id": { least: "scim", answers: [] },
  "GET /scim/v2/Groups": { least: "scim", answers: [] },
  "POST /scim/v2/Groups": { least: "scim", answers: [] },
  "GET /scim/v2/Groups/:id": { least: "scim", answers: [] },
  "PUT /scim/v2/Groups/:id": { least: "scim", answers: [] },
  "PATCH /scim/v2/Groups/:id": { least: "scim", answers: [] },
  "DELETE /scim/v2/Groups/:id": { least: "scim", answers: [] },
  "GET /scim/v2/ServiceProviderConfig": { least: "scim", answers: [] },
  "GET /scim/v2/ResourceTypes": { least: "scim", answers: [] },
  "GET /scim/v2/ResourceTypes/:id": { least: "scim", answers: [] },
  "GET /scim/v2/Schemas": { least: "scim", answers: [] },
  "GET /scim/v2/Schemas/:id": { least: "scim", answers: [] },
  "GET /v1/sign-in": { least: "anybody", answers: [200] },
  "GET /v1/session": { least: "viewer", answers: [200] },
  "POST /v1/session": { least: "anybody", answers: [422], body: {} },
  "DELETE /v1/session": { least: "viewer", answers: [204] },
  "GET /v1/sessions": { least: "viewer", answers: [200] },
  "DELETE /v1/sessions": { least: "viewer", answers: [204] },
  "DELETE /v1/sessions/:id": {
    path: async (things, asker) => `/v1/sessions/${await things.session(asker)}`,
    least: "viewer",
    answers: [204],
    other: 404,
  },
  "GET /v1/teams": { least: "viewer", answers: [200] },
  "POST /v1/teams": { least: "admin", answers: [200], other: 404 },
  "PATCH /v1/teams/:id": { least: "admin", answers: [200], other: 404, body: { name: "Renamed" } },
  "DELETE /v1/teams/:id": { least: "admin", answers: [200], other: 404 },
  "POST /v1/teams/:id/restore": { least: "admin", answers: [200], other: 404 },
  "GET /v1/teams/:id/members": { least: "viewer", answers: [200], other: 404 },
  "DELETE /v1/teams/:id/members/me": { least: "viewer", answers: [409], other: 404 },
  "GET /v1/teams/:id/invitations": { least: "admin", answers: [200], other: 404 },
  "DELETE /v1/teams/:id/invitations/:invitation": {
    path: async things => `/v1/teams/${things.team}/invitations/${await things.invitation()}`,
    least: "admin",
    answers: [204],
    other: 404,
  },
  "DELETE /v1/teams/:id/members/:member/sessions": {
    path: ({ team }) => `/v1/teams/${team}/members/user_1/sessions`,
    ...{ least: "admin", answers: [404], other: 404 },
  },
  "GET /v1/teams/:id/sign-in": { least: "admin", answers: [200], other: 404 },
  "PUT /v1/teams/:id/sign-in": { least: "admin", answers: [422], other: 404, body: {} },
  "PUT /v1/teams/:id/provider": { least: "admin", answers: [422], other: 404, body: {} },
  "DELETE /v1/teams/:id/provider": { least: "admin", answers: [404], other: 404 },
  "GET /v1/teams/:id/activity": { least: "viewer", answers: [200], other: 404 },
  "GET /v1/teams/:id/activity/export": { least: "admin", answers: [200], other: 404 },
  "GET /v1/teams/:id/chat-apps": { least: "admin", answers: [200], other: 404 },
  "PUT /v1/teams/:id/chat-apps/:tool": {
    path: ({ team }) => `/v1/teams/${team}/chat-apps/slack`,
    ...{ least: "admin", answers: [422], other: 404, body: {} },
  },
  "DELETE /v1/teams/:id/chat-apps/:tool": {
    path: ({ team }) => `/v1/teams/${team}/chat-apps/slack`,
    ...{ least: "admin", answers: [204], other: 404 },
  },
  "DELETE /v1/account/chat-links": { least: "viewer", answers: [409] },
  // Only signatures give access.
  "POST /v1/chat/:tool/:team": {
    path: ({ team }) => `/v1/chat/slack/${team}`,
    ...{ least: "anybody", answers: [401] },
  },
  "GET /v1/chat/link/:content/:signature": { path: "/v1/chat/link/a/b", least: "anybody", answers: [401] },
  "POST /v1/chat/link/:content/:signature": {
    path: "/v1/chat/link/a/b",
    least: "anybody",
    answers: [401, 403],
  },
  "POST /v1/teams/:id/export": { least: "admin", answers: [202], other: 404 },
  "GET /v1/teams/:id/export": { least: "admin", answers: [200, 404], other: 404 },
  "GET /v1/teams/:id/export/file": { least: "admin", answers: [200, 404, 409], other: 404 },
  "POST /v1/teams/:id/import": { least: "admin", answers: [422], other: 404 },
  "GET /v1/teams/:id/import": { least: "admin", answers: [404], other: 404 },
  // Only signatures give access. No secrets are configured here.
  "POST /codehost/webhook": { least: "anybody", answers: [500] },
  "POST /runs/:checkRunId/complete": { path: "/runs/1/complete", least: "anybody", answers: [500] },
  // The platform's signature gives access. No platform is configured here.
  "GET /api/install": { least: "anybody", answers: [404] },
  "GET /api/installed": { least: "anybody", answers: [200] },
  "POST /api/webhook": { least: "anybody", answers: [500], body: {} },
  "GET /v1/admin/consents": { least: "operator", answers: [200] },
  "PUT /v1/admin/consents/:key": {
    path: "/v1/admin/consents/project:prj_1",
    least: "operator",
    answers: [200],
  },
  "DELETE /v1/admin/consents/:key": {
    path: "/v1/admin/consents/project:prj_1",
    least: "operator",
    answers: [204],
  },
  "GET /v1/installs": { least: "admin", answers: [200] },
  // Nothing is installed.
  "PUT /v1/installs/:configurationId/projects/:projectId": {
    path: "/v1/installs/icfg_1/projects/prj_1",
    least: "admin",
    answers: [404],
    body: { routes: ["/"] },
  },
  // No Cloud API is configured here that could check keys.
  "PUT /v1/admin/installs/:configurationId": {
    path: "/v1/admin/installs/icfg_1",
    least: "operator",
    answers: [409],
    body: { apiKey: "some-key" },
  },
  "POST /v1/admin/installs/:configurationId/admins": {
    path: "/v1/admin/installs/icfg_1/admins",
    least: "operator",
    answers: [404],
    body: { login: "ada" },
  },
  "POST /v1/monitors": { least: "reviewer", answers: [422], body: {} },
  "GET /v1/monitors": { least: "viewer", answers: [200] },
  "GET /v1/monitors/:id": { least: "viewer", answers: [200], other: 404 },
  "PATCH /v1/monitors/:id": { least: "reviewer", answers: [200], other: 404, body: { name: "Other" } },
  "DELETE /v1/monitors/:id": {
    path: async things => `/v1/monitors/${await things.oneMoreMonitor()}`,
    least: "reviewer",
    answers: [204],
    other: 404,
  },
  "POST /v1/monitors/:id/run": { least: "reviewer", answers: [202, 409], other: 404 },
  "GET /v1/monitors/:id/http-checks": { least: "viewer", answers: [200], other: 404 },
  "GET /v1/monitors/:id/history": { least: "viewer", answers: [200], other: 404 },
  "POST /v1/monitors/:id/snooze": { least: "reviewer", answers: [200], other: 404, body: { hours: 1 } },
  "POST /v1/monitors/:id/test-alert": { least: "reviewer", answers: [202], other: 404 },
  "GET /v1/incidents": { least: "viewer", answers: [200] },
  "GET /v1/incidents/:id": { least: "viewer", answers: [404] },
  "POST /v1/incidents/:id/acknowledge": { least: "reviewer", answers: [404] },
  "PUT /v1/incidents/:id/assignee": { least: "reviewer", answers: [404], body: { login: null } },
  "POST /v1/incidents/:id/comments": { least: "reviewer", answers: [404], body: { text: "Seen" } },
  "POST /v1/incidents/:id/resolve": { least: "reviewer", answers: [404], body: {} },
  "GET /v1/maintenance": { least: "viewer", answers: [200] },
  "POST /v1/maintenance": { least: "reviewer", answers: [422], body: {} },
  "DELETE /v1/maintenance/:id": { least: "reviewer", answers: [404] },
  "POST /v1/monitors/:id/badge": { least: "admin", answers: [200], other: 404 },
  "DELETE /v1/monitors/:id/badge": { least: "admin", answers: [204], other: 404 },
  "GET /v1/status-pages": { least: "viewer", answers: [200] },
  "POST /v1/status-pages": { least: "admin", answers: [422], body: {} },
  "PUT /v1/status-pages/:id": {
    least: "admin",
    answers: [404],
    body: { title: "Status", slug: "status", components: [{ monitorId: "mon_1", name: "Shop" }] },
  },
  "DELETE /v1/status-pages/:id": { least: "admin", answers: [404] },
  "GET /status/:slug": { path: "/status/none", least: "anybody", answers: [404] },
  "POST /status/:slug": { path: "/status/none", least: "anybody", answers: [404] },
  "GET /badges/:name": { path: "/badges/none.svg", least: "anybody", answers: [404] },
  "GET /v1/billing": { least: "viewer", answers: [200] },
  // No payments are configured here, and only permitted callers learn that.
  "POST /v1/billing/checkout": { least: "admin", answers: [404], body: { plan: "pro" } },
  "POST /v1/billing/portal": { least: "admin", answers: [404] },
  "POST /billing/webhook": { least: "anybody", answers: [500] },
  "GET /v1/monitors/:id/drift": {
    path: things => `/v1/monitors/${things.monitor}/drift?days=90`,
    least: "viewer",
    answers: [200],
    other: 404,
  },
  "GET /v1/monitors/:id/uptime": { least: "viewer", answers: [200], other: 404 },
  "GET /v1/monitors/:id/looks": {
    path: things => `/v1/monitors/${things.monitor}/looks?route=/&viewport=1280`,
    least: "viewer",
    answers: [200],
    other: 404,
  },
  "GET /v1/compare": {
    path: things => `/v1/compare?base=run:${things.run}&head=run:${things.run}`,
    least: "viewer",
    answers: [200, 409],
    other: 404,
  },
  "GET /v1/connections": { least: "admin", answers: [200] },
  "POST /v1/connections": { least: "admin", answers: [422], body: {} },
  "GET /v1/connections/:id": { least: "admin", answers: [404] },
  "PATCH /v1/connections/:id": { least: "admin", answers: [404], body: { project: "p" } },
  "DELETE /v1/connections/:id": { least: "admin", answers: [404] },
  "POST /v1/connections/:id/rotate-secret": { least: "admin", answers: [404] },
  // The webhook's secret gives access.
  "POST /codehost/connections/:id/webhook": {
    path: "/codehost/connections/con_0/webhook",
    least: "anybody",
    answers: [404],
  },
  "GET /v1/webhooks": { least: "admin", answers: [200] },
  "POST /v1/webhooks": { least: "admin", answers: [422], body: {} },
  "GET /v1/webhooks/:id": { least: "admin", answers: [404] },
  "PATCH /v1/webhooks/:id": { least: "admin", answers: [404], body: { status: "paused" } },
  "DELETE /v1/webhooks/:id": { least: "admin", answers: [404] },
  "POST /v1/webhooks/:id/rotate-secret": { least: "admin", answers: [404], body: {} },
  "POST /v1/webhooks/:id/test": { least: "admin", answers: [404] },
  "GET /v1/webhooks/:id/deliveries": { least: "admin", answers: [404] },
  "GET /v1/webhooks/:id/deliveries/:delivery": { least: "admin", answers: [404] },
  "POST /v1/webhooks/:id/deliveries/:delivery/replay": { least: "admin", answers: [404] },
  "GET /v1/alerts/channels": { least: "viewer", answers: [200] },
  "GET /v1/monitors/:id/alerts": { least: "viewer", answers: [200], other: 404 },
  "DELETE /v1/monitors/:id/snooze": { least: "reviewer", answers: [204], other: 404 },
  "GET /v1/monitors/:id/deliveries": { least: "viewer", answers: [200], other: 404 },
  // Only the link gives access, for any caller.
  "GET /v1/alerts/snooze/:team/:monitor/:until/:signature": {
    path: alertLink("snooze", "4102444800"),
    least: "anybody",
    answers: [401],
  },
  "POST /v1/alerts/snooze/:team/:monitor/:until/:signature": {
    path: things => `${alertLink("snooze", "4102444800")(things)}?hours=1`,
    least: "anybody",
    answers: [401],
  },
  "GET /v1/alerts/unsubscribe/:team/:monitor/:address/:signature": {
    path: alertLink("unsubscribe", "YUBleGFtcGxlLmNvbQ"),
    least: "anybody",
    answers: [401],
  },
  "POST /v1/alerts/unsubscribe/:team/:monitor/:address/:signature": {
    path: alertLink("unsubscribe", "YUBleGFtcGxlLmNvbQ"),
    least: "anybody",
    answers: [401],
  },
  "GET /codehost/app/new": {
    path: `/codehost/app/new?state=${"s".repeat(43)}`,
    least: "anybody",
    answers: [404],
  },
  "GET /v1/admin/code-host": { least: "operator", answers: [200] },
  "POST /v1/admin/code-host/app": { least: "operator", body: {}, answers: [201] },
  "POST /v1/admin/code-host/app/settings": {
    least: "operator",
    body: { code: "none", state: "s".repeat(43) },
    answers: [422],
  },
  "GET /v1/admin/nodes": { least: "operator", answers: [200] },
  "GET /metrics": { least: "operator", answers: [200] },
  "GET /v1/openapi.json": { least: "anybody", answers: [200] },
  "GET /": { least: "anybody", answers: [302] },
  "GET /sign-in": { least: "anybody", answers: [200] },
  "GET /inbox": { least: "anybody", answers: [200] },
  "GET /runs": { least: "anybody", answers: [200] },
  // The page is the same for every run, and contains no data.
  "GET /runs/:id": { path: "/runs/any", least: "anybody", answers: [200] },
  "GET /review/:id": { path: "/review/any", least: "anybody", answers: [200] },
  "GET /baselines": { least: "anybody", answers: [200] },
  "GET /baselines/history": { least: "anybody", answers: [200] },
  "GET /baselines/overview": { least: "anybody", answers: [200] },
  "GET /baselines/noise": { least: "anybody", answers: [200] },
  "GET /baselines/configuration": { least: "anybody", answers: [200] },
  "GET /compare": { least: "anybody", answers: [200] },
  "GET /monitors": { least: "anybody", answers: [200] },
  "GET /monitors/:id": { path: "/monitors/any", least: "anybody", answers: [200] },
  "GET /incidents": { least: "anybody", answers: [200] },
  "GET /incidents/:id": { path: "/incidents/any", least: "anybody", answers: [200] },
  "GET /maintenance": { least: "anybody", answers: [200] },
  "GET /status-pages": { least: "anybody", answers: [200] },
  "GET /billing": { least: "anybody", answers: [200] },
  "GET /settings": { least: "anybody", answers: [200] },
  "GET /settings/:page": { path: "/settings/team", least: "anybody", answers: [200] },
  "GET /assets/:file": { path: "/assets/none.js", least: "anybody", answers: [404] },
  "GET /trace-viewer/:first": { path: "/trace-viewer/index.html", least: "anybody", answers: [200] },
  "GET /trace-viewer/:first/:second": { path: "/trace-viewer/a/none.js", least: "anybody", answers: [404] },
  "GET /docs": { least: "anybody", answers: [200] },
  "GET /docs/:first": { path: "/docs/none.js", least: "anybody", answers: [404] },
  "GET /docs/:first/:second": { path: "/docs/assets/none.js", least: "anybody", answers: [404] },
  "GET /docs/:first/:second/:third": {
    path: "/docs/assets/chunks/none.js",
    least: "anybody",
    answers: [404],
  },
  "GET /health": { least: "anybody", answers: [200] },
  "GET /ready": { least: "anybody", answers: [200] },
};

/** The only routes for a key that can only upload. The run here is no build. */
const UPLOAD_KEY_ANSWERS: Record<string, number[]> = {
  "POST /v1/run": [422],
  "POST /v1/archives": [403],
  "GET /v1/archives/:id": [403],
  "POST /v1/builds": [422],
  "GET /v1/builds/:id": [404],
  "POST /v1/builds/:id/shards": [404],
  "PUT /v1/builds/:id/images/:hash": [404],
  "PUT /v1/builds/:id/attachments/:hash": [404],
  "POST /v1/builds/:id/finalize": [404],
  "GET /v1/runs/:id": [404],
  "GET /v1/runs/:id/events": [404],
  "GET /v1/screenshots/:runId": [404],
};

/** Returns the statuses that this caller must get. */
function expected(
  name: string,
  { least, answers, other = least === "operator" ? 403 : answers[0] }: Case,
  asker: Asker,
): number[] {
  if (least === "anybody") return answers;
  if (least === "scim") return asker === "nobody" ? [401] : [403];
  if (asker === "upload key") return UPLOAD_KEY_ANSWERS[name] ?? [403];
  // On routes of a user, which have no team, the header has no effect.
  if (asker === "other team's admin, naming this one")
    return ROUTES[name]?.role === "any" ? [other ?? 0, 404] : [404];
  if (asker === "nobody") return [401];
  // The operator is an admin of a third team.
  if (asker === "operator") return least === "operator" ? answers : [other ?? 0];
  if (asker === "other team's admin") return [other ?? 0];
  const ranks = ["viewer", "reviewer", "admin", "operator"];
  return ranks.indexOf(asker) < ranks.indexOf(least) ? [403] : answers;
}

async function beginningOf({ body }: Response): Promise<string> {
  for await (const bytes of body ?? []) return new TextDecoder().decode(bytes);
  return "";
}

describe("Permissions", () => {
  let vrs: Vrs;
  let things: Things;
  const keys = new Map<Asker, string>();

  const ask = (asker: Asker, method: string, path: string, body?: object) =>
    fetch(`${vrs.baseUrl}${path}`, {
      method,
      redirect: "manual",
      headers: {
        ...(asker !== "nobody" && { Authorization: `Bearer ${keys.get(asker)}` }),
        ...(asker === "other team's admin, naming this one" && { "Vrs-Team": things.team }),
        ...(body && { "Content-Type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });

  const makeTeam = async (name: string) =>
    createdTeam.parse(await (await ask("operator", "POST", "/v1/teams", { name })).json());

  before(async () => {
    vrs = await Vrs.start();
    keys.set("operator", vrs.key);
    const team = await makeTeam("One");
    keys.set("admin", team.key ?? "");
    const other = (await makeTeam("Other")).key ?? "";
    keys.set("other team's admin", other);
    keys.set("other team's admin, naming this one", other);
    const makeKey = async (role: Role) =>
      createdKey.parse(await (await ask("admin", "POST", "/v1/keys", { name: role, role })).json());
    for (const role of ["viewer", "reviewer"] as const) keys.set(role, (await makeKey(role)).key);
    const upload = { name: "upload", scope: "upload", project: "localhost:1024" };
    keys.set(
      "upload key",
      createdKey.parse(await (await ask("admin", "POST", "/v1/keys", upload)).json()).key,
    );
    const run = await ask("reviewer", "POST", "/v1/run", { url: "http://localhost:1024" });
    const runId = submittedRun.parse(await run.json()).id;
    // Waits for its end. A page without a server fails.
    await (await ask("viewer", "GET", `/v1/runs/${runId}/events`)).text();
    let invited = 0;
    const makeMonitor = async () => {
      const body = { name: "Home", url: "http://localhost:1024", paused: true };
      return monitorView.parse(await (await ask("reviewer", "POST", "/v1/monitors", body)).json()).id;
    };
    things = {
      team: team.id,
      run: runId,
      monitor: await makeMonitor(),
      oneMoreMonitor: makeMonitor,
      key: async () => (await makeKey("viewer")).id,
      async invitation() {
        invited += 1;
        const body = { teamId: team.id, add: [{ login: `guest-${invited}`, role: "viewer" }] };
        const managed = managedTeam.parse(await (await ask("admin", "POST", "/v1/teams", body)).json());
        return managed.invited[0]?.id ?? "";
      },
      async session(asker) {
        // Their own session. Other callers request the session of this team's viewer.
        const owner = asker === "reviewer" || asker === "admin" ? asker : "viewer";
        await ask("nobody", "POST", "/v1/session", { apiKey: keys.get(owner) });
        const list = await (await ask(owner, "GET", "/v1/sessions")).json();
        return sessionList.parse(list).data[0]?.id ?? "";
      },
    };
  });
  after(() => vrs?.stop());

  it("are covered here for every route", () => {
    assert.deepEqual(Object.keys(CASES).sort(), Object.keys(ROUTES).sort());
  });

  for (const [name, route] of Object.entries(CASES)) {
    const [method = ""] = name.split(" ");
    for (const asker of ASKERS) {
      const outcomes = expected(name, route, asker);
      it(`${name}: ${asker}, ${outcomes.join(" or ")}`, async () => {
        const { path: given = addressOf(name, things) } = route;
        const path = typeof given === "string" ? given : await given(things, asker);
        const manage = { teamId: things.team, add: [{ login: "somebody", role: "viewer" }] };
        const answer = await ask(asker, method, path, name === "POST /v1/teams" ? manage : route.body);
        const text = route.endless && answer.ok ? await beginningOf(answer) : await answer.text();
        assert.ok(outcomes.includes(answer.status), `${answer.status} ${text.slice(0, 500)}`);
        if (asker.startsWith("other team's admin") && answer.ok)
          for (const id of [things.team, things.run, things.monitor])
            assert.ok(!text.includes(id), "nothing of the team");
        if (name === "DELETE /v1/teams/:id" && answer.ok)
          assert.equal((await ask("admin", "POST", `/v1/teams/${things.team}/restore`)).status, 200);
      });
    }
  }
});
