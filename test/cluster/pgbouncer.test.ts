import assert from "node:assert/strict";
import { CORE_SERVICES } from "../../shared/config.ts";
import { DatabaseNode } from "../support/databases/database-node.ts";
import { createMigratedDatabase } from "../support/databases/migrated-database.ts";
import { FleetRuns } from "../support/drivers/fleet-runs.ts";
import { FleetSite } from "../support/fixtures/sites/fleet-site.ts";
import { Cluster } from "../support/servers/cluster.ts";
import { PgBouncer } from "../support/servers/pg-bouncer.ts";
import { createDatabase, query } from "../support/servers/postgres-server.ts";
import { needs } from "../support/servers/server-programs.ts";

const PAGES = 3;
const RUNS = 4;

describe("A fleet behind PgBouncer", () => {
  needs("nats-server", "database", "pgbouncer");
  let direct: string;
  let bouncer: PgBouncer | null = null;

  beforeEach(async () => {
    direct = await createDatabase();
  });
  afterEach(async () => {
    await bouncer?.close();
    bouncer = null;
  });

  it("completes concurrent runs with transaction pooling and fewer connections than services", async () => {
    bouncer = await PgBouncer.start(await createMigratedDatabase(), "transaction");
    const site = await FleetSite.start(PAGES);
    const cluster = await Cluster.start({
      layout: [["gateway"], [...CORE_SERVICES], ["differ", "renderer"]],
      databaseUrl: bouncer.url(),
    });
    try {
      const runs = new FleetRuns(cluster, site, "pooled");
      await runs.approveBaselines();
      site.change();
      const submitted = await Promise.all(Array.from({ length: RUNS }, () => runs.submit()));
      for (const run of submitted) await runs.ends(run, null);
    } catch (error) {
      console.log(cluster.output());
      throw error;
    } finally {
      await Promise.all([cluster.stop(), site.stop()]);
    }
  });

  it("migrates without the limits of a service whose connection it gets", async () => {
    bouncer = await PgBouncer.start(direct, "transaction");
    // As a service leaves it behind: the next client of the pooler gets this connection.
    await query(bouncer.url(), "set statement_timeout = 1");
    const node = new DatabaseNode({ DATABASE_URL: bouncer.url() });
    await node.broker.start();
    await node.broker.stop();
    assert.equal((await query(direct, "select from sample.migration")).length, 1);
  });

  it("refuses to start with statement pooling, and says what to change", async () => {
    bouncer = await PgBouncer.start(direct, "statement");
    await assert.rejects(
      new DatabaseNode({ DATABASE_URL: bouncer.url() }).broker.start(),
      /Set pool_mode=transaction or pool_mode=session in PgBouncer/,
    );
  });

  it("refuses to start with a database that PgBouncer doesn't know", async () => {
    bouncer = await PgBouncer.start(direct, "transaction");
    await assert.rejects(
      new DatabaseNode({ DATABASE_URL: bouncer.url("nowhere") }).broker.start(),
      /Add the database and the user of DATABASE_URL to PgBouncer's configuration/,
    );
  });
});
