import assert from "node:assert/strict";
import { after, before, describe, it } from "mocha";
import { checkList } from "../../../shared/contracts/monitors/checks.ts";
import { monitorView } from "../../../shared/contracts/monitors/monitors.ts";
import { SERVICE_NAMES } from "../../../shared/environment/variables.ts";
import { until } from "../../support/drivers/until.ts";
import { Site } from "../../support/fixtures/site.ts";
import { Cluster } from "../../support/servers/nodes/cluster.ts";
import { query } from "../../support/servers/postgres-server.ts";
import { needs } from "../../support/servers/server-programs.ts";

const MONITORS = 15;
const OTHERS = SERVICE_NAMES.filter(name => name !== "monitors");

describe("Monitors of a fleet whose node is killed", () => {
  needs("nats-server", "database");
  let cluster: Cluster;
  let site: Site;
  const ids: string[] = [];

  before(async () => {
    site = await Site.start({ "/": "<h1>Watched</h1>" });
    const layout = [OTHERS, ["monitors"], ["monitors"], ["monitors"]];
    cluster = await Cluster.start({ layout, sharedDatabase: true });
  });
  after(async () => {
    await cluster?.stop();
    await site?.stop();
  });

  const checksOf = async (id: string) =>
    checkList.parse(await (await cluster.request(`/v1/monitors/${id}/history`)).json()).data;

  it("are all checked exactly once", async () => {
    for (let index = 0; index < MONITORS; index += 1) {
      const body = { name: `Site ${index}`, url: site.url, viewports: [400], intervalMinutes: 10_080 };
      const answer = await cluster.post("/v1/monitors", body);
      assert.equal(answer.status, 201, await answer.clone().text());
      ids.push(monitorView.parse(await answer.json()).id);
    }
    // Some first checks may have started by themselves, within their first minute.
    await query(
      cluster.databaseUrl,
      "update monitors.monitor set next_at = now() where check_id is null and last_check_id is null",
    );
    const begun = async () =>
      (await query(cluster.databaseUrl, "select 1 from monitors.check where ended_at is null")).length > 0;
    await until(begun);
    await cluster.the("monitors").kill();
    await until(async () => {
      const rows = await query(
        cluster.databaseUrl,
        "select 1 from monitors.check where ended_at is not null",
      );
      return rows.length >= MONITORS;
    });
    for (const id of ids) {
      const checks = await checksOf(id);
      assert.deepEqual(
        checks.map(({ outcome, attempts }) => [outcome, attempts]),
        [["established", 1]],
      );
    }
    const runs = await query(cluster.databaseUrl, "select 1 from runs.run");
    assert.equal(runs.length, MONITORS, "a run each");
  });
});
