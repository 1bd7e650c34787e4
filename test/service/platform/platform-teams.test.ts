import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "mocha";
import type { WithDatabase } from "../../../mixins/database.ts";
import billing from "../../../services/billing/billing.service.ts";
import { makeToken, SESSION_COOKIE } from "../../../services/gateway/auth/session-cookie.ts";
import runs from "../../../services/runs/runs.service.ts";
import scm from "../../../services/scm/scm.service.ts";
import { UserEntity } from "../../../services/teams/members/user.entity.ts";
import { insertSession } from "../../../services/teams/sign-in/session.store.ts";
import teams from "../../../services/teams/teams.service.ts";
import { ApiClient } from "../../../shared/api/api-client.ts";
import { hashKey } from "../../../shared/api-keys.ts";
import { installList } from "../../../shared/contracts/platform/installs.ts";
import { deliveredAnswer } from "../../../shared/contracts/platform/platform.ts";
import { createdKey } from "../../../shared/contracts/teams/keys.ts";
import {
  activityList,
  createdTeam,
  managedTeam,
  memberList,
  teamList,
} from "../../../shared/contracts/teams/people.ts";
import { DEFAULT_TEAM_ID, newId } from "../../../shared/ids.ts";
import { TEST_KEY } from "../../support/drivers/api-access.ts";
import { Integration, SECRET } from "../../support/drivers/integration.ts";
import { DeploymentPlatform } from "../../support/fakes/deployment-platform.ts";
import { PREVIEW_DOMAIN, ready } from "../../support/fixtures/platform-events.ts";

