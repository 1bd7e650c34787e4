import assert from "node:assert/strict";
import type { ServiceBroker } from "moleculer";
import { approved, dismissed } from "../../../shared/contracts/reviews/reviews.ts";
import { runView } from "../../../shared/contracts/runs/runs.ts";
import { screenshotList } from "../../../shared/contracts/runs/screenshots.ts";
import { submittedRun } from "../../../shared/contracts/runs/submit-run.ts";
import { createdKey } from "../../../shared/contracts/teams/keys.ts";
import { activityList, teamView } from "../../../shared/contracts/teams/people.ts";
import { CORE_SERVICES } from "../../../shared/environment/variables.ts";
import { DEFAULT_TEAM_ID } from "../../../shared/ids.ts";
import { account, BrowserClient, pageOf } from "../../support/drivers/browser/browser-client.ts";
import { CodeHostServer } from "../../support/fakes/code-host/code-host.ts";
import { Site } from "../../support/fixtures/site.ts";
import { problemOf } from "../../support/formats/problem.ts";
import { BusNodes } from "../../support/servers/nodes/bus-node.ts";
import { Cluster } from "../../support/servers/nodes/cluster.ts";
import { needs } from "../../support/servers/server-programs.ts";

const HEADER_SECRET = "secret-of-a-request-header";
const WRONG_KEY = `vrs_${"Wrong".repeat(6)}12`;
const page = (...boxes: string[]) =>
  `<!doctype html><title>t</title><style>b{position:absolute;width:80px;height:80px;background:#c00}</style>
   <body style="height:600px">${boxes.join("")}`;
const box = (left: number, top: number) => `<b style="left:${left}px;top:${top}px"></b>`;

