import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { Integration } from "../../support/drivers/integration.ts";
import { CloudApi } from "../../support/fakes/cloud-api.ts";
import { type Configuration, DeploymentPlatform } from "../../support/fakes/deployment-platform.ts";
import { ready, readyEvent } from "../../support/fixtures/platform-events.ts";
import {
  agePendingInstalls,
  readAllPlatformRows,
  readConsentKeys,
  readInstall,
} from "../../support/rows/platform-rows.ts";

let installations = 0;
const configuration = (more: Partial<Configuration> = {}): Configuration => {
  installations += 1;
  return {
    id: `icfg_${installations}`,
    teamId: `team_${installations}`,
    userId: "user_1",
    projectSelection: "selected",
    projects: [`prj_${installations}`],
    ...more,
  };
};

describe("An installation of the integration", () => {
  let platform: DeploymentPlatform;
  let api: CloudApi;
  let integration: Integration;

  before(async () => {
    platform = await DeploymentPlatform.start();
    api = await CloudApi.start();
    integration = await Integration.start({
      ...platform.env,
      ...api.env,
      PLATFORM_INTEGRATION_NAME: "Shots",
    });
  });
  beforeEach(() => api.reset());
  afterEach(() => {
    platform.instead.clear();
    platform.namesInstallation = true;
    api.teams = ["Team"];
    assert.deepEqual([...platform.invalidRequests, ...api.invalidRequests], []);
  });
  after(async () => {
    await integration?.stop();
    await platform?.close();
    await api?.close();
  });

  const get = (address: string | URL, cookie = "") =>
    fetch(new URL(address, integration.baseUrl), { redirect: "manual", headers: { cookie } });
  const locationOf = (answer: Response) => {
    assert.equal(answer.status, 302);
    return answer.headers.get("location") ?? "";
  };
  const page = async (answer: Response, status: number, words: RegExp) => {
    const text = await answer.text();
    assert.equal(answer.status, status, text);
    assert.match(text, words);
    assert.match(answer.headers.get("content-type") ?? "", /^text\/html/);
  };

  /** Starts an installation in a browser. @returns the URL that the platform redirects to, and the browser's cookie */
  const begin = async (chosen: Configuration) => {
    const answer = await get("/api/install");
    const [cookie = ""] = answer.headers.getSetCookie();
    assert.match(
      cookie,
      /^vrs_install=[\w-]{43}; Path=\/api\/install; Max-Age=1800; HttpOnly; SameSite=Lax$/,
    );
    return { back: platform.install(locationOf(answer), chosen), cookie: cookie.split(";")[0] ?? "" };
  };
  const install = async (chosen: Configuration) => {
    const back = platform.fromMarketplace(`${integration.baseUrl}/api/install`, chosen);
    assert.equal(locationOf(await get(back)), `${platform.url}/dashboard/integrations`);
  };
  const allows = async (project: string, team: string | null) => {
    const { status } = await integration.deliver(
      ready({
        deployment: { url: "shop.example" },
        payload: { project: { id: project }, team: team && { id: team } },
      }),
    );
    assert.ok(status === 200 || status === 400);
    return status === 200;
  };
  const uninstall = (id: string) =>
    integration.deliver(
      JSON.stringify({
        ...readyEvent({ type: "integration-configuration.removed" }),
        payload: { configuration: { id }, team: { id: "any" } },
      }),
    );
  const em = () => integration.em();

  it("gives consent for the selected projects, and for no other of the team", async () => {
    const chosen = configuration({ projects: ["prj_x", { id: "prj_y" }] });
    const { back, cookie } = await begin(chosen);
    assert.equal(locationOf(await get(back, cookie)), `${platform.url}/dashboard/integrations`);
    assert.equal(await allows("prj_x", chosen.teamId), true);
    assert.equal(await allows("prj_y", chosen.teamId), true);
    assert.equal(await allows("prj_z", chosen.teamId), false);
    const [row] = await readInstall(em(), String(chosen.id));
    assert.deepEqual([row?.owner_id, row?.all_projects], [chosen.teamId, false]);
  });

  it("of all projects gives consent for later ones too", async () => {
    const chosen = configuration({ projectSelection: "all", projects: [] });
    await install(chosen);
    assert.equal(await allows("prj_new", chosen.teamId), true);
    assert.equal(await allows("prj_new", "team_other"), false);
  });

  it("on a personal account gives consent for that account's projects", async () => {
    const chosen = configuration({ teamId: null, userId: "user_9", projectSelection: "all" });
    await install(chosen);
    assert.ok((await readConsentKeys(em())).includes("team:user_9"));
  });

  it("replaces the previous one, and refuses projects that are no longer selected", async () => {
    const first = configuration({ projects: ["prj_1a", "prj_1b"] });
    await install(first);
    const again = configuration({ teamId: first.teamId, projects: ["prj_1b", "prj_1c"] });
    await install(again);
    const allowed = await Promise.all(["prj_1a", "prj_1b", "prj_1c"].map(id => allows(id, first.teamId)));
    assert.deepEqual(allowed, [false, true, true]);
    // The late removal of the old installation does not affect the new one.
    await uninstall(first.id);
    assert.equal(await allows("prj_1b", first.teamId), true);
    await install({ ...again, projects: [] });
    assert.equal(await allows("prj_1b", first.teamId), false);
  });

  it("can start at the platform without a state, and its removal takes effect at once", async () => {
    const chosen = configuration({ projectSelection: "all" });
    await install(chosen);
    assert.equal(await allows("prj_lazy", chosen.teamId), true);
    const { status, body } = await uninstall(chosen.id);
    assert.deepEqual(
      [status, body],
      [200, { triggered: false, reason: "Ignored event type: integration-configuration.removed" }],
    );
    assert.equal(await allows("prj_lazy", chosen.teamId), false);
    assert.deepEqual(await readInstall(em(), String(chosen.id)), []);
  });

  it("uses the id from the platform, not the one from the URL", async () => {
    const [own, victim] = [configuration(), configuration()];
    await install(victim);
    const { back, cookie } = await begin(own);
    back.searchParams.set("configurationId", victim.id);
    back.searchParams.set("teamId", `${victim.teamId}`);
    locationOf(await get(back, cookie));
    assert.equal(await allows(`${own.projects[0]}`, own.teamId), true);
    assert.equal(await allows(`${victim.projects[0]}`, victim.teamId), true);
    // If the platform's token has no id, the token must be able to read the one from the URL.
    platform.namesInstallation = false;
    const other = await begin(configuration());
    other.back.searchParams.set("configurationId", victim.id);
    await page(await get(other.back, other.cookie), 400, /rejected this installation/);
    const right = configuration();
    await install(right);
    assert.equal(await allows(`${right.projects[0]}`, right.teamId), true);
  });

  it("is refused with a state that is another browser's, used, or expired", async () => {
    const [chosen, words] = [configuration(), /started in another browser/];
    const { back, cookie } = await begin(chosen);
    const other = await begin(configuration());
    await page(await get(back, other.cookie), 400, words);
    await page(await get(back), 400, words);
    locationOf(await get(back, cookie));
    await page(await get(back, cookie), 400, words);
    await agePendingInstalls(em(), "31 minutes");
    await page(await get(other.back, other.cookie), 400, words);
    const made = new URL(platform.fromMarketplace(`${integration.baseUrl}/api/install`, configuration()));
    made.searchParams.set("state", "made-up");
    await page(await get(made, cookie), 400, words);
  });

  it("is refused with an unknown or used code", async () => {
    await page(
      await get("/api/install?code=unknown&configurationId=icfg_1"),
      400,
      /rejected this installation/,
    );
    const back = platform.fromMarketplace(`${integration.baseUrl}/api/install`, configuration());
    locationOf(await get(back));
    await page(await get(back), 400, /rejected this installation/);
    await page(await get("/api/install?error=access_denied"), 403, /nothing was installed/);
    assert.equal(new URL(locationOf(await get("/api/install?code="))).origin, platform.url);
  });

  it("is refused and changes nothing when the platform fails in any way", async () => {
    const token = "/v2/oauth/access_token";
    const chosen = configuration();
    const config = `/v1/integrations/configuration/${chosen.id}`;
    const json = (body: object) => (res: ServerResponse) => void res.writeHead(200).end(JSON.stringify(body));
    const failures: [string, (res: ServerResponse) => void, number][] = [
      [token, res => void res.destroy(), 502],
      [token, res => void res.writeHead(503).end(), 502],
      [token, res => void res.writeHead(200).end("<h1>Hello</h1>"), 502],
      [token, res => void res.writeHead(302, { Location: `${api.url}/v1/teams` }).end(), 502],
      [config, res => void res.writeHead(200).end(JSON.stringify(chosen).padEnd(2_000_000, " ")), 502],
      [token, json({ token_type: "Bearer" }), 400],
      [config, res => void res.writeHead(403).end("{}"), 400],
      [config, json({ ...chosen, id: "icfg_other" }), 400],
      [config, json({ ...chosen, projects: [{ name: "without an id" }] }), 400],
      [config, json({ ...chosen, projects: ["a\u0000"] }), 400],
    ];
    for (const [path, failure, status] of failures) {
      platform.instead.clear();
      platform.instead.set(path, failure);
      const back = platform.fromMarketplace(`${integration.baseUrl}/api/install`, chosen);
      await page(await get(back), status, status === 502 ? /not responding/ : /rejected this installation/);
    }
    assert.deepEqual(await readInstall(em(), String(chosen.id)), []);
  });

  it("opens our own page if the platform gives no URL or a foreign one", async () => {
    for (const next of [null, "https://evil.example"]) {
      const back = platform.fromMarketplace(`${integration.baseUrl}/api/install`, configuration());
      if (next === null) back.searchParams.delete("next");
      else back.searchParams.set("next", next);
      assert.equal(locationOf(await get(back)), `${integration.baseUrl}/api/installed`);
    }
    await page(await get("/api/installed"), 200, /Installed/);
  });

  it("creates one team each, and is kept if that fails", async () => {
    const [first, second] = [configuration(), configuration()];
    for (const chosen of [first, second, first]) await install(chosen);
    assert.deepEqual(api.teams.slice(1), [`Shots ${first.id}`, `Shots ${second.id}`]);
    api.fail.push("hang up");
    const third = configuration();
    await install(third);
    assert.equal(api.teams.length, 3);
    // The next delivery retries.
    assert.equal(await allows(`${third.projects[0]}`, third.teamId), true);
    assert.equal(api.teams.at(-1), `Shots ${third.id}`);
  });

  it("stores no code, and a token only encrypted", async () => {
    const kept = await readAllPlatformRows(em());
    assert.ok(platform.secrets.length > 10 && kept.includes("icfg_"));
    for (const secret of platform.secrets) assert.ok(!kept.includes(secret));
  });

  it("that is not set up reports what to set, and attempts are limited", async () => {
    const bare = await Integration.start({ PLATFORM_CLIENT_ID: "id" });
    try {
      for (const path of ["/api/install", "/api/install?code=x"])
        await page(await fetch(bare.baseUrl + path), 404, /PLATFORM_AUTHORIZE_URL/);
      // Many more than the limit of 60 per minute, because some are refilled meanwhile.
      const tries = Array.from({ length: 150 }, () => fetch(`${bare.baseUrl}/api/install`));
      assert.ok((await Promise.all(tries)).some(({ status }) => status === 429));
    } finally {
      await bare.stop();
    }
  });
});
