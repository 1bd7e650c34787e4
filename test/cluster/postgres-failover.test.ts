import assert from "node:assert/strict";
import { CORE_SERVICES } from "../../shared/environment/variables.ts";
import { FleetRuns, type Submitted } from "../support/drivers/fleet-runs.ts";
import { FleetSite } from "../support/fixtures/sites/fleet-site.ts";
import { Cluster } from "../support/servers/nodes/cluster.ts";
import { PostgresServer, query } from "../support/servers/postgres-server.ts";
import { needs } from "../support/servers/server-programs.ts";

const PAGES = 4;
const PAGE_CONCURRENCY = 2;
const SMALL_RUNS = 8;

describe("A fleet on a PostgreSQL primary with a synchronous standby", () => {
  needs("nats-server", "postgresql");
  let primary: PostgresServer;
  let standby: PostgresServer;
  let cluster: Cluster;
  let site: FleetSite;
  let database: string;

  before(async () => {
    primary = await PostgresServer.start();
    database = new URL(await primary.createDatabase()).pathname.slice(1);
    standby = await PostgresServer.start({ of: primary });
    const hosts = `127.0.0.1:${standby.port},127.0.0.1:${primary.port}`;
    const url = `postgres://postgres@${hosts}/${database}?target_session_attrs=read-write`;
    site = await FleetSite.start(PAGES);
    cluster = await Cluster.start({
      layout: [["gateway"], [...CORE_SERVICES], ["differ", "renderer"]],
      databaseUrl: url,
      env: { RENDER_CONCURRENCY: String(PAGE_CONCURRENCY) },
    });
  });
  after(() => Promise.all([cluster?.stop(), site?.stop(), primary?.close(), standby?.close()]));
  afterEach(function () {
    if (this.currentTest?.isFailed()) console.log(cluster.output());
  });

  it("connects to the primary, which DATABASE_URL names last", async () => {
    const runs = new FleetRuns(cluster, site, "failover");
    await runs.approveBaselines();
    await runs.ends(await runs.submit(), "a run before the failover");
  });

  it("loses nothing that it accepted when the standby takes over in the middle of runs", async () => {
    const runs = new FleetRuns(cluster, site, "failover");
    site.change();
    site.hold();
    const small = { routes: ["/0"], partial: true };
    const accepted: Submitted[] = [await runs.submit()];
    for (let count = 0; count < SMALL_RUNS; count++)
      accepted.push(await runs.submit(small, `before-${count}`));
    const during = runs.submit(small, "during");
    await primary.kill();
    await standby.promote();
    site.release();
    await during.catch(() => {});
    // A repeat with the same key is the same run, whether or not the first request was answered.
    accepted.push(await runs.submit(small, "during"));
    for (const [index, run] of accepted.entries())
      await runs.ends(
        run,
        index === 0 ? "the standby took over" : null,
        index === 0 ? undefined : { changed: 1 },
      );
    const rows = await query(standby.url(database), "select id from runs.run where project = 'failover'");
    assert.equal(rows.length, 2 + accepted.length);
  });
});
