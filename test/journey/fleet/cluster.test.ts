import assert from "node:assert/strict";
import { makeKey } from "../../../shared/api-keys.ts";
import { CORE_SERVICES, SERVICE_NAMES } from "../../../shared/environment/variables.ts";
import { addTeam } from "../../support/contexts/add-team.ts";
import { TEST_SECRET_KEY } from "../../support/drivers/api-access.ts";
import { FleetRuns } from "../../support/drivers/fleet-runs.ts";
import { until } from "../../support/drivers/until.ts";
import { FleetSite } from "../../support/fixtures/sites/fleet-site.ts";
import { NatsServer } from "../../support/servers/nats-server.ts";
import { Cluster } from "../../support/servers/nodes/cluster.ts";
import { ClusterNode } from "../../support/servers/nodes/cluster-node.ts";
import { createDatabase, query } from "../../support/servers/postgres-server.ts";
import { needs } from "../../support/servers/server-programs.ts";

const PAGES = 8;
/** Long enough to still be running when a later small run has ended. */
const LONG_RUN = 300;
const FEW_ROUTES = 5;

describe("A fleet of two nodes that start on an empty database concurrently", () => {
  needs("nats-server", "database");
  let cluster: Cluster;
  let site: FleetSite;

  before(async () => {
    [cluster, site] = await Promise.all([
      Cluster.start({ layout: [[...SERVICE_NAMES], [...SERVICE_NAMES]], sharedDatabase: true }),
      FleetSite.start(PAGES),
    ]);
  });
  after(() => Promise.all([cluster?.stop(), site?.stop()]));

  it("creates each table once, and shares runs between the nodes", async () => {
    for (const schema of CORE_SERVICES) {
      const sql = `select name, count(*)::int as times from ${schema}.migration group by name`;
      const made = await query(cluster.databaseUrl, sql);
      assert.ok(made.length > 0 && made.every(({ times }) => times === 1), JSON.stringify(made));
    }
    const runs = new FleetRuns(cluster, site, "pair");
    await runs.approveBaselines();
    site.change();
    await runs.ends(await runs.submit(), "a run on two nodes with all services");
  });

  it("completes a short run before an earlier long one, of the same team and of another", async () => {
    const key = makeKey();
    await addTeam((sql, values) => query(cluster.databaseUrl, sql, values), key);
    const client = cluster.client();
    const large = await FleetSite.start(LONG_RUN);
    try {
      const routes = large.routes;
      const long = await client.submitRun({ url: large.url, routes, viewports: [375], project: "long" });
      await until(async () => (await client.getRun(long.id)).progress.captured > 0);
      for (const caller of [client, cluster.client(key)]) {
        const startedAt = Date.now();
        const few = {
          url: large.url,
          routes: routes.slice(0, FEW_ROUTES),
          viewports: [375],
          project: "short",
        };
        const short = await caller.waitForRun((await caller.submitRun(few)).id, { intervalMs: 50 });
        assert.deepEqual([short.status, short.counts.new], ["completed", FEW_ROUTES]);
        const { completedAt, progress } = await client.getRun(long.id);
        assert.equal(completedAt, null, "the long run is still under way");
        const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
        console.log(
          `      a run of ${FEW_ROUTES} behind one of ${LONG_RUN}: ${seconds} s, of the other ${progress.captured} done`,
        );
      }
      await cluster.request(`/v1/runs/${long.id}/cancel`, { method: "POST" });
      const canceled = await client.getRun(long.id);
      assert.equal(canceled.status, "canceled");
    } finally {
      await large.stop();
    }
  });

  it("starts in any order: a renderer waits for NATS and its queues, and needs no database", async () => {
    const nats = await NatsServer.prepare();
    const common = { NATS_URL: nats.url, IMAGE_STORE_URL: cluster.s3.url, ...cluster.s3.credentials };
    // No server listens there.
    const nowhere = "postgres://nobody@127.0.0.1:9/none";
    const renderer = await ClusterNode.of(["renderer"], { ...common, DATABASE_URL: nowhere });
    const core = await ClusterNode.of([...CORE_SERVICES], {
      ...common,
      DATABASE_URL: await createDatabase(),
      SERVICE_SECRET_KEY: TEST_SECRET_KEY,
    });
    try {
      renderer.launch();
      await until(() => renderer.output.includes("NATS"));
      await assert.rejects(renderer.fetch("/health").then(health => assert.ok(health.ok)));
      await nats.start();
      await core.start();
      await renderer.waitReady();
    } finally {
      await Promise.all([renderer.kill(), core.kill()]);
      await nats.close();
    }
  });
});
