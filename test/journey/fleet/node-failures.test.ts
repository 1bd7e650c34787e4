import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { FleetRuns, type Submitted } from "../../support/drivers/fleet-runs.ts";
import { TableHold } from "../../support/drivers/table-hold.ts";
import { until } from "../../support/drivers/until.ts";
import { FleetSite } from "../../support/fixtures/sites/fleet-site.ts";
import { Cluster } from "../../support/servers/nodes/cluster.ts";
import type { ClusterNode } from "../../support/servers/nodes/cluster-node.ts";
import { query } from "../../support/servers/postgres-server.ts";
import { needs } from "../../support/servers/server-programs.ts";

const PAGES = 6;
const PAGE_CONCURRENCY = 2;
/** Longer than a queue waits for a silent node. */
const LONG_CUT_MS = 12_000;
const STORE_AWAY_MS = 10_000;

describe("A fleet with failing nodes", () => {
  needs("nats-server", "postgresql");
  let cluster: Cluster;
  let site: FleetSite;
  let runs: FleetRuns;
  let renderers: ClusterNode[];

  before(async () => {
    const env = { RENDER_CONCURRENCY: String(PAGE_CONCURRENCY) };
    [cluster, site] = await Promise.all([Cluster.start({ env }), FleetSite.start(PAGES)]);
    runs = new FleetRuns(cluster, site, "faults");
    renderers = cluster.with("renderer");
    await runs.approveBaselines();
    await runs.ends(await runs.submit(), "a run of unchanged pages");
  });
  after(() => Promise.all([cluster?.stop(), site?.stop()]));

  beforeEach(() => site.change());
  afterEach(async function () {
    if (this.currentTest?.isFailed()) console.log(cluster.output());
    site.release();
    await cluster.repair();
  });

  /** Submits a run and waits until every renderer is rendering its pages. They stay there until `release`. */
  async function submitAndHold(): Promise<Submitted> {
    site.hold();
    const run = await runs.submit();
    await until(() => site.waiting >= PAGE_CONCURRENCY * renderers.length);
    return run;
  }

  /**
   * Submits a run and stops the differ, so that all pages are rendered, and comparisons are running or
   * waiting.
   */
  async function submitAndHoldComparisons(): Promise<Submitted> {
    cluster.the("differ").pause();
    const run = await runs.submit();
    await runs.reaches(run, ({ status }) => status === "comparing");
    return run;
  }

  async function restart(node: ClusterNode): Promise<void> {
    await node.kill();
    await node.start();
  }

  it("renders, compares, and reviews like a single node without failures", async () => {
    await runs.ends(await runs.submit(), "a run of changed pages");
  });

  it("accepts a body of the gateway's maximum size", async () => {
    const network = Array.from({ length: 4 }, (_, index) => ({
      url: `**/large/${index}`,
      action: "fulfil" as const,
      contentType: "text/plain",
      // Random letters, which compression hardly makes smaller.
      body: randomBytes(190_000).toString("base64"),
    }));
    const body = { routes: ["/0", "/1"], options: { network }, project: "large" };
    assert.ok(JSON.stringify(runs.body(body)).length > 1_000_000);
    await runs.ends(await runs.submit(body), "a run with a body of 1 MB", { new: 2 });
  });

  it("completes a run whose renderer is killed while it captures", async () => {
    const run = await submitAndHold();
    const [renderer] = renderers;
    assert.ok(renderer);
    await renderer.kill();
    site.release();
    await renderer.start();
    await runs.ends(run, "a renderer was killed");
  });

  it("completes a run whose differ is killed while it compares", async () => {
    const run = await submitAndHoldComparisons();
    await restart(cluster.the("differ"));
    await runs.ends(run, "the differ was killed");
  });

  describe("completes a run whose runs node is killed", () => {
    it("after it accepted a run", async () => {
      const run = await runs.submit();
      await restart(cluster.the("runs"));
      await runs.ends(run, "the runs were killed at the start");
    });

    it("while pages are rendered", async () => {
      const run = await submitAndHold();
      await cluster.the("runs").kill();
      site.release();
      await cluster.the("runs").start();
      await runs.ends(run, "the runs were killed while pages were rendered");
    });

    it("between storing captures and queueing their comparisons", async () => {
      const hold = await TableHold.ofUpdates(
        cluster.databaseUrl,
        "runs.screenshot",
        "new.captured_at is not null",
      );
      const run = await runs.submit();
      await hold.caught();
      await cluster.the("runs").kill();
      await hold.release();
      await cluster.the("runs").start();
      await runs.ends(run, "the runs were killed before comparisons were queued");
    });

    it("while pages are compared", async () => {
      const run = await submitAndHoldComparisons();
      await cluster.the("runs").kill();
      cluster.the("differ").resume();
      await cluster.the("runs").start();
      await runs.ends(run, "the runs were killed while pages were compared");
    });

    it("just before it completes a run", async () => {
      const ends = "new.completed_at is not null and old.completed_at is null";
      const hold = await TableHold.ofUpdates(cluster.databaseUrl, "runs.run", ends);
      const run = await runs.submit();
      await hold.caught();
      await cluster.the("runs").kill();
      await hold.release();
      await cluster.the("runs").start();
      await runs.ends(run, "the runs were killed just before the end");
    });
  });

  it("creates one run for a submission whose gateway is killed before it responds", async () => {
    const key = "gateway-killed";
    const hold = await TableHold.ofUpdates(cluster.databaseUrl, "runs.screenshot");
    const at = Date.now();
    const lost = assert.rejects(runs.submit({}, key));
    await hold.caught();
    await cluster.the("gateway").kill();
    await lost;
    await hold.release();
    await cluster.the("gateway").start();
    await cluster.ready();
    const { id } = await runs.submit({}, key);
    await runs.ends({ id, at }, "the gateway was killed before its answer");
    const rows = await query(cluster.databaseUrl, "select id from runs.run where idempotency_key = $1", [
      key,
    ]);
    assert.deepEqual(rows, [{ id }]);
  });

  it("completes a run over a restart of NATS", async () => {
    const run = await submitAndHold();
    await cluster.nats.kill();
    site.release();
    await cluster.nats.start();
    await runs.ends(run, "NATS was restarted");
  });

  it("completes a run over a restart of NATS that loses its store", async () => {
    const run = await submitAndHold();
    await cluster.nats.kill();
    site.release();
    await cluster.nats.start({ keepStore: false });
    await runs.ends(run, "NATS lost its store");
  });

  it("completes a run over a restart of PostgreSQL", async () => {
    const run = await submitAndHold();
    await cluster.postgres.kill();
    site.release();
    await cluster.postgres.start();
    await runs.ends(run, "PostgreSQL was restarted");
  });

  it("completes a run while the image store rejects connections for ten seconds", async () => {
    const run = await submitAndHold();
    await cluster.s3.refuse();
    site.release();
    await delay(STORE_AWAY_MS);
    await cluster.s3.accept();
    await runs.ends(run, "the image store refused for ten seconds");
  });

  it("completes a run whose renderer is suspended for a while", async () => {
    const run = await submitAndHold();
    const [renderer] = renderers;
    assert.ok(renderer);
    renderer.pause();
    site.release();
    await delay(LONG_CUT_MS);
    const view = runs.ends(run, "a renderer was cut off");
    renderer.resume();
    await view;
    await renderer.waitReady();
    site.change();
    await runs.ends(await runs.submit(), "the run after that");
  });
});
