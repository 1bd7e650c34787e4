import assert from "node:assert/strict";
import { activityList, createdTeam, memberList, teamList } from "../../../shared/contracts/teams/people.ts";
import { DEFAULT_TEAM_ID } from "../../../shared/ids.ts";
import { account, BrowserClient as Browser, pageOf } from "../../support/drivers/browser/browser-client.ts";
import { until } from "../../support/drivers/until.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { CodeHostServer } from "../../support/fakes/code-host/code-host.ts";
import { problemOf } from "../../support/formats/problem.ts";
import { MailServer } from "../../support/servers/mail-server.ts";
import { OidcServer } from "../../support/servers/oidc-server.ts";

describe("Signing in with the code host", () => {
  let host: CodeHostServer;
  let vrs: Vrs;
  let mails: MailServer;

  before(async () => {
    [host, mails] = await Promise.all([CodeHostServer.start(), MailServer.start()]);
    vrs = await Vrs.start({ ...host.env, ...mails.env });
  });
  after(async () => {
    await vrs?.stop();
    await host?.close();
    await mails?.close();
  });

  const browser = () => new Browser(vrs.baseUrl);
  const invite = async (...add: object[]) => {
    const answer = await vrs.post("/v1/teams", { teamId: DEFAULT_TEAM_ID, add });
    assert.equal(answer.status, 200, await answer.clone().text());
  };

  it("admits users invited by login, in any case, and opens the requested page", async () => {
    const anna = account({ login: "Anna" });
    await invite({ login: "aNNa", role: "reviewer" });
    const own = browser();
    const answer = await own.signIn(host, anna, "/v1/runs?limit=5");
    assert.equal(answer.status, 302);
    assert.equal(answer.headers.get("location"), `http://localhost:${vrs.port}/v1/runs?limit=5`);
    const { actor, team, teams } = await own.session();
    assert.deepEqual(
      [actor.kind, actor.name, team?.id, team?.role],
      ["user", "Anna", DEFAULT_TEAM_ID, "reviewer"],
    );
    assert.equal(teams.length, 1);
    assert.equal((await own.get("/v1/runs")).status, 200);
    await problemOf(await own.get("/v1/keys"), "forbidden");
    const activity = activityList.parse(
      await (await vrs.request(`/v1/teams/${DEFAULT_TEAM_ID}/activity?type=member.joined`)).json(),
    );
    assert.deepEqual(
      activity.data.map(({ actor: { name }, details }) => ({ name, details })),
      [{ name: "Anna", details: { role: "reviewer" } }],
    );
    assert.deepEqual(host.invalidRequests, []);
  });

  it("admits users invited by a verified address, and refuses an unverified one", async () => {
    await invite({ email: "Ben@Example.com", role: "viewer" });
    await until(() => mails.to("Ben@Example.com").length > 0);
    const { mail } = mails.only("Ben@Example.com");
    assert.match(mail.subject ?? "", /invited you to/);
    assert.match(mail.text ?? "", new RegExp(`as a viewer[\\s\\S]*http://localhost:${vrs.port}/auth/login`));
    const emails = (verified: boolean) => [{ email: "ben@example.COM", verified }];
    await pageOf(await browser().signIn(host, account({ emails: emails(false) })), 403, /have no invitation/);
    host.hidesEmails = true;
    await pageOf(await browser().signIn(host, account({ emails: emails(true) })), 403, /have no invitation/);
    host.hidesEmails = false;
    assert.equal((await browser().signIn(host, account({ emails: emails(true) }))).status, 302);
    await pageOf(await browser().signIn(host, account({ emails: emails(true) })), 403, /have no invitation/);
  });

  it("identifies users by number, since a login may change and be reused", async () => {
    const carla = account({ login: "carla" });
    await invite({ login: "carla", role: "admin" });
    assert.equal((await browser().signIn(host, carla)).status, 302);
    const impostor = account({ login: "carla" });
    await pageOf(await browser().signIn(host, impostor), 403, /have no invitation/);
    await invite({ login: "dora", role: "viewer" });
    const second = browser();
    assert.equal((await second.signIn(host, account({ login: "dora" }))).status, 302);
    const renamed = browser();
    assert.equal((await renamed.signIn(host, { ...carla, login: "carla-renamed" })).status, 302);
    const { actor, team } = await renamed.session();
    assert.deepEqual([actor.name, team?.role], ["carla-renamed", "admin"]);
    const members = memberList.parse(
      await (await renamed.get(`/v1/teams/${DEFAULT_TEAM_ID}/members`)).json(),
    );
    const logins = members.data.map(({ login }) => login ?? "");
    assert.deepEqual(logins.filter(login => /carla|dora/.test(login)).sort(), ["carla-renamed", "dora"]);
  });

  it("is refused in another browser, and with an unknown state", async () => {
    await invite({ login: "eve", role: "viewer" });
    const eve = account({ login: "eve" });
    const started = browser();
    const back = await started.begin(host, eve);
    await pageOf(await browser().get(back), 400, /started in another browser/);
    const other = browser();
    await other.begin(host, account());
    await pageOf(await other.get(back), 400, /started in another browser/);
    const address = new URL(back, vrs.baseUrl);
    for (const change of [
      (query: URLSearchParams) => query.delete("state"),
      (query: URLSearchParams) => query.set("state", "x".repeat(43)),
      (query: URLSearchParams) => query.append("state", "x"),
      (query: URLSearchParams) => query.delete("code"),
    ]) {
      const fresh = browser();
      const query = new URLSearchParams(new URL(await fresh.begin(host, eve), vrs.baseUrl).search);
      change(query);
      await pageOf(await fresh.get(`${address.pathname}?${query}`), 400, /Start again/);
      assert.equal(fresh.cookies.size, 0);
    }
  });

  it("works once per state, also for simultaneous requests", async () => {
    await invite({ login: "fay", role: "viewer" });
    const own = browser();
    const back = await own.begin(host, account({ login: "fay" }));
    const cookie = { Cookie: [...own.cookies].map(([name, value]) => `${name}=${value}`).join() };
    const twice = await Promise.all([own.get(back, cookie), own.get(back, cookie)]);
    assert.deepEqual(twice.map(({ status }) => status).sort(), [302, 400]);
    await pageOf(await own.get(back, cookie), 400, /was used before/);
  });

  it("explains a refusal, an invalid code, and an unresponsive host", async () => {
    const own = browser();
    await own.begin(host, account());
    await pageOf(await own.get("/auth/callback?error=access_denied&state=x"), 403, /You declined/);
    const back = new URL(await own.begin(host, account()), vrs.baseUrl);
    back.searchParams.set("code", "wrong");
    await pageOf(await own.get(`${back.pathname}${back.search}`), 400, /rejected this sign-in/);
    const last = await own.begin(host, account());
    host.isDown = true;
    await pageOf(await own.get(last), 502, /code host is not responding/);
    host.isDown = false;
  });

  it("redirects only to this service", async () => {
    await invite({ login: "gus", role: "viewer" });
    for (const next of ["//evil.example", "/\\evil.example", "https://evil.example", "/\t/evil.example"]) {
      const answer = await browser().signIn(host, account({ id: 7, login: "gus" }), next);
      assert.equal(answer.headers.get("location"), `http://localhost:${vrs.port}/`, next);
    }
  });

  it("gives access to several teams, one of which the header names", async () => {
    await invite({ login: "hal", role: "viewer" });
    const other = createdTeam.parse(await (await vrs.post("/v1/teams", { name: "Other" })).json());
    const add = [{ login: "hal", role: "admin" }];
    await fetch(`${vrs.baseUrl}/v1/teams`, {
      method: "POST",
      headers: { Authorization: `Bearer ${other.key}`, "Content-Type": "application/json" },
      body: JSON.stringify({ teamId: other.id, add }),
    });
    const own = browser();
    await own.signIn(host, account({ login: "hal" }));
    const teams = teamList.parse(await (await own.get("/v1/teams")).json());
    assert.deepEqual(teams.data.map(({ role }) => role).sort(), ["admin", "viewer"]);
    assert.equal((await own.get("/v1/keys", { "Vrs-Team": other.id })).status, 200);
    await problemOf(await own.get("/v1/keys", { "Vrs-Team": DEFAULT_TEAM_ID }), "forbidden");
    await problemOf(await own.get("/v1/keys", { "Vrs-Team": "team_none" }), "not_found");
    const run = await vrs.client(other.key).submitRun({ url: "http://localhost:1024" });
    // Requests that an EventSource can send: a URL and the cookie.
    const events = `/v1/runs/${run.id}/events`;
    assert.match(await (await own.get(`${events}?team=${other.id}`)).text(), /"status":"failed"/);
    await problemOf(await own.get(`${events}?team=${DEFAULT_TEAM_ID}`), "not_found");
    await problemOf(await own.get(`${events}?team=team_none`), "not_found");
    await problemOf(await own.get(`${events}?team=${other.id}&team=${other.id}`), "invalid_request");
    await problemOf(await own.get(`/v1/keys?team=${other.id}`), "forbidden");
  });

  it("ends at once with the membership", async () => {
    await invite({ login: "ida", role: "viewer" });
    const own = browser();
    await own.signIn(host, account({ login: "ida" }));
    assert.equal((await own.get("/v1/runs")).status, 200);
    const remove = { teamId: DEFAULT_TEAM_ID, remove: ["ida"] };
    assert.equal((await vrs.post("/v1/teams", remove)).status, 200);
    await problemOf(await own.get("/v1/runs", { "Vrs-Team": DEFAULT_TEAM_ID }), "not_found");
    await problemOf(await own.get("/v1/runs"), "forbidden");
    await problemOf(await own.post("/v1/teams", { name: "Back in" }), "forbidden");
  });
});

