import assert from "node:assert/strict";
import { CORE_SERVICES } from "../../shared/environment/variables.ts";
import { FleetRuns, type Submitted } from "../support/drivers/fleet-runs.ts";
import { until } from "../support/drivers/until.ts";
import { FleetSite } from "../support/fixtures/sites/fleet-site.ts";
import { NatsCluster } from "../support/servers/nats-cluster.ts";
import { Cluster } from "../support/servers/nodes/cluster.ts";
import { query } from "../support/servers/postgres-server.ts";
import { needs } from "../support/servers/server-programs.ts";

const PAGES = 4;
const PAGE_CONCURRENCY = 1;
const CAPTURES = "vrs-capture";

describe("A fleet on a cluster of three NATS servers, with streams of three replicas", () => {
  needs("nats-server", "database");
  let nats: NatsCluster;
  let cluster: Cluster;
  let site: FleetSite;
  let runs: FleetRuns;

  before(async () => {
    nats = await NatsCluster.start();
    site = await FleetSite.start(PAGES);
    cluster = await Cluster.start({
      layout: [["gateway"], [...CORE_SERVICES], ["differ", "renderer"], ["renderer"]],
      sharedDatabase: true,
      env: { RENDER_CONCURRENCY: String(PAGE_CONCURRENCY), NATS_URL: nats.url, NATS_REPLICAS: "3" },
    });
    runs = new FleetRuns(cluster, site, "replicas");
    await runs.approveBaselines();
  });
  after(() => Promise.all([cluster?.stop(), site?.stop(), nats?.close()]));
  beforeEach(() => site.change());
  afterEach(async function () {
    if (this.currentTest?.isFailed()) console.log(cluster.output());
    site.release();
    nats.heal();
    for (const name of nats.names) if (nats.server(name).ended) await nats.server(name).start();
    await cluster.ready();
  });

  /** Submits a run and waits until both renderers hold a page. */
  async function submitAndHold(): Promise<Submitted> {
    site.hold();
    const run = await runs.submit();
    await until(() => site.waiting >= 2 * PAGE_CONCURRENCY);
    return run;
  }

  /** Checks that the run concluded once and that each screenshot was counted once. */
  async function endsOnce(run: Submitted, what: string): Promise<void> {
    const view = await runs.ends(run, what);
    const counted = await query(
      cluster.databaseUrl,
      "select count(*)::int as runs, sum(screenshots)::int as screenshots from billing.counted_run where run_id = $1",
      [view.id],
    );
    assert.deepEqual(counted, [{ runs: 1, screenshots: PAGES }]);
  }

  it("concludes a run, and nothing twice, when the leader of its stream is killed", async () => {
    const run = await submitAndHold();
    await nats.server(await nats.leaderOf(CAPTURES)).kill();
    site.release();
    await endsOnce(run, "the leader was killed");
  });

  it("concludes a run, and nothing twice, when the leader of its stream is partitioned", async () => {
    const run = await submitAndHold();
    const cut = await nats.leaderOf(CAPTURES);
    nats.partition(cut);
    site.release();
    // The others elect another leader. The cut one keeps its clients.
    assert.notEqual(await nats.leaderOf(CAPTURES), cut);
    nats.heal();
    await endsOnce(run, "the leader was partitioned");
  });
});
