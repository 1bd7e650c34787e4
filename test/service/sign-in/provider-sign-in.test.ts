import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { createdKey } from "../../../shared/contracts/teams/keys.ts";
import { activityList, createdTeam, memberList } from "../../../shared/contracts/teams/people.ts";
import type { SignInPolicy } from "../../../shared/contracts/teams/sign-in.ts";
import { signedOut, signInSettings } from "../../../shared/contracts/teams/sign-in.ts";
import { DEFAULT_TEAM_ID } from "../../../shared/ids.ts";
import { account, BrowserClient, pageOf } from "../../support/drivers/browser/browser-client.ts";
import { OidcBrowser } from "../../support/drivers/oidc-browser.ts";
import { until } from "../../support/drivers/until.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { CodeHostServer } from "../../support/fakes/code-host/code-host.ts";
import { problemOf } from "../../support/formats/problem.ts";
import { OIDC_CLIENT, OidcServer } from "../../support/servers/oidc-server.ts";

const TEAM = `/v1/teams/${DEFAULT_TEAM_ID}`;
const CLOSED: SignInPolicy = { defaultRole: null, groupRoles: [], enforced: false };

describe("Signing in with an OpenID Connect provider", () => {
  let provider: OidcServer;
  let host: CodeHostServer;
  let vrs: Vrs;

  before(async () => {
    [provider, host] = await Promise.all([OidcServer.start(), CodeHostServer.start()]);
    vrs = await Vrs.start({ ...provider.env, ...host.env });
    provider.register(vrs.baseUrl, "default");
  });
  after(async () => {
    await vrs?.stop();
    await Promise.all([provider?.close(), host?.close()]);
  });
  beforeEach(() => put(CLOSED));

  const browser = () => new OidcBrowser(vrs.baseUrl);
  const send = (method: string, path: string, body: object, key = vrs.key) =>
    fetch(`${vrs.baseUrl}${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  const put = async (policy: SignInPolicy, path = TEAM, key = vrs.key) => {
    const answer = await send("PUT", `${path}/sign-in`, policy, key);
    assert.equal(answer.status, 200, await answer.clone().text());
    return signInSettings.parse(await answer.json());
  };
  const activity = async (type: string) => {
    const answer = await vrs.request(`${TEAM}/activity?type=${type}&limit=100`);
    return activityList.parse(await answer.json()).data;
  };
  const members = async () =>
    memberList.parse(await (await vrs.request(`${TEAM}/members?limit=100`)).json()).data;

  it("admits nobody by default, and says what a team admin can do", async () => {
    provider.accounts.set("nina", { email: "nina@acme.example", email_verified: true });
    await pageOf(await browser().signIn("nina"), 403, /No team lets you in/);
    const [refused] = await activity("session.refused");
    assert.deepEqual(
      [refused?.actor.name, refused?.target, refused?.details.reason],
      ["Acme ID", "nina@acme.example", "not_invited"],
    );
    assert.ok((await members()).every(({ login }) => login !== "nina@acme.example"));
  });

  it("creates members with the role of their groups, and opens the requested page", async () => {
    await put({
      ...CLOSED,
      groupRoles: [
        { group: "qa", role: "reviewer" },
        { group: "all", role: "viewer" },
      ],
    });
    provider.accounts.set("ada", {
      ...{ email: "Ada@acme.example", email_verified: true, name: "Ada", groups: ["all", "qa"] },
    });
    const own = browser();
    const answer = await own.signIn("ada", { next: "/v1/runs?limit=5" });
    assert.equal(answer.status, 302, await answer.clone().text());
    assert.equal(answer.headers.get("location"), `${vrs.baseUrl}/v1/runs?limit=5`);
    const { actor, team, signedInWith } = await own.session();
    assert.deepEqual(
      [actor.kind, actor.name, team?.role, signedInWith],
      ["user", "ada@acme.example", "reviewer", "provider"],
    );
    const [opened] = await activity("session.opened");
    assert.deepEqual([opened?.actor.name, opened?.details.with], ["ada@acme.example", "Acme ID"]);
    const member = (await members()).find(({ login }) => login === "ada@acme.example");
    assert.deepEqual([member?.name, member?.managedBy], ["Ada", "provider"]);
  });

  it("changes the role with the groups at the next sign-in, and lowers keys", async () => {
    const rules: SignInPolicy = {
      ...CLOSED,
      groupRoles: [
        { group: "owners", role: "admin" },
        { group: "all", role: "viewer" },
      ],
    };
    await put(rules);
    provider.accounts.set("bea", { groups: ["owners"] });
    const own = browser();
    assert.equal((await own.signIn("bea")).status, 302);
    const made = await own.send("POST", "/v1/keys", { name: "of bea", role: "admin" });
    const { key } = createdKey.parse(await made.json());
    provider.accounts.set("bea", { groups: ["all"] });
    assert.equal((await own.session()).team?.role, "admin", "until the next sign-in");
    const next = browser();
    await next.signIn("bea");
    assert.equal((await next.session()).team?.role, "viewer");
    await problemOf(await own.send("GET", "/v1/keys"), "forbidden");
    const asKey = await fetch(`${vrs.baseUrl}/v1/keys`, { headers: { Authorization: `Bearer ${key}` } });
    await problemOf(asKey, "forbidden");
    provider.accounts.set("bea", { groups: [] });
    await pageOf(await browser().signIn("bea"), 403, /No team lets you in/);
    assert.ok((await members()).every(({ login }) => login !== "bea"));
    await problemOf(await own.send("GET", "/v1/runs"), "forbidden");
    const asRevoked = await fetch(`${vrs.baseUrl}/v1/runs`, { headers: { Authorization: `Bearer ${key}` } });
    await problemOf(asRevoked, "unauthorized");
  });

  it("matches invitations by a verified address only, and takes over no account by it", async () => {
    const add = [{ email: "carl@acme.example", role: "admin" }];
    await vrs.post("/v1/teams", { teamId: DEFAULT_TEAM_ID, add });
    provider.accounts.set("mallory", { email: "carl@acme.example", email_verified: false });
    await pageOf(await browser().signIn("mallory"), 403, /No team lets you in/);
    provider.accounts.set("mallory", { email: "carl@acme.example" });
    await pageOf(await browser().signIn("mallory"), 403, /No team lets you in/);
    provider.accounts.set("carl", { email: "carl@acme.example", email_verified: true });
    const own = browser();
    assert.equal((await own.signIn("carl")).status, 302);
    const carl = await own.session();
    assert.equal(carl.team?.role, "admin");
    // The same address in another account is another user, who has no access.
    provider.accounts.set("carl-2", { email: "carl@acme.example", email_verified: true });
    await pageOf(await browser().signIn("carl-2"), 403, /No team lets you in/);
    const atHost = new BrowserClient(vrs.baseUrl);
    const emails = [{ email: "carl@acme.example", verified: true }];
    await pageOf(await atHost.signIn(host, account({ emails })), 403, /have no invitation/);
    assert.equal((await own.session()).actor.id, carl.actor.id);
  });

  it("doesn't take a login from a user of the code host", async () => {
    await vrs.post("/v1/teams", { teamId: DEFAULT_TEAM_ID, add: [{ login: "octavia", role: "admin" }] });
    const octavia = new BrowserClient(vrs.baseUrl);
    await octavia.signIn(host, account({ login: "octavia" }));
    await put({ ...CLOSED, defaultRole: "viewer" });
    provider.accounts.set("other", { preferred_username: "octavia" });
    const impostor = browser();
    assert.equal((await impostor.signIn("other")).status, 302);
    assert.equal((await impostor.session()).team?.role, "viewer");
    const { actor, team } = await octavia.session();
    assert.deepEqual([actor.name, team?.role], ["octavia", "admin"]);
    // By login, the code host's user is meant. By id, each is.
    const viewer = (await impostor.session()).actor.id;
    await vrs.post("/v1/teams", { teamId: DEFAULT_TEAM_ID, add: [{ login: viewer, role: "reviewer" }] });
    assert.equal((await impostor.session()).team?.role, "reviewer");
    await vrs.post("/v1/teams", { teamId: DEFAULT_TEAM_ID, remove: ["octavia"] });
    assert.equal((await impostor.session()).team?.role, "reviewer");
    await vrs.post("/v1/teams", { teamId: DEFAULT_TEAM_ID, add: [{ login: "octavia", role: "admin" }] });
    assert.equal((await octavia.session()).team?.role, "admin", "also if only the other is a member");
    assert.equal((await impostor.session()).team?.role, "reviewer");
    await vrs.post("/v1/teams", { teamId: DEFAULT_TEAM_ID, remove: [viewer] });
    await problemOf(await impostor.send("GET", "/v1/runs"), "forbidden");
  });

  it("accepts each answer once, in the browser that started, at the provider that it asked", async () => {
    await put({ ...CLOSED, defaultRole: "viewer" });
    const own = browser();
    const back = await own.begin("dora");
    await pageOf(await browser().request(back), 400, /started in another browser/);
    const other = browser();
    await other.begin("dora");
    await pageOf(await other.request(back), 400, /started in another browser/);
    const wrong = new URL(await own.begin("dora"));
    wrong.searchParams.set("state", "x".repeat(43));
    await pageOf(await own.request(wrong.href), 400, /Start again/);
    const good = await own.begin("dora");
    assert.equal((await own.request(good)).status, 302);
    await pageOf(await own.request(good), 400, /was used before/);
    const elsewhere = (await own.begin("dora")).replace("/default/", `/${DEFAULT_TEAM_ID}/`);
    await pageOf(await own.request(elsewhere), 404, /no identity provider/);
    await pageOf(await own.request("/auth/oidc/team_unknown"), 404, /no identity provider/);
  });

  it("redirects only to this service, with another session each time", async () => {
    await put({ ...CLOSED, defaultRole: "viewer" });
    for (const next of ["//evil.example", "/\\evil.example", "https://evil.example", "/\t/evil.example"])
      assert.equal((await browser().signIn("eve", { next })).headers.get("location"), `${vrs.baseUrl}/`);
    const own = browser();
    const planted = "p".repeat(43);
    own.cookies.set(vrs.baseUrl, new Map([["vrs_session", planted]]));
    await own.signIn("eve");
    const first = own.cookies.get(vrs.baseUrl)?.get("vrs_session") ?? "";
    assert.notEqual(first, planted);
    await own.signIn("eve");
    const old = await fetch(`${vrs.baseUrl}/v1/runs`, { headers: { Cookie: `vrs_session=${first}` } });
    await problemOf(old, "unauthorized");
  });

  it("works with rotated keys, and explains a provider that is down or refuses", async () => {
    await put({ ...CLOSED, defaultRole: "viewer" });
    assert.equal((await browser().signIn("fay")).status, 302);
    await provider.rotate();
    assert.equal((await browser().signIn("fay")).status, 302, "the keys are read again");
    const own = browser();
    const back = await own.begin("fay");
    provider.isDown = true;
    try {
      await pageOf(await own.request(back), 502, /not responding/);
    } finally {
      provider.isDown = false;
    }
    const denied = new URL(await own.begin("fay"));
    denied.searchParams.delete("code");
    denied.searchParams.set("error", "access_denied");
    denied.searchParams.set("error_description", "<script>");
    await pageOf(await own.request(denied.href), 403, /refused the sign-in/);
    const wrong = new URL(await own.begin("fay"));
    wrong.searchParams.set("code", "wrong");
    await pageOf(await own.request(wrong.href), 502, /refused this service/);
    const mixed = new URL(await own.begin("fay"));
    mixed.searchParams.set("iss", "https://other.example");
    await pageOf(await own.request(mixed.href), 400, /not valid/);
    const reasons = (await activity("session.refused")).map(({ details }) => String(details.reason));
    for (const reason of [
      /^unreachable: .*503/,
      /^denied: access_denied/,
      /^client: invalid_grant/,
      /^token: /,
    ])
      assert.ok(
        reasons.some(own => reason.test(own)),
        `${reason} in ${reasons.join(" | ")}`,
      );
    assert.doesNotMatch(vrs.output, new RegExp(OIDC_CLIENT.secret));
  });

  it("signs the user out at the provider too, whose back channel ends other sessions", async () => {
    await put({ ...CLOSED, defaultRole: "viewer" });
    const own = browser();
    await own.signIn("gil");
    const stolen = own.cookies.get(vrs.baseUrl)?.get("vrs_session") ?? "";
    const again = new OidcBrowser(vrs.baseUrl);
    for (const [origin, jar] of own.cookies) again.cookies.set(origin, new Map(jar));
    again.cookies.delete(vrs.baseUrl);
    await again.signIn("gil");
    const ofOther = browser();
    await ofOther.signIn("gil");
    const ended = await again.send("DELETE", "/v1/session");
    assert.equal(ended.status, 200);
    const { signOutUrl } = signedOut.parse(await ended.json());
    assert.ok(signOutUrl.startsWith(`${provider.issuer}/session/end?`), signOutUrl);
    await problemOf(await again.send("GET", "/v1/runs"), "unauthorized");
    const asStolen = () => fetch(`${vrs.baseUrl}/v1/runs`, { headers: { Cookie: `vrs_session=${stolen}` } });
    assert.equal((await asStolen()).status, 200, "of the same session at the provider");
    const page = await (await again.request(signOutUrl)).text();
    const [, action = ""] = /action="([^"]+)"/.exec(page) ?? [];
    const [, xsrf = ""] = /name="xsrf" value="([^"]+)"/.exec(page) ?? [];
    const body = new URLSearchParams({ xsrf, logout: "yes" });
    const back = await again.request(action, { method: "POST", body });
    assert.equal(back.headers.get("location"), `${vrs.baseUrl}/sign-in`);
    await until(async () => (await asStolen()).status === 401);
    assert.equal((await ofOther.send("GET", "/v1/runs")).status, 200, "another session at the provider");
  });

  it("can be enforced for a team, whose bootstrap key stays as the way in", async () => {
    // An address can sign in once a second, and the tests before have used up its minute.
    await delay(8_000);
    await vrs.post("/v1/teams", { teamId: DEFAULT_TEAM_ID, add: [{ login: "hugo", role: "admin" }] });
    const atHost = new BrowserClient(vrs.baseUrl);
    const hugo = account({ login: "hugo" });
    await atHost.signIn(host, hugo);
    const enforced: SignInPolicy = {
      ...CLOSED,
      groupRoles: [{ group: "owners", role: "admin" }],
      enforced: true,
    };
    const early = await fetch(`${vrs.baseUrl}${TEAM}/sign-in`, {
      method: "PUT",
      headers: {
        Cookie: [...atHost.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
        ...{ "Sec-Fetch-Site": "same-origin", "Content-Type": "application/json" },
      },
      body: JSON.stringify(enforced),
    });
    await problemOf(early, "conflict");
    await put({ ...enforced, enforced: false });
    provider.accounts.set("ida", { groups: ["owners"] });
    const own = browser();
    await own.signIn("ida");
    const put2 = await own.send("PUT", `${TEAM}/sign-in`, enforced);
    assert.equal(put2.status, 200, await put2.clone().text());
    assert.equal((await own.send("GET", "/v1/runs")).status, 200);
    const closed = await problemOf(await atHost.get("/v1/runs"), "forbidden");
    assert.match(closed.detail, /only allows sign-in with its identity provider/);
    await pageOf(await new BrowserClient(vrs.baseUrl).signIn(host, hugo), 403, /auth\/oidc\/default/);
    const made = await own.send("POST", "/v1/keys", { name: "of ida", role: "admin" });
    const { key } = createdKey.parse(await made.json());
    const withKey = await new BrowserClient(vrs.baseUrl).post("/v1/session", { apiKey: key });
    await problemOf(withKey, "forbidden");
    assert.equal((await send("PATCH", TEAM, { requiredApprovals: 1 }, key)).status, 200, "CI goes on");
    const emergency = await new BrowserClient(vrs.baseUrl).post("/v1/session", { apiKey: vrs.key });
    assert.equal(emergency.status, 201);
    const reasons = (await activity("session.refused")).map(({ actor, details }) => [
      actor.name,
      details.reason,
    ]);
    assert.ok(reasons.some(([name, reason]) => name === "hugo" && reason === "provider_required"));
    assert.ok(reasons.some(([name, reason]) => name === "of ida" && reason === "provider_required"));
    await put(CLOSED);
    assert.equal((await atHost.get("/v1/runs")).status, 200, "at once");
  });

  it("lets admins end all sessions of a member, and users see and end their own", async () => {
    await put({ ...CLOSED, defaultRole: "viewer" });
    const [own, other] = [browser(), browser()];
    await own.signIn("jo");
    await other.signIn("jo");
    const { actor } = await own.session();
    assert.equal((await own.send("DELETE", `${TEAM}/members/${actor.id}/sessions`)).status, 403);
    assert.equal((await send("DELETE", `${TEAM}/members/${actor.id}/sessions`, {})).status, 204);
    for (const each of [own, other]) await problemOf(await each.send("GET", "/v1/runs"), "unauthorized");
    const [ended] = await activity("session.ended");
    assert.deepEqual([ended?.target, ended?.details.sessions], ["jo", 2]);
    await problemOf(await send("DELETE", `${TEAM}/members/user_unknown/sessions`, {}), "not_found");
  });

  it("keeps the last admin of a team whatever the groups say", async () => {
    const made = createdTeam.parse(await (await vrs.post("/v1/teams", { name: "Small" })).json());
    const key = made.key ?? assert.fail();
    const rules = { ...CLOSED, groupRoles: [{ group: "small", role: "admin" as const }], defaultRole: null };
    await put(rules, `/v1/teams/${made.id}`, key);
    const add = [{ email: "kim@acme.example", role: "viewer" }];
    assert.equal((await send("POST", "/v1/teams", { teamId: made.id, add }, key)).status, 200);
    provider.accounts.set("kim", { groups: ["small"], email: "kim@acme.example", email_verified: true });
    // The first sign-in accepts the invitation. The rules are for members.
    for (let times = 0; times < 2; times++) await browser().signIn("kim");
    const keys = await (
      await fetch(`${vrs.baseUrl}/v1/keys`, { headers: { Authorization: `Bearer ${key}` } })
    ).json();
    await send("DELETE", `/v1/keys/${keys.data[0].id}`, {}, key);
    provider.accounts.set("kim", { groups: [] });
    const own = browser();
    assert.equal((await own.signIn("kim")).status, 302);
    assert.equal((await own.session()).team?.role, "admin");
  });

  it("lets no admin of another team make its users members, except those who are invited", async () => {
    const made = createdTeam.parse(await (await vrs.post("/v1/teams", { name: "Greedy" })).json());
    const key = made.key ?? assert.fail();
    const path = `/v1/teams/${made.id}`;
    await put({ ...CLOSED, defaultRole: "viewer" });
    await put(
      { defaultRole: "viewer", groupRoles: [{ group: "all", role: "admin" }], enforced: false },
      path,
      key,
    );
    provider.accounts.set("nora", { groups: ["all"] });
    const nora = browser();
    assert.equal((await nora.signIn("nora")).status, 302);
    const idsOf = async (who: typeof nora) => (await who.session()).teams.map(({ id }) => id);
    assert.deepEqual(await idsOf(nora), [DEFAULT_TEAM_ID]);
    const add = [{ email: "otto@acme.example", role: "viewer" }];
    const invited = await send("POST", "/v1/teams", { teamId: made.id, add }, key);
    assert.equal(invited.status, 200, await invited.clone().text());
    provider.accounts.set("otto", { groups: ["all"], email: "otto@acme.example", email_verified: true });
    const otto = browser();
    assert.equal((await otto.signIn("otto")).status, 302);
    assert.deepEqual((await idsOf(otto)).sort(), [DEFAULT_TEAM_ID, made.id].sort());
    // For members, the team's rules count from the next sign-in on.
    assert.equal((await otto.signIn("otto")).status, 302);
    const { teams } = await otto.session();
    assert.equal(teams.find(({ id }) => id === made.id)?.role, "admin");
  });

  it("works with a provider of a team's own, which lets users into that team only", async () => {
    const made = createdTeam.parse(await (await vrs.post("/v1/teams", { name: "Hosted" })).json());
    const key = made.key ?? assert.fail();
    const path = `/v1/teams/${made.id}`;
    const own = await OidcServer.start();
    try {
      own.register(vrs.baseUrl, made.id);
      const body = { name: "Hosted ID", issuer: own.issuer, clientId: OIDC_CLIENT.id };
      await problemOf(await send("PUT", `${path}/provider`, body, key), "invalid_request");
      const set = { ...body, clientSecret: OIDC_CLIENT.secret, scopes: "openid email groups" };
      for (const issuer of [
        "http://127.0.0.1:9",
        "https://10.0.0.1",
        "http://localhost:9/x",
        "https://a.example/?q",
      ])
        await problemOf(await send("PUT", `${path}/provider`, { ...set, issuer }, key), "invalid_request");
      const answer = await send("PUT", `${path}/provider`, set, key);
      assert.equal(answer.status, 200, await answer.clone().text());
      assert.doesNotMatch(await answer.clone().text(), new RegExp(OIDC_CLIENT.secret));
      assert.equal(signInSettings.parse(await answer.json()).provider?.own, true);
      await put({ ...CLOSED, defaultRole: "reviewer" }, path, key);
      await vrs.post("/v1/teams", {
        ...{ teamId: DEFAULT_TEAM_ID, add: [{ email: "lea@acme.example", role: "admin" }] },
      });
      own.accounts.set("lea", { email: "lea@acme.example", email_verified: true });
      const lea = browser();
      const back = await lea.begin("lea", { provider: made.id });
      assert.equal((await lea.request(back)).status, 302);
      const { teams } = await lea.session();
      assert.deepEqual(
        teams.map(({ id, role }) => [id, role]),
        [[made.id, "reviewer"]],
      );
      const methods = await (await fetch(`${vrs.baseUrl}/v1/sign-in?provider=${made.id}`)).json();
      assert.deepEqual(methods.provider, { id: made.id, name: "Hosted ID" });
      assert.equal((await send("DELETE", `${path}/provider`, {}, key)).status, 204);
      await problemOf(await lea.send("GET", "/v1/runs"), "unauthorized");
    } finally {
      await own.close();
    }
  });
});
