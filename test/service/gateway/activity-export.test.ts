import assert from "node:assert/strict";
import { ServiceBroker } from "moleculer";
import { brokerOptions } from "../../../moleculer.config.ts";
import billing from "../../../services/billing/billing.service.ts";
import gateway from "../../../services/gateway/gateway.service.ts";
import teams from "../../../services/teams/teams.service.ts";
import { loadConfig } from "../../../shared/config.ts";
import { emit } from "../../../shared/contracts/bus.ts";
import { DEFAULT_TEAM_ID, newId } from "../../../shared/ids.ts";
import { MAIN_DATABASE, type TestDatabase } from "../../support/databases/databases.ts";
import { TEST_KEY } from "../../support/drivers/api-access.ts";
import { freePort } from "../../support/drivers/free-port.ts";
import { until } from "../../support/drivers/until.ts";
import { problemOf } from "../../support/formats/problem.ts";

const ACTIVITY = `/v1/teams/${DEFAULT_TEAM_ID}/activity`;
/** More than a batch of the export. */
const ENTRIES = 2_100;

describe("An export of activity", () => {
  let made: TestDatabase;
  let broker: ServiceBroker;
  let baseUrl: string;

  before(async () => {
    made = await MAIN_DATABASE.make();
    const port = await freePort();
    baseUrl = `http://localhost:${port}`;
    const env = { ...made.env, PORT: String(port), SERVICE_BOOTSTRAP_KEY: TEST_KEY, LOG_LEVEL: "fatal" };
    broker = new ServiceBroker(brokerOptions(loadConfig(env)));
    for (const schema of [teams, billing, gateway]) broker.createService(schema);
    await broker.start();
    const actor = { kind: "service", id: "mon_1", name: '=HYPERLINK("x"), "quoted"' } as const;
    const noted = { teamId: DEFAULT_TEAM_ID, type: "monitor.changed", actor, details: { a: 1 } } as const;
    for (let n = 0; n < ENTRIES; n++)
      await emit(broker, "activity.noted", { ...noted, id: newId("act"), target: `monitor ${n}` });
    await until(async () => (await lines("?format=jsonl")).length >= ENTRIES);
  });
  after(async () => {
    await broker?.stop();
    await made?.remove();
  });

  const get = (path: string) =>
    fetch(`${baseUrl}${path}`, { headers: { Authorization: `Bearer ${TEST_KEY}` } });
  const lines = async (query: string) => {
    const response = await get(`${ACTIVITY}/export${query}`);
    assert.equal(response.status, 200);
    return (await response.text()).trimEnd().split(/\r?\n/);
  };

  it("has every entry once, newest first, as JSON lines", async () => {
    const response = await get(`${ACTIVITY}/export`);
    assert.equal(response.headers.get("content-type"), "application/jsonl; charset=utf-8");
    assert.match(
      response.headers.get("content-disposition") ?? "",
      /^attachment; filename="activity-.*\.jsonl"$/,
    );
    const entries: { id: string }[] = (await response.text())
      .trimEnd()
      .split("\n")
      .map(line => JSON.parse(line));
    const ids = entries.map(({ id }) => id);
    assert.equal(ids.length, ENTRIES);
    assert.deepEqual(ids, [...new Set(ids)].sort().reverse());
    const { data } = await (await get(`${ACTIVITY}?limit=3`)).json();
    assert.deepEqual(entries.slice(0, 3), data);
  });

  it("has a header and a quoted line per entry as CSV, without formulas", async () => {
    const [header, first, ...rest] = await lines("?format=csv");
    assert.equal(header, "id,at,type,actorKind,actorId,actorName,target,details");
    assert.match(
      first ?? "",
      /^"act_\w+","\d{4}-[^"]+Z","monitor\.changed","service","mon_1","'=HYPERLINK\(""x""\), ""quoted""","monitor \d+","\{""a"":1\}"$/,
    );
    assert.equal(rest.length, ENTRIES - 1);
  });

  it("has only what the filter shows", async () => {
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    assert.equal((await lines(`?from=${tomorrow}`)).join(""), "");
    assert.equal((await lines(`?to=${tomorrow}`)).length, ENTRIES);
    assert.equal((await lines("?type=run.approved")).join(""), "");
    assert.equal((await lines("?actor=mon_1&type=monitor.changed")).length, ENTRIES);
    const { data } = await (await get(`${ACTIVITY}?from=${tomorrow}`)).json();
    assert.deepEqual(data, []);
  });

  it("refuses an invalid filter with its field", async () => {
    for (const [query, path] of [
      ["from=yesterday", "from"],
      ["format=xml", "format"],
      ["limit=5", "limit"],
    ]) {
      const problem = await problemOf(await get(`${ACTIVITY}/export?${query}`), "invalid_request");
      assert.match(JSON.stringify(problem.errors), new RegExp(path ?? ""));
    }
  });
});