describe("The logs and events of a team's whole journey", () => {
  needs("nats-server", "database");
  let host: CodeHostServer;
  let site: Site;
  let cluster: Cluster;
  let bus: BusNodes;
  /** Events on the bus. */
  const told: string[] = [];
  /** Values that must not be in a log or an event. */
  const secrets = new Set<string>([HEADER_SECRET, WRONG_KEY]);

  before(async () => {
    [host, site] = await Promise.all([CodeHostServer.start(), Site.start({ "/": page() })]);
    const layout = [["gateway", ...CORE_SERVICES, "differ", "renderer"]];
    cluster = await Cluster.start({ layout, sharedDatabase: true, env: { ...host.env, LOG_LEVEL: "trace" } });
    bus = new BusNodes(cluster.nats);
    const watcher: ServiceBroker = bus.make();
    watcher.createService({
      name: "watcher",
      events: {
        "**": context => void told.push(JSON.stringify([context.eventName, context.params, context.meta])),
      },
    });
    await watcher.start();
  });
  after(async () => {
    await bus?.stop();
    await cluster?.stop();
    await site?.stop();
    await host?.close();
  });

  const personOf = async (login: string) => {
    const add = [{ login, role: "reviewer" }];
    assert.equal((await cluster.post("/v1/teams", { teamId: DEFAULT_TEAM_ID, add })).status, 200);
    const own = new BrowserClient(cluster.baseUrl);
    await own.signIn(host, account({ login }));
    return own;
  };
  /** Submits the current site, as a push to pull request 7 or to the default branch. */
  const push = async (sha: string, pr?: number) => {
    const scm = { owner: "acme", repo: "shop", sha: sha.repeat(8), ...(pr && { pr }) };
    const options = { headers: { "x-preview": HEADER_SECRET } };
    const body = { url: site.url, viewports: [500], threshold: 0, scm, options };
    const run = submittedRun.parse(await (await cluster.post("/v1/run", body)).json());
    secrets.add(new URL(run.links.report).searchParams.get("token") ?? "");
    await (await cluster.request(`/v1/runs/${run.id}/events`)).text();
    return { ...run, ...runView.parse(await (await cluster.request(`/v1/runs/${run.id}`)).json()) };
  };
  const shotOf = async (runId: string) => {
    const { data } = screenshotList.parse(await (await cluster.request(`/v1/screenshots/${runId}`)).json());
    const [shot] = data;
    assert.ok(shot);
    for (const link of Object.values(shot.images)) if (link) secrets.add(link.split("/").at(-2) ?? "");
    return shot;
  };

  it("cover sign-in, two reviews, and a carried approval", async () => {
    const changed = await cluster.request(`/v1/teams/${DEFAULT_TEAM_ID}`, {
      method: "PATCH",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ requiredApprovals: 2 }),
    });
    assert.equal(teamView.parse(await changed.json()).requiredApprovals, 2);
    const [ada, bob] = [await personOf("ada"), await personOf("bob")];
    const approve = async (who: BrowserClient, runId: string) =>
      approved.parse(await (await who.post(`/v1/baselines/${runId}/approve`, {})).json());

    const base = await push("a");
    assert.equal(base.conclusion, "new");
    assert.equal((await approve(ada, base.id)).pending, 1);
    assert.equal((await approve(bob, base.id)).conclusion, "approved");

    site.pages.set("/", page(box(20, 40)));
    const first = await push("b", 7);
    assert.equal(first.conclusion, "changed");
    await approve(bob, first.id);
    assert.equal((await approve(ada, first.id)).conclusion, "approved");

    site.pages.set("/", page(box(260, 340)));
    const second = await push("c", 7);
    assert.equal(second.conclusion, "approved");
    const shot = await shotOf(second.id);
    assert.deepEqual([shot.status, shot.review?.state], ["changed", "approved"]);
    assert.deepEqual([shot.carried?.runId, shot.carried?.by], [first.id, ["bob", "ada"]]);
    const report = await (await fetch(second.links.report)).text();
    assert.match(
      report,
      new RegExp(`Carried approval: bob and ada approved the same change in ${first.id}, `),
    );

    const reason = "It was too early.";
    await problemOf(await ada.post(`/v1/baselines/${second.id}/dismiss`, { reason }), "forbidden");
    await problemOf(await ada.post(`/v1/baselines/${first.id}/dismiss`, {}), "invalid_request");
    const response = await ada.post(`/v1/baselines/${first.id}/dismiss`, { reason });
    assert.equal(dismissed.parse(await response.json()).conclusion, "changed");
    assert.equal((await shotOf(second.id)).carried, null);
    const activity = await cluster.request(`/v1/teams/${DEFAULT_TEAM_ID}/activity?type=run.dismissed`);
    const [noted] = activityList.parse(await activity.json()).data;
    assert.deepEqual([noted?.actor.name, noted?.target, noted?.details.reason], ["ada", first.id, reason]);

    for (const own of [ada, bob]) for (const value of own.cookies.values()) secrets.add(value);
  });

  it("cover a sign-in whose code the code host rejects", async () => {
    const own = new BrowserClient(cluster.baseUrl);
    const back = new URL(await own.begin(host, account()), cluster.baseUrl);
    for (const value of own.cookies.values()) secrets.add(value);
    back.searchParams.set("code", "some-wrong-code");
    await pageOf(await own.get(`${back.pathname}${back.search}`), 400, /rejected this sign-in/);
  });

  it("cover a key, its session, and its end", async () => {
    const made = await cluster.post("/v1/keys", { name: "ci", role: "reviewer" });
    const { key, id } = createdKey.parse(await made.json());
    secrets.add(key);
    const headers = { "Content-Type": "application/json" };
    const signedIn = await cluster.request("/v1/session", {
      method: "POST",
      headers,
      body: JSON.stringify({ apiKey: key }),
    });
    secrets.add(/=([^;]+)/.exec(signedIn.headers.getSetCookie()[0] ?? "")?.[1] ?? "");
    assert.equal((await cluster.request(`/v1/keys/${id}`, { method: "DELETE" })).status, 204);
    await problemOf(
      await cluster.request("/v1/runs", { headers: { Authorization: `Bearer ${key}` } }),
      "unauthorized",
    );
    await problemOf(await cluster.request(`/v1/runs?api_key=${WRONG_KEY}`), "unauthorized");
    await problemOf(
      await cluster.request("/v1/session", {
        method: "POST",
        headers,
        body: JSON.stringify({ apiKey: WRONG_KEY }),
      }),
      "unauthorized",
    );
  });

  it("contain none of its secrets", () => {
    const { CODEHOST_CLIENT_SECRET = "" } = host.env;
    for (const secret of [...host.secrets, CODEHOST_CLIENT_SECRET, cluster.key]) secrets.add(secret);
    const [log, events] = [cluster.the("gateway").output, told.join("\n")];
    assert.ok(secrets.size > 15 && [...secrets].every(secret => secret.length > 12), [...secrets].join(" "));
    assert.ok(log.includes('"level":20'), "it logs the least of things");
    for (const name of ["run.completed", "activity.noted", "access.changed"])
      assert.ok(events.includes(name), name);
    for (const secret of secrets) {
      assert.ok(!events.includes(secret), `${secret} was told: ${around(events, secret)}`);
      assert.ok(!log.includes(secret), `${secret} was logged: ${around(log, secret)}`);
    }
  });
});

function around(text: string, secret: string): string {
  const at = text.indexOf(secret);
  return text.slice(Math.max(0, at - 300), at + 100);
}
