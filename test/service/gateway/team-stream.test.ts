import assert from "node:assert/strict";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { ServiceBroker } from "moleculer";
import { brokerOptions } from "../../../moleculer.config.ts";
import billing from "../../../services/billing/billing.service.ts";
import gateway from "../../../services/gateway/gateway.service.ts";
import teams from "../../../services/teams/teams.service.ts";
import { loadConfig } from "../../../shared/config.ts";
import { action, broadcast, service } from "../../../shared/contracts/bus.ts";
import { createdKey } from "../../../shared/contracts/teams/keys.ts";
import { createdTeam } from "../../../shared/contracts/teams/people.ts";
import { DEFAULT_TEAM_ID } from "../../../shared/ids.ts";
import { MAIN_DATABASE, type TestDatabase } from "../../support/databases/databases.ts";
import { TEST_KEY } from "../../support/drivers/api-access.ts";
import { freePort } from "../../support/drivers/free-port.ts";
import { TeamStream } from "../../support/drivers/team-stream.ts";
import { until } from "../../support/drivers/until.ts";
import { makeRun } from "../../support/fixtures/run-views.ts";
import { problemOf } from "../../support/formats/problem.ts";

describe("A team's stream", function () {
  // Shorter than a heartbeat, which would also end the stream.
  this.timeout(10_000);
  let made: TestDatabase;
  let broker: ServiceBroker;
  let baseUrl: string;
  const streams: TeamStream[] = [];

  before(async function () {
    this.timeout(60_000);
    made = await MAIN_DATABASE.make();
    const port = await freePort();
    baseUrl = `http://localhost:${port}`;
    const env = { ...made.env, PORT: String(port), SERVICE_BOOTSTRAP_KEY: TEST_KEY, LOG_LEVEL: "fatal" };
    broker = new ServiceBroker(brokerOptions(loadConfig(env)));
    for (const schema of [teams, billing, gateway]) broker.createService(schema);
    const get = action("runs.get", async ({ id }) => makeRun({ id }));
    broker.createService(service({ name: "runs", actions: { get } }));
    await broker.start();
  });
  afterEach(() => {
    for (const stream of streams.splice(0)) stream.close();
  });
  after(async () => {
    await broker?.stop();
    await made?.remove();
  });

  const post = async (path: string, body: object, key = TEST_KEY) => {
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    return fetch(`${baseUrl}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  };
  const open = async (key = TEST_KEY, query = "") => {
    const stream = await TeamStream.open(baseUrl, key, query);
    streams.push(stream);
    return stream;
  };
  const makeKey = async () =>
    createdKey.parse(await (await post("/v1/keys", { name: "v", role: "viewer" })).json());
  const submitted = (runId: string, teamId = DEFAULT_TEAM_ID) =>
    broadcast(broker, "run.submitted", { runId, teamId });

  it("refuses readers without a key and other teams", async () => {
    await problemOf(await fetch(`${baseUrl}/v1/events`), "unauthorized");
    const headers = { Authorization: `Bearer ${TEST_KEY}` };
    const other = createdTeam.parse(await (await post("/v1/teams", { name: "Closed" })).json());
    await problemOf(await fetch(`${baseUrl}/v1/events?team=${other.id}`, { headers }), "not_found");
    await problemOf(await fetch(`${baseUrl}/v1/events?since=1`, { headers }), "invalid_request");
  });

  it("ends at once for HEAD requests, like a run's stream", async () => {
    const { port, host } = new URL(baseUrl);
    for (const path of ["/v1/events", "/v1/runs/run_1/events"]) {
      const socket = connect(Number(port), "localhost");
      const headers = `Host: ${host}\r\nAuthorization: Bearer ${TEST_KEY}\r\nConnection: close`;
      socket.write(`HEAD ${path} HTTP/1.1\r\n${headers}\r\n\r\n`);
      // Until the service closes the connection.
      assert.match(await text(socket), /^HTTP\/1\.1 200 OK\r\n/, path);
    }
  });

  it("sends the ids of changed runs and monitors of its team only", async () => {
    const other = createdTeam.parse(await (await post("/v1/teams", { name: "Other" })).json());
    const [own, theirs] = await Promise.all([open(), open(other.key ?? "")]);
    const named = await open(TEST_KEY, `?team=${DEFAULT_TEAM_ID}`);
    const counts = { unchanged: 0, minor: 0, changed: 1, new: 0, removed: 0, failed: 0 };
    await broadcast(broker, "run.progressed", {
      ...{ teamId: DEFAULT_TEAM_ID, project: "shop" },
      ...{ id: "run_own", status: "completed", conclusion: "changed", error: null },
      ...{ progress: { total: 1, captured: 1, compared: 1 }, counts },
    });
    await broadcast(broker, "monitor.changed", { teamId: other.id, ids: ["mon_theirs"] });
    await until(() => own.received.length > 0 && named.received.length > 0 && theirs.received.length > 0);
    // Events contain only ids. Requests for the data check permissions.
    assert.deepEqual(
      own.received.map(({ kind, ids }) => ({ kind, ids })),
      [{ kind: "runs", ids: ["run_own"] }],
    );
    assert.deepEqual(named.ids("runs"), ["run_own"]);
    assert.deepEqual(
      theirs.received.map(({ kind, ids }) => ({ kind, ids })),
      [{ kind: "monitors", ids: ["mon_theirs"] }],
    );
  });

  it("sends thousands of changes as at most one event per second, without ids if there are too many", async () => {
    const stream = await open();
    const began = performance.now();
    for (let index = 0; index < 1_000; index += 1) await submitted("run_busy");
    for (let index = 0; index < 60; index += 1) await submitted(`run_${index}`);
    await until(() => stream.received.some(({ ids }) => ids === null));
    await submitted("run_last");
    await until(() => stream.ids("runs").includes("run_last"));
    const seconds = (performance.now() - began) / 1_000;
    assert.ok(stream.received.length <= seconds + 1, `${stream.received.length} events in ${seconds} s`);
  });

  it("ends at once if the key is revoked, while others stay open", async () => {
    const { key, id } = await makeKey();
    const [stream, other] = await Promise.all([open(key), open()]);
    const headers = { Authorization: `Bearer ${TEST_KEY}` };
    assert.equal((await fetch(`${baseUrl}/v1/keys/${id}`, { method: "DELETE", headers })).status, 204);
    await stream.ended;
    await submitted("run_after");
    await until(() => other.ids("runs").includes("run_after"));
    assert.deepEqual(stream.received, []);
  });

  it("ends when its team is deleted", async () => {
    const team = createdTeam.parse(await (await post("/v1/teams", { name: "Short" })).json());
    const stream = await open(team.key ?? "");
    const headers = { Authorization: `Bearer ${team.key}` };
    await fetch(`${baseUrl}/v1/teams/${team.id}`, { method: "DELETE", headers });
    await stream.ended;
    await problemOf(await fetch(`${baseUrl}/v1/events`, { headers }), "conflict");
  });

  it("refuses too many streams of a key, and accepts one after another closes", async () => {
    const { key } = await makeKey();
    const first = await open(key);
    await Promise.all(Array.from({ length: 49 }, () => open(key)));
    const ask = () => fetch(`${baseUrl}/v1/events`, { headers: { Authorization: `Bearer ${key}` } });
    const refused = await ask();
    assert.equal(refused.headers.get("retry-after"), "10");
    await problemOf(refused, "rate_limited");
    first.close();
    await until(async () => {
      const answer = await ask();
      await answer.body?.cancel();
      return answer.ok;
    });
  });
});
