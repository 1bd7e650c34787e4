import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";
import { CORE_SERVICES } from "../../shared/environment/variables.ts";
import { DatabaseNode } from "../support/databases/database-node.ts";
import { createMigratedDatabase } from "../support/databases/migrated-database.ts";
import { FleetRuns } from "../support/drivers/fleet-runs.ts";
import { until } from "../support/drivers/until.ts";
import { FleetSite } from "../support/fixtures/sites/fleet-site.ts";
import { Cluster } from "../support/servers/nodes/cluster.ts";
import { PgBouncer } from "../support/servers/pg-bouncer.ts";
import { createDatabase, query } from "../support/servers/postgres-server.ts";
import { needs } from "../support/servers/server-programs.ts";

const PAGES = 3;
const RUNS = 4;
/** Longer than a statement that waits for nothing. */
const LIMIT_MS = 1_000;

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
    await query(bouncer.url(), `set statement_timeout = ${LIMIT_MS}`);
    // Another node migrates for longer than that.
    const other = new Client({ connectionString: direct });
    await other.connect();
    await other.query("begin; select pg_advisory_xact_lock(x'767273'::int)");
    const node = new DatabaseNode({ DATABASE_URL: bouncer.url() });
    const started = node.broker.start();
    const waiting = "select from pg_stat_activity where wait_event = 'advisory'";
    await until(async () => (await query(direct, waiting)).length === 1);
    await delay(2 * LIMIT_MS);
    await other.end();
    await started;
    await node.broker.stop();
    assert.deepEqual(node.warnings, []);
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
