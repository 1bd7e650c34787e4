import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { WebSocket } from "ws";
import { openTunnel } from "../../../cli/cloud/open-tunnel.ts";
import { projectList } from "../../../shared/contracts/runs/projects.ts";
import { TUNNEL_HEADER, TUNNEL_PATH } from "../../../shared/contracts/runs/tunnels.ts";
import { createdKey } from "../../../shared/contracts/teams/keys.ts";
import { createdTeam, teamList } from "../../../shared/contracts/teams/people.ts";
import { DEFAULT_TEAM_ID } from "../../../shared/ids.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { Site } from "../../support/fixtures/site.ts";
import { problemOf } from "../../support/formats/problem.ts";

const MOST_OF_TEAM = 20;
const newTunnelId = () => randomBytes(32).toString("base64url");

describe("A tunnel", () => {
  let vrs: Vrs;
  let site: Site;
  let other: string;
  const sockets = new Set<WebSocket>();
  /** Seconds of the latest refusal. */
  let retryAfter = Number.NaN;

  before(async () => {
    [vrs, site] = await Promise.all([Vrs.start({ SERVICE_ALLOW_HOSTS: "nothing.invalid" }), Site.start()]);
    site.pages.set("/", "<h1>Local</h1>");
    other = createdTeam.parse(await (await vrs.post("/v1/teams", { name: "Other" })).json()).key ?? "";
  });
  afterEach(() => {
    for (const socket of sockets) socket.terminate();
    sockets.clear();
  });
  after(() => Promise.all([vrs?.stop(), site?.stop()]));

  const keyWith = async (role: string) =>
    createdKey.parse(await (await vrs.post("/v1/keys", { name: role, role })).json());
  /** Opens a WebSocket. Returns it, or the status of the refusal. */
  const open = async (headers: Record<string, string>, path = TUNNEL_PATH) => {
    const socket = new WebSocket(`ws://localhost:${vrs.port}${path}`, { headers });
    sockets.add(socket);
    socket.on("error", () => {});
    return await Promise.race([
      once(socket, "open").then(() => socket),
      once(socket, "unexpected-response").then(([, response]) => {
        retryAfter = Number(response.headers["retry-after"]);
        return Number(response.statusCode);
      }),
    ]);
  };
  const openAs = (key: string, id = newTunnelId()) =>
    open({ authorization: `Bearer ${key}`, [TUNNEL_HEADER]: id });

  it("requires a key that may start runs, and an id that is random", async () => {
    assert.equal(await open({ [TUNNEL_HEADER]: newTunnelId() }), 401);
    assert.equal(await openAs("vrs_of_nobody"), 401);
    assert.equal(await openAs((await keyWith("viewer")).key), 403);
    assert.equal(await open({ authorization: `Bearer ${vrs.key}` }), 422);
    assert.equal(await openAs(vrs.key, "guessable"), 422);
    assert.ok((await openAs((await keyWith("reviewer")).key)) instanceof WebSocket);
  });

  it("stays open while the settings of a project change", async () => {
    const made = await vrs.post("/v1/run", { url: "https://shop.example", project: "shop" });
    assert.equal(made.status, 202);
    const list = await (await vrs.request("/v1/projects?find=shop")).json();
    const socket = await openAs(vrs.key);
    assert.ok(socket instanceof WebSocket);
    const closed = once(socket, "close").then(() => "close");
    const changed = await vrs.request(`/v1/projects/${projectList.parse(list).data[0]?.id}`, {
      method: "PATCH",
      body: JSON.stringify({ linkDays: 7 }),
      headers: { "Content-Type": "application/json" },
    });
    assert.equal(changed.status, 200);
    socket.ping();
    assert.equal(await Promise.race([once(socket, "pong").then(() => "pong"), closed]), "pong");
  });

  it("stays open while settings of its team change that no access depends on", async () => {
    const socket = await openAs(vrs.key);
    assert.ok(socket instanceof WebSocket);
    const closed = once(socket, "close").then(() => "close");
    const team = `/v1/teams/${DEFAULT_TEAM_ID}`;
    const change = async (method: string, path: string, body: object) => {
      const headers = { "Content-Type": "application/json" };
      const answer = await vrs.request(path, { method, body: JSON.stringify(body), headers });
      assert.equal(answer.status, 200, `${method} ${path}: ${await answer.clone().text()}`);
      return answer;
    };
    const settings = { name: "Renamed", requiredApprovals: 2, allowSelfApproval: false, publicLinks: false };
    await change("PATCH", team, settings);
    await change("PUT", `${team}/sign-in`, { defaultRole: null, groupRoles: [], enforced: false });
    const { data } = teamList.parse(await (await vrs.request("/v1/teams")).json());
    const renamed = data.find(({ id }) => id === DEFAULT_TEAM_ID);
    assert.deepEqual([renamed?.name, renamed?.publicLinks], ["Renamed", false], "at once");
    socket.ping();
    assert.equal(await Promise.race([once(socket, "pong").then(() => "pong"), closed]), "pong");
    await change("PATCH", team, { requiredApprovals: 1, allowSelfApproval: true, publicLinks: true });
  });

  it("is a WebSocket, and other upgrades are answered as before", async () => {
    assert.match((await problemOf(await vrs.request(TUNNEL_PATH), "invalid_request")).detail, /WebSocket/);
    assert.equal(await open({ authorization: `Bearer ${vrs.key}` }, "/v1/runs"), 200);
    const raw = connect(vrs.port, "localhost");
    // The server answers nothing to a connection that its client has closed.
    raw.write(
      `GET /v1/runs HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${vrs.key}\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n`,
    );
    let answer = "";
    for await (const chunk of raw) answer += chunk;
    assert.match(answer, /^HTTP\/1\.1 200 /);
  });

  it("may end at any moment, also with bytes that are not its protocol", async () => {
    for (let round = 0; round < 100; round++) {
      const headers = { authorization: `Bearer ${vrs.key}`, [TUNNEL_HEADER]: newTunnelId() };
      const socket = new WebSocket(`ws://localhost:${vrs.port}${TUNNEL_PATH}`, { headers });
      await once(socket, "open");
      if (round % 2 === 1) socket.send(randomBytes(50));
      if (round % 3 > 0) await new Promise(resolve => setTimeout(resolve, round % 3));
      socket.terminate();
    }
    assert.ok((await openAs(vrs.key)) instanceof WebSocket, "the service goes on");
  });

  it("doesn't count with the cookie of a session, which a page of another site could use", async () => {
    const signedIn = await fetch(`${vrs.baseUrl}/v1/session`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Origin: vrs.baseUrl },
      body: JSON.stringify({ apiKey: vrs.key }),
    });
    const cookie = signedIn.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
    assert.match(cookie, /=/);
    const headers = { cookie, origin: vrs.baseUrl, [TUNNEL_HEADER]: newTunnelId() };
    assert.equal(await open(headers), 401);
  });

  it("belongs to its team, even if another one knows its id", async () => {
    const ended = new AbortController();
    const access = { url: vrs.baseUrl, apiKey: vrs.key };
    let interruptions = 0;
    const onChange = () => void interruptions++;
    const tunnel = await openTunnel(access, { application: site.url, signal: ended.signal, onChange });
    try {
      const submit = async (key: string) => {
        const client = vrs.client(key);
        const body = { url: site.url, project: "p", viewports: [320], tunnel: tunnel.id };
        const { id } = await client.submitRun(body);
        await client.waitForRun(id);
        return await client.listScreenshots(id);
      };
      const [stolen] = await submit(other);
      assert.equal(stolen?.status, "failed");
      assert.match(stolen?.error ?? "", /the tunnel to it is closed/);
      assert.deepEqual(site.requested, []);
      assert.ok((await openAs(other, tunnel.id)) instanceof WebSocket, "it is another tunnel");
      const [own] = await submit(vrs.key);
      assert.equal(own?.status, "new", own?.error ?? "");
      assert.equal(interruptions, 0);
    } finally {
      ended.abort();
    }
  });

  it("closes for good when its key is revoked", async () => {
    const { id, key } = await keyWith("reviewer");
    const ended = new AbortController();
    const options = { application: site.url, signal: ended.signal, onChange: () => {} };
    const tunnel = await openTunnel({ url: vrs.baseUrl, apiKey: key }, options);
    const isOver = once(tunnel.ended, "abort");
    await vrs.request(`/v1/keys/${id}`, { method: "DELETE" });
    await isOver;
    assert.match(String(tunnel.ended.reason), /rejected the API key/);
  });

  it("is one of a few of its team", async () => {
    for (let count = 0; count < MOST_OF_TEAM; count++)
      assert.ok((await openAs(other)) instanceof WebSocket, `tunnel ${count}`);
    assert.equal(await openAs(other), 429);
    assert.ok(retryAfter > 0, "says when to retry");
    assert.ok((await openAs(vrs.key)) instanceof WebSocket, "of another team");
  });
});
