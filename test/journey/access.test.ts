import assert from "node:assert/strict";
import { ROUTES } from "../../services/gateway/routes.ts";
import { type Role, submittedRun } from "../../shared/contracts/http.ts";
import { createdKey } from "../../shared/contracts/keys.ts";
import { monitorView } from "../../shared/contracts/monitors.ts";
import { createdTeam, managedTeam, sessionList } from "../../shared/contracts/people.ts";
import { Vrs } from "../support/vrs.ts";

/** Who asks, and of which team. */
const ASKERS = ["nobody", "viewer", "reviewer", "admin", "other team's admin", "operator"] as const;
type Asker = (typeof ASKERS)[number];

/** What is asked for, made anew for each request: most of them change it. */
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
  /** The address, of things of one team. */
  path(things: Things, asker: Asker): string | Promise<string>;
  /** The least who may, and `anybody` where nobody need say who she is. */
  least: Role | "anybody" | "operator";
  /** What who may is answered; an honest 409 is one, for what the state forbids. */
  answers: number[];
  /** What another team's admin is answered: that there is nothing, unless it is about her own. */
  other: number;
  /** What the operator is answered, an admin of a third team. */
  operator?: number;
  body?: object;
  contentType?: string;
  /** Only its beginning is read. */
  endless?: true;
}

const one = (path: string) => () => path;
const ofRun = (path: (run: string) => string) => (things: Things) => path(things.run);
const ofTeam =
  (rest = "") =>
  (things: Things) =>
    `/v1/teams/${things.team}${rest}`;

const ofMonitor =
  (rest = "") =>
  (things: Things) =>
    `/v1/monitors/${things.monitor}${rest}`;
const alertLink = (what: string, about: string) => (things: Things) =>
  `/v1/alerts/${what}/${things.team}/mon_1/${about}/${"0".repeat(22)}`;