describe("Teams of the platform's installations", () => {
  let platform: DeploymentPlatform;
  let service: Integration;

  const start = (env: Record<string, string> = {}) =>
    Integration.start(
      {
        ...platform.env,
        PLATFORM_PREVIEW_DOMAIN: PREVIEW_DOMAIN,
        SERVICE_BOOTSTRAP_KEY: TEST_KEY,
        SERVICE_API_URL: "http://localhost:$PORT",
        SERVICE_API_KEY: TEST_KEY,
        SERVICE_RATE_LIMIT: "1000000",
        ...env,
      },
      [billing, teams, runs, scm],
    );
  before(async () => {
    platform = await DeploymentPlatform.start();
    service = await start();
  });
  afterEach(() => assert.deepEqual(platform.invalidRequests, []));
  after(async () => {
    await service?.stop();
    await platform?.close();
  });

  const install = async (id: string, account: string, at = service) => {
    const chosen = { id, teamId: account, userId: "user", projectSelection: "all", projects: [] } as const;
    const back = platform.fromMarketplace(`${at.baseUrl}/api/install`, { ...chosen, projects: [] });
    assert.equal((await fetch(back, { redirect: "manual" })).status, 302);
  };
  /** Returns the run of a preview of an account's project. */
  const deliver = async (account: string, project: string, at = service) => {
    const payload = { project: { id: project }, team: { id: account } };
    const { status, body } = await at.deliver(ready({ deployment: { url: "shop.example" }, payload }));
    assert.equal(status, 200, JSON.stringify(body));
    const delivered = deliveredAnswer.parse(body);
    assert.ok(delivered.triggered, JSON.stringify(body));
    return delivered.runId;
  };
  const emOf = (name: string, at = service) => {
    // biome-ignore lint/plugin: Moleculer's types know only a plain service.
    const { em } = at.broker.getLocalService(name) as unknown as WithDatabase;
    return em();
  };
  const teamOfRun = async (id: string, at = service) => {
    const [run] = await emOf("runs", at).execute<{ team_id: string }[]>(
      "select team_id from runs.run where id = ?",
      [id],
    );
    return run?.team_id;
  };
  const ask = async (method: string, path: string, { body, key = TEST_KEY, at = service }: Asked = {}) => {
    const answer = await fetch(`${at.baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, text, body: text === "" ? null : JSON.parse(text) };
  };
  interface Asked {
    body?: object;
    key?: string;
    at?: Integration;
  }
  const installs = async (key = TEST_KEY, at = service) =>
    installList.parse((await ask("GET", "/v1/installs", { key, at })).body).data;
  const membersOf = async (teamId: string, cookie: string) => {
    const answer = await fetch(`${service.baseUrl}/v1/teams/${teamId}/members`, { headers: { cookie } });
    assert.equal(answer.status, 200);
    return memberList.parse(await answer.json()).data.map(({ login, role }) => [login, role]);
  };
  /** Signs a user in. @returns the browser's cookie */
  const signedIn = async (login: string, at = service) => {
    const em = emOf("teams", at);
    const [id, token] = [newId("user"), makeToken()];
    const user = { id, hostId: id, login, name: null, email: null };
    await em.insert(UserEntity, { ...user, createdAt: new Date(), signedInAt: new Date() });
    await insertSession(em, { id: newId("ses"), tokenHash: hashKey(token), actor: { kind: "user", id } });
    return `${SESSION_COOKIE}=${token}`;
  };
  /** Installs from the service, in a browser with this cookie. */
  const installFrom = async (id: string, account: string, cookie: string, at = service) => {
    const begun = await fetch(`${at.baseUrl}/api/install`, { redirect: "manual", headers: { cookie } });
    const chosen = { id, teamId: account, userId: "user", projectSelection: "all", projects: [] } as const;
    const back = platform.install(begun.headers.get("location") ?? "", { ...chosen, projects: [] });
    const [own = ""] = begun.headers.getSetCookie();
    const headers = { cookie: `${cookie}; ${own.split(";")[0]}` };
    assert.equal((await fetch(back, { redirect: "manual", headers })).status, 302);
    const all = await installs(TEST_KEY, at);
    return all.find(({ configurationId }) => configurationId === id)?.teamId ?? "";
  };
  const newTeam = async (name: string) => {
    const { id, key = "" } = createdTeam.parse((await ask("POST", "/v1/teams", { body: { name } })).body);
    return { id, key };
  };

  it("are created one per installation, each with its own runs", async () => {
    await install("icfg_a", "acme");
    await install("icfg_b", "bolt");
    const [a, b] = await installs();
    const [ofA, ofB] = [
      await teamOfRun(await deliver("acme", "p1")),
      await teamOfRun(await deliver("bolt", "p2")),
    ];
    assert.deepEqual([ofA, ofB], [a?.teamId, b?.teamId]);
    assert.equal(new Set([ofA, ofB, DEFAULT_TEAM_ID, undefined, null]).size, 5);
    // Another installation of the same account, and one after its removal.
    await install("icfg_a", "acme");
    await install("icfg_a2", "acme");
    assert.equal(await teamOfRun(await deliver("acme", "p1")), ofA);
    const removed = { ...JSON.parse(ready()), type: "integration-configuration.removed" };
    await service.deliver(JSON.stringify({ ...removed, payload: { configuration: { id: "icfg_a2" } } }));
    await install("icfg_a3", "acme");
    assert.equal(await teamOfRun(await deliver("acme", "p1")), ofA);
  });

  it("are chosen by an operator, also before the installation exists", async () => {
    const team = await newTeam("Chosen");
    const path = "/v1/admin/installs/icfg_chosen";
    assert.equal((await ask("PUT", path, { body: { apiKey: "vrs_none" } })).status, 422);
    assert.equal((await ask("PUT", path, { body: { apiKey: team.key }, key: team.key })).status, 403);
    assert.equal((await ask("PUT", path, { body: { apiKey: team.key } })).status, 204);
    await install("icfg_chosen", "chosen");
    const run = await deliver("chosen", "p");
    assert.equal((await new ApiClient({ baseUrl: service.baseUrl, apiKey: team.key }).getRun(run)).id, run);
    assert.deepEqual(
      (await installs(team.key)).map(({ configurationId, teamId }) => [configurationId, teamId]),
      [["icfg_chosen", team.id]],
    );
  });

  it("have admins who change a project's routes and key, and no other team's", async () => {
    const [team, other] = [await newTeam("Admins"), await newTeam("Other")];
    await ask("PUT", "/v1/admin/installs/icfg_admins", { body: { apiKey: team.key } });
    await install("icfg_admins", "admins");
    const path = "/v1/installs/icfg_admins/projects/p";
    const routes = { routes: ["/a", "/b"] };
    assert.equal((await ask("PUT", path, { body: routes, key: other.key })).status, 404);
    const viewer = createdKey.parse(
      (await ask("POST", "/v1/keys", { body: { name: "v", role: "viewer" }, key: team.key })).body,
    );
    assert.equal((await ask("PUT", path, { body: routes, key: viewer.key })).status, 403);
    assert.equal((await ask("PUT", path, { body: { routes: ["a"] }, key: team.key })).status, 422);
    assert.equal((await ask("PUT", path, { body: { apiKey: "vrs_none" }, key: team.key })).status, 422);
    assert.equal((await ask("PUT", path, { body: routes, key: team.key })).status, 200);

    const pagesOf = async (id: string, apiKey: string) =>
      (await new ApiClient({ baseUrl: service.baseUrl, apiKey }).listScreenshots(id)).map(
        ({ route }) => route,
      );
    assert.deepEqual(await pagesOf(await deliver("admins", "p"), team.key), ["/a", "/b"]);
    assert.deepEqual(await pagesOf(await deliver("admins", "p2"), team.key), ["/"]);
    const changed = await ask("PUT", path, { body: { apiKey: other.key }, key: team.key });
    assert.deepEqual(changed.body.projects, [
      { id: "p", routes: ["/a", "/b"], routesFromConfig: null, hasApiKey: true },
    ]);
    assert.ok(!changed.text.includes(other.key));
    assert.deepEqual(await pagesOf(await deliver("admins", "p"), other.key), ["/a", "/b"]);
    const activity = await ask("GET", `/v1/teams/${team.id}/activity?type=install.changed`, {
      key: team.key,
    });
    const noted = activityList.parse(activity.body).data.map(({ target }) => target);
    assert.deepEqual(noted, ["icfg_admins p", "icfg_admins p", "icfg_admins"]);
    // Another installation of the account takes over the settings.
    await install("icfg_admins2", "admins");
    assert.deepEqual(await pagesOf(await deliver("admins", "p"), other.key), ["/a", "/b"]);
    const kept = JSON.stringify([
      await service.em().execute("select * from platform.team"),
      await service.em().execute("select * from platform.project_settings"),
    ]);
    for (const secret of [team.key, other.key, SECRET]) assert.ok(!kept.includes(secret));
  });

  it("have as their admin the user who is signed in where the installation started", async () => {
    const cookie = await signedIn("ada");
    const teamId = await installFrom("icfg_ada", "ada-account", cookie);
    assert.deepEqual(await membersOf(teamId, cookie), [["ada", "admin"]]);
    // The account's team exists already. A user who installs again does not join it, because it may have other members.
    assert.equal(await installFrom("icfg_ada2", "ada-account", await signedIn("bob")), teamId);
    assert.deepEqual(await membersOf(teamId, cookie), [["ada", "admin"]]);
  });

  it("have no member if no user is signed in or the platform started the installation, until an operator adds an admin", async () => {
    const cookie = await signedIn("cleo");
    const chosen = { id: "icfg_led", teamId: "led", userId: "user", projectSelection: "all" } as const;
    const back = platform.fromMarketplace(`${service.baseUrl}/api/install`, { ...chosen, projects: [] });
    assert.equal((await fetch(back, { redirect: "manual", headers: { cookie } })).status, 302);
    const anonymous = await installFrom("icfg_anonymous", "anonymous", "");
    const { data } = teamList.parse(
      await (await fetch(`${service.baseUrl}/v1/teams`, { headers: { cookie } })).json(),
    );
    assert.deepEqual(data, []);

    const path = "/v1/admin/installs/icfg_anonymous/admins";
    const other = await newTeam("Not the operator");
    assert.equal((await ask("POST", path, { body: { login: "cleo" }, key: other.key })).status, 403);
    assert.equal((await ask("POST", path, { body: { login: "cleo" } })).status, 200);
    assert.deepEqual(await membersOf(anonymous, cookie), [["cleo", "admin"]]);
    const invited = managedTeam.parse((await ask("POST", path, { body: { login: "newcomer" } })).body);
    assert.deepEqual(
      invited.invited.map(({ login, role }) => [login, role]),
      [["newcomer", "admin"]],
    );
    const unknown = "/v1/admin/installs/icfg_unknown/admins";
    assert.equal((await ask("POST", unknown, { body: { login: "cleo" } })).status, 404);
  });

  it("have no member at another Cloud API, which doesn't know this service's users", async () => {
    const at = await start({ SERVICE_API_URL: service.baseUrl });
    try {
      const teamId = await installFrom("icfg_far", "far", await signedIn("dora", at), at);
      const countOf = async (table: string) => {
        const sql = `select count(*)::int from teams.${table} where team_id = ?`;
        return (await emOf("teams").execute<{ count: number }[]>(sql, [teamId]))[0]?.count;
      };
      assert.equal(await countOf("api_key"), 1, "it is the other service's");
      assert.deepEqual([await countOf("membership"), await countOf("invitation")], [0, 0]);
    } finally {
      await at.stop();
    }
  });

  it("are the team of SERVICE_API_KEY if that key may create none, or if teams are shared", async () => {
    const reviewer = createdKey.parse(
      (await ask("POST", "/v1/keys", { body: { name: "previews", role: "reviewer" } })).body,
    );
    const far = { SERVICE_API_URL: service.baseUrl };
    const settings: Record<string, string>[] = [
      { ...far, SERVICE_API_KEY: reviewer.key },
      { ...far, PLATFORM_TEAMS: "shared" },
    ];
    for (const [index, env] of settings.entries()) {
      const at = await start(env);
      try {
        await install(`icfg_shared${index}`, "shared", at);
        assert.equal((await installs(TEST_KEY, at))[0]?.teamId, DEFAULT_TEAM_ID);
        const run = await deliver("shared", `p${index}`, at);
        const admins = `/v1/admin/installs/icfg_shared${index}/admins`;
        const refused = await ask("POST", admins, { body: { login: "ada" }, at });
        assert.deepEqual([refused.status, /Add members to that team/.test(refused.text)], [409, true]);
        assert.equal(await teamOfRun(run), DEFAULT_TEAM_ID);
      } finally {
        await at.stop();
      }
    }
  });
});