describe("Open sign-in", () => {
  it("creates a team for a user without one, once, with the plan's number of members", async () => {
    const host = await CodeHostServer.start();
    const vrs = await Vrs.start({ ...host.env, SERVICE_SIGN_UP: "open", SERVICE_PLAN: "free" });
    try {
      const kim = account({ login: "kim" });
      const own = new Browser(vrs.baseUrl);
      await own.signIn(host, kim);
      const { team, teams } = await own.session();
      assert.deepEqual([team?.name, team?.role, teams.length], ["kim", "admin", 1]);
      await own.signIn(host, kim);
      assert.equal((await own.session()).teams.length, 1);
      await problemOf(await own.get("/v1/admin/nodes"), "forbidden");
      const add = [{ login: "lee", role: "viewer" }];
      const full = await problemOf(
        await own.post("/v1/teams", { teamId: team?.id, add }),
        "plan_limit_exceeded",
      );
      assert.deepEqual([full.limit, full.used], [1, 1]);
    } finally {
      await vrs.stop();
      await host.close();
    }
  });
});

describe("Invitations of an installation with an identity provider only", () => {
  it("are mailed with the sign-in page", async () => {
    const [provider, mails] = await Promise.all([OidcServer.start(), MailServer.start()]);
    const vrs = await Vrs.start({ ...provider.env, ...mails.env });
    try {
      const add = [{ email: "ada@acme.example", role: "viewer" }];
      assert.equal((await vrs.post("/v1/teams", { teamId: DEFAULT_TEAM_ID, add })).status, 200);
      await until(() => mails.to("ada@acme.example").length > 0);
      const { mail } = mails.only("ada@acme.example");
      assert.match(mail.text ?? "", new RegExp(`http://localhost:${vrs.port}/sign-in`));
    } finally {
      await vrs.stop();
      await Promise.all([provider.close(), mails.close()]);
    }
  });
});