/** Every route, and who may. It says once more what the table of routes says, so that a slip there shows. */
const CASES: Record<string, Case> = {
  "POST /v1/run": { path: one("/v1/run"), least: "reviewer", answers: [422], other: 422, body: {} },
  "GET /v1/runs": { path: one("/v1/runs"), least: "viewer", answers: [200], other: 200 },
  "GET /v1/runs/:id": { path: ofRun(run => `/v1/runs/${run}`), least: "viewer", answers: [200], other: 404 },
  "GET /v1/runs/:id/events": {
    path: ofRun(run => `/v1/runs/${run}/events`),
    least: "viewer",
    answers: [200],
    other: 404,
  },
  "GET /v1/events": { path: one("/v1/events"), least: "viewer", answers: [200], other: 200, endless: true },
  "POST /v1/runs/:id/cancel": {
    path: ofRun(run => `/v1/runs/${run}/cancel`),
    least: "reviewer",
    answers: [200, 409],
    other: 404,
  },
  "GET /v1/reports/:id": {
    path: ofRun(run => `/v1/reports/${run}`),
    least: "viewer",
    answers: [200],
    other: 404,
  },
  "GET /v1/screenshots/:runId": {
    path: ofRun(run => `/v1/screenshots/${run}`),
    least: "viewer",
    answers: [200],
    other: 404,
  },
  // Only the link opens it, whoever asks.
  "GET /v1/images/:team/:signature/:file": {
    path: things => `/v1/images/${things.team}/none/${"0".repeat(64)}.png`,
    least: "anybody",
    answers: [401],
    other: 401,
  },
  "POST /v1/baselines/:runId/approve": {
    path: ofRun(run => `/v1/baselines/${run}/approve`),
    least: "reviewer",
    answers: [409],
    other: 404,
  },
  "POST /v1/baselines/:runId/reject": {
    path: ofRun(run => `/v1/baselines/${run}/reject`),
    least: "reviewer",
    answers: [409],
    other: 404,
    body: { reason: "no" },
  },
  "POST /v1/baselines/:runId/dismiss": {
    path: ofRun(run => `/v1/baselines/${run}/dismiss`),
    least: "reviewer",
    answers: [409],
    other: 404,
    body: { reason: "no" },
  },
  "GET /v1/projects": { path: one("/v1/projects"), least: "viewer", answers: [200], other: 200 },
  "GET /v1/baselines": { path: one("/v1/baselines?project=p"), least: "viewer", answers: [200], other: 200 },
  "GET /v1/baselines/history": {
    path: one("/v1/baselines/history?project=localhost%3A1024&route=/&viewport=1280"),
    least: "viewer",
    answers: [200],
    other: 200,
  },
  // Nothing of this team's run was approved.
  "POST /v1/baselines/:id/restore": {
    path: one("/v1/baselines/base_00000000000000000000000000/restore"),
    least: "reviewer",
    answers: [404],
    other: 404,
    operator: 404,
  },
  "GET /v1/screenshots": {
    path: one("/v1/screenshots?project=localhost%3A1024&route=/&viewport=1280"),
    least: "viewer",
    answers: [200],
    other: 200,
  },
  "GET /v1/usage": { path: one("/v1/usage"), least: "viewer", answers: [200], other: 200 },
  "GET /v1/keys": { path: one("/v1/keys"), least: "admin", answers: [200], other: 200 },
  "POST /v1/keys": {
    path: one("/v1/keys"),
    least: "admin",
    answers: [201],
    other: 201,
    body: { name: "new", role: "viewer" },
  },
  "DELETE /v1/keys/:id": {
    path: async things => `/v1/keys/${await things.key()}`,
    least: "admin",
    answers: [204],
    other: 404,
  },
  // Who wants to sign in is nobody yet; here no code host is set up.
  "GET /auth/login": { path: one("/auth/login"), least: "anybody", answers: [404], other: 404 },
  "GET /auth/callback": { path: one("/auth/callback"), least: "anybody", answers: [400], other: 400 },
  "GET /v1/sign-in": { path: one("/v1/sign-in"), least: "anybody", answers: [200], other: 200 },
  "GET /v1/session": { path: one("/v1/session"), least: "viewer", answers: [200], other: 200 },
  "POST /v1/session": {
    path: one("/v1/session"),
    least: "anybody",
    answers: [422],
    other: 422,
    body: {},
  },
  "DELETE /v1/session": { path: one("/v1/session"), least: "viewer", answers: [204], other: 204 },
  "GET /v1/sessions": { path: one("/v1/sessions"), least: "viewer", answers: [200], other: 200 },
  "DELETE /v1/sessions": { path: one("/v1/sessions"), least: "viewer", answers: [204], other: 204 },
  "DELETE /v1/sessions/:id": {
    path: async (things, asker) => `/v1/sessions/${await things.session(asker)}`,
    least: "viewer",
    answers: [204],
    other: 404,
  },
  "GET /v1/teams": { path: one("/v1/teams"), least: "viewer", answers: [200], other: 200 },
  "POST /v1/teams": {
    path: one("/v1/teams"),
    least: "admin",
    answers: [200],
    other: 404,
  },
  "PATCH /v1/teams/:id": {
    path: ofTeam(),
    least: "admin",
    answers: [200],
    other: 404,
    body: { name: "Renamed" },
  },
  "DELETE /v1/teams/:id": { path: ofTeam(), least: "admin", answers: [200], other: 404 },
  "POST /v1/teams/:id/restore": { path: ofTeam("/restore"), least: "admin", answers: [200], other: 404 },
  "GET /v1/teams/:id/members": { path: ofTeam("/members"), least: "viewer", answers: [200], other: 404 },
  "DELETE /v1/teams/:id/members/me": {
    path: ofTeam("/members/me"),
    least: "viewer",
    answers: [409],
    other: 404,
  },
  "GET /v1/teams/:id/invitations": {
    path: ofTeam("/invitations"),
    least: "admin",
    answers: [200],
    other: 404,
  },
  "DELETE /v1/teams/:id/invitations/:invitation": {
    path: async things => `/v1/teams/${things.team}/invitations/${await things.invitation()}`,
    least: "admin",
    answers: [204],
    other: 404,
  },
  "GET /v1/teams/:id/activity": { path: ofTeam("/activity"), least: "viewer", answers: [200], other: 404 },
  // Signatures open these, whoever asks; here no secrets are set.
  "POST /codehost/webhook": { path: one("/codehost/webhook"), least: "anybody", answers: [500], other: 500 },
  "POST /runs/:checkRunId/complete": {
    path: one("/runs/1/complete"),
    least: "anybody",
    answers: [500],
    other: 500,
  },
  // What the platform sends is opened by its signature, and here no platform is set up.
  "GET /api/install": { path: one("/api/install"), least: "anybody", answers: [404], other: 404 },
  "GET /api/installed": { path: one("/api/installed"), least: "anybody", answers: [200], other: 200 },
  "POST /api/webhook": { path: one("/api/webhook"), least: "anybody", answers: [500], other: 500, body: {} },
  "GET /v1/admin/consents": {
    path: one("/v1/admin/consents"),
    least: "operator",
    answers: [200],
    other: 403,
    operator: 200,
  },
  "PUT /v1/admin/consents/:key": {
    path: one("/v1/admin/consents/project:prj_1"),
    least: "operator",
    answers: [200],
    other: 403,
    operator: 200,
  },
  "DELETE /v1/admin/consents/:key": {
    path: one("/v1/admin/consents/project:prj_1"),
    least: "operator",
    answers: [204],
    other: 403,
    operator: 204,
  },
  "POST /v1/monitors": { path: one("/v1/monitors"), least: "reviewer", answers: [422], other: 422, body: {} },
  "GET /v1/monitors": { path: one("/v1/monitors"), least: "viewer", answers: [200], other: 200 },
  "GET /v1/monitors/:id": { path: ofMonitor(), least: "viewer", answers: [200], other: 404 },
  "PATCH /v1/monitors/:id": {
    path: ofMonitor(),
    least: "reviewer",
    answers: [200],
    other: 404,
    body: { name: "Other" },
  },
  "DELETE /v1/monitors/:id": {
    path: async things => `/v1/monitors/${await things.oneMoreMonitor()}`,
    least: "reviewer",
    answers: [204],
    other: 404,
  },
  "POST /v1/monitors/:id/run": {
    path: ofMonitor("/run"),
    least: "reviewer",
    answers: [202, 409],
    other: 404,
  },
  "GET /v1/monitors/:id/history": {
    path: ofMonitor("/history"),
    least: "viewer",
    answers: [200],
    other: 404,
  },
  "POST /v1/monitors/:id/snooze": {
    path: ofMonitor("/snooze"),
    least: "reviewer",
    answers: [200],
    other: 404,
    body: { hours: 1 },
  },
  "POST /v1/monitors/:id/test-alert": {
    path: ofMonitor("/test-alert"),
    least: "reviewer",
    // It has no channels.
    answers: [409],
    other: 404,
  },
  "GET /v1/billing": { path: one("/v1/billing"), least: "viewer", answers: [200], other: 200 },
  // Nobody pays for anything here, which only who may pay is told.
  "POST /v1/billing/checkout": {
    path: one("/v1/billing/checkout"),
    least: "admin",
    answers: [404],
    other: 404,
    body: { plan: "pro" },
  },
  "POST /v1/billing/portal": { path: one("/v1/billing/portal"), least: "admin", answers: [404], other: 404 },
  "POST /billing/webhook": { path: one("/billing/webhook"), least: "anybody", answers: [500], other: 500 },
  "GET /v1/monitors/:id/drift": {
    path: ofMonitor("/drift?days=90"),
    least: "viewer",
    answers: [200],
    other: 404,
  },
  "GET /v1/monitors/:id/alerts": { path: ofMonitor("/alerts"), least: "viewer", answers: [200], other: 404 },
  "DELETE /v1/monitors/:id/snooze": {
    path: ofMonitor("/snooze"),
    least: "reviewer",
    answers: [204],
    other: 404,
  },
  "GET /v1/monitors/:id/deliveries": {
    path: ofMonitor("/deliveries"),
    least: "viewer",
    answers: [200],
    other: 404,
  },
  // Only the link opens it, whoever asks.
  "GET /v1/alerts/snooze/:team/:monitor/:until/:signature": {
    path: alertLink("snooze", "4102444800"),
    least: "anybody",
    answers: [401],
    other: 401,
  },
  "POST /v1/alerts/snooze/:team/:monitor/:until/:signature": {
    path: things => `${alertLink("snooze", "4102444800")(things)}?hours=1`,
    least: "anybody",
    answers: [401],
    other: 401,
  },
  "GET /v1/alerts/unsubscribe/:team/:monitor/:address/:signature": {
    path: alertLink("unsubscribe", "YUBleGFtcGxlLmNvbQ"),
    least: "anybody",
    answers: [401],
    other: 401,
  },
  "POST /v1/alerts/unsubscribe/:team/:monitor/:address/:signature": {
    path: alertLink("unsubscribe", "YUBleGFtcGxlLmNvbQ"),
    least: "anybody",
    answers: [401],
    other: 401,
  },
  "GET /v1/admin/nodes": {
    path: one("/v1/admin/nodes"),
    least: "operator",
    answers: [200],
    other: 403,
    operator: 200,
  },
  "GET /metrics": { path: one("/metrics"), least: "operator", answers: [200], other: 403, operator: 200 },
  "GET /v1/openapi.json": { path: one("/v1/openapi.json"), least: "anybody", answers: [200], other: 200 },
  "GET /": { path: one("/"), least: "anybody", answers: [302], other: 302 },
  "GET /sign-in": { path: one("/sign-in"), least: "anybody", answers: [200], other: 200 },
  "GET /runs": { path: one("/runs"), least: "anybody", answers: [200], other: 200 },
  // The page is the same for every run, and holds nothing of any.
  "GET /runs/:id": { path: one("/runs/any"), least: "anybody", answers: [200], other: 200 },
  "GET /review/:id": { path: one("/review/any"), least: "anybody", answers: [200], other: 200 },
  "GET /baselines": { path: one("/baselines"), least: "anybody", answers: [200], other: 200 },
  "GET /baselines/history": {
    path: one("/baselines/history"),
    least: "anybody",
    answers: [200],
    other: 200,
  },
  "GET /monitors": { path: one("/monitors"), least: "anybody", answers: [200], other: 200 },
  "GET /monitors/:id": { path: one("/monitors/any"), least: "anybody", answers: [200], other: 200 },
  "GET /billing": { path: one("/billing"), least: "anybody", answers: [200], other: 200 },
  "GET /settings/:page": { path: one("/settings/team"), least: "anybody", answers: [200], other: 200 },
  "GET /assets/:file": { path: one("/assets/none.js"), least: "anybody", answers: [404], other: 404 },
  "GET /docs": { path: one("/docs"), least: "anybody", answers: [200], other: 200 },
  "GET /health": { path: one("/health"), least: "anybody", answers: [200], other: 200 },
  "GET /ready": { path: one("/ready"), least: "anybody", answers: [200], other: 200 },
};

/** What this asker must be answered. */
function expected({ least, answers, other, operator = other }: Case, asker: Asker): number[] {
  if (least === "anybody") return answers;
  if (asker === "nobody") return [401];
  if (asker === "operator") return [operator];
  if (asker === "other team's admin") return [other];
  const ranks = ["viewer", "reviewer", "admin", "operator"];
  return ranks.indexOf(asker) < ranks.indexOf(least) ? [403] : answers;
}

async function beginningOf({ body }: Response): Promise<string> {
  for await (const bytes of body ?? []) return new TextDecoder().decode(bytes);
  return "";
}

describe("Who may do what", function () {
  this.timeout(120_000);
  let vrs: Vrs;
  let things: Things;
  const keys = new Map<Asker, string>();

  const ask = (asker: Asker, method: string, path: string, body?: object) =>
    fetch(`${vrs.baseUrl}${path}`, {
      method,
      redirect: "manual",
      headers: {
        ...(asker !== "nobody" && { Authorization: `Bearer ${keys.get(asker)}` }),
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
    keys.set("other team's admin", (await makeTeam("Other")).key ?? "");
    const makeKey = async (role: Role) =>
      createdKey.parse(await (await ask("admin", "POST", "/v1/keys", { name: role, role })).json());
    for (const role of ["viewer", "reviewer"] as const) keys.set(role, (await makeKey(role)).key);
    const run = await ask("reviewer", "POST", "/v1/run", { url: "http://localhost:1024" });
    const runId = submittedRun.parse(await run.json()).id;
    // To its end: a page that nobody serves fails.
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
        // Her own; of who has none and of other teams, this team's viewer's.
        const owner = asker === "reviewer" || asker === "admin" ? asker : "viewer";
        await ask("nobody", "POST", "/v1/session", { apiKey: keys.get(owner) });
        const list = await (await ask(owner, "GET", "/v1/sessions")).json();
        return sessionList.parse(list).data[0]?.id ?? "";
      },
    };
  });
  after(() => vrs?.stop());

  it("is said here of every route that there is", () => {
    assert.deepEqual(Object.keys(CASES).sort(), Object.keys(ROUTES).sort());
  });

  for (const [name, route] of Object.entries(CASES)) {
    const [method = ""] = name.split(" ");
    for (const asker of ASKERS) {
      const outcomes = expected(route, asker);
      it(`${name}: ${asker}, ${outcomes.join(" or ")}`, async () => {
        const path = await route.path(things, asker);
        const manage = { teamId: things.team, add: [{ login: "somebody", role: "viewer" }] };
        const answer = await ask(asker, method, path, name === "POST /v1/teams" ? manage : route.body);
        const text = route.endless && answer.ok ? await beginningOf(answer) : await answer.text();
        assert.ok(outcomes.includes(answer.status), `${answer.status} ${text.slice(0, 500)}`);
        if (asker === "other team's admin" && answer.ok)
          for (const id of [things.team, things.run, things.monitor])
            assert.ok(!text.includes(id), "nothing of the team");
        if (name === "DELETE /v1/teams/:id" && answer.ok)
          assert.equal((await ask("admin", "POST", `/v1/teams/${things.team}/restore`)).status, 200);
      });
    }
  }
});
