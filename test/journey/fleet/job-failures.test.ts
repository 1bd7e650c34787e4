import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { connect, type NatsConnection } from "nats";
import { JOB_NAMES } from "../../../shared/contracts/runs/jobs.ts";
import { CORE_SERVICES } from "../../../shared/environment/variables.ts";
import { FleetRuns } from "../../support/drivers/fleet-runs.ts";
import { until } from "../../support/drivers/until.ts";
import { FleetSite } from "../../support/fixtures/sites/fleet-site.ts";
import { TcpProxy } from "../../support/servers/http/tcp-proxy.ts";
import { Cluster } from "../../support/servers/nodes/cluster.ts";
import type { ClusterNode } from "../../support/servers/nodes/cluster-node.ts";
import { needs } from "../../support/servers/server-programs.ts";

const PAGES = 6;
/** Longer than a queue waits for a silent node. */
const LONG_CUT_MS = 12_000;
const TOO_MUCH_BYTES = 400_000_000;
/** The page takes more memory than that, and keeps it. */
const HUNGRY = `<!doctype html><h1>Hungry</h1><script>
  const all = []; for (let i = 1; i <= 50; i++) all.push(new Uint8Array(10_000_000).fill(i));
  for (;;) all[0][0] = Math.random();
</script>`;
const AGAIN_AFTER_MS = 1_500;
/** Listing all processes is work, and the browser's memory keeps growing. */
const POLL_INTERVAL_MS = 250;

describe("A fleet with failing jobs", () => {
  needs("nats-server", "database");
  let cluster: Cluster;
  let site: FleetSite;
  let runs: FleetRuns;
  let proxy: TcpProxy;
  let renderer: ClusterNode;

  before(async () => {
    const layout = [["gateway"], [...CORE_SERVICES], ["differ"]];
    [cluster, site] = await Promise.all([
      Cluster.start({ layout, ready: false, sharedDatabase: true }),
      FleetSite.start(PAGES),
    ]);
    proxy = await TcpProxy.start(cluster.nats.port);
    renderer = await cluster.node(["renderer"], { NATS_URL: `nats://127.0.0.1:${proxy.port}` });
    await cluster.ready();
    runs = new FleetRuns(cluster, site, "work");
    await runs.approveBaselines();
  });
  after(() => Promise.all([cluster?.stop(), site?.stop(), proxy?.stop()]));

  beforeEach(() => site.change());
  afterEach(async function () {
    if (this.currentTest?.isFailed()) console.log(cluster.output());
    site.onAsked = () => {};
    site.release();
    await cluster.repair();
  });

  /**
   * Kills every browser of the renderer that takes too much memory. @returns how many were killed, once
   * stopped
   */
  async function killWhile(signal: AbortSignal): Promise<number> {
    let killed = 0;
    while (!signal.aborted) {
      if (await renderer.killBrowserOver(TOO_MUCH_BYTES)) killed += 1;
      await delay(POLL_INTERVAL_MS);
    }
    return killed;
  }

  it("counts each screenshot once when every message comes twice", async () => {
    const connection = await connect({ servers: cluster.nats.url });
    try {
      const doubled = doubleEveryJob(connection);
      const before = site.requested.length;
      // The second capture differs from the first.
      site.onAsked = () => site.change();
      const run = await runs.submit();
      const first = await runs.ends(run, "every message came twice");
      const screenshots = await cluster.client().listScreenshots(run.id);
      await until(async () => doubled.waiting === 0 && (await cluster.nats.isDrained()));
      assert.deepEqual([...doubled.names].sort(), [...JOB_NAMES].sort());
      // Both messages rendered each page: one load if it equals its baseline, four if each load differs.
      const asked = Object.groupBy(site.requested.slice(before), route => route);
      const loads = site.routes.map(route => asked[route]?.length ?? 0);
      assert.deepEqual(
        loads,
        site.routes.map((_, index) => (index % 2 === 0 ? 2 * 4 : 2)),
      );
      assert.deepEqual(await runs.ends(run, null), first, "what came late changed nothing");
      assert.deepEqual(await cluster.client().listScreenshots(run.id), screenshots);
    } finally {
      await connection.close();
    }
  });

  it("recovers when the network between a renderer and NATS drops everything for a while", async () => {
    site.hold();
    const run = await runs.submit();
    await until(() => site.waiting > 0);
    proxy.cut();
    site.release();
    await delay(LONG_CUT_MS);
    proxy.heal();
    await runs.ends(run, "the renderer's network was cut");
  });

  it("fails only the page that always crashes the browser", async () => {
    const ended = new AbortController();
    site.pages.set("/poison", HUNGRY);
    const killer = killWhile(ended.signal);
    const run = await runs.submit({ routes: [...site.routes, "/poison"], project: "poison" });
    await runs.ends(run, "a page took its browser down", { new: PAGES, failed: 1 });
    ended.abort();
    assert.ok((await killer) > 1);
    const failed = (await cluster.client().listScreenshots(run.id)).find(({ status }) => status === "failed");
    assert.deepEqual(
      [failed?.route, failed?.error],
      ["/poison", "The browser stopped while it rendered the page."],
    );
  });

  it("fails a page that always crashes its node, with the reason", async () => {
    let killed = 0;
    site.onAsked = route => {
      if (route !== "/3" || renderer.ended) return;
      killed += 1;
      // Like a supervisor.
      void renderer.kill().then(() => renderer.launch());
    };
    const run = await runs.submit({ project: "deadly" });
    await runs.ends(run, "a page took its node down", { new: PAGES - 1, failed: 1 });
    const failed = (await cluster.client().listScreenshots(run.id)).find(({ status }) => status === "failed");
    assert.equal(failed?.route, "/3");
    assert.match(failed?.error ?? "", /every node that tried stopped/);
    console.log(`      given up after ${killed} nodes: ${failed.error}`);
  });
});

/** Queues every job from now on a second time, under another id, when the first may be done. */
function doubleEveryJob(connection: NatsConnection): { names: Set<string>; waiting: number } {
  const doubled = { names: new Set<string>(), waiting: 0 };
  connection.subscribe("vrs.work.>", {
    callback: (_error, { subject, data, headers }) => {
      const id = headers?.get("Nats-Msg-Id") ?? "";
      if (!headers || id.endsWith("-again")) return;
      headers.set("Nats-Msg-Id", `${id}-again`);
      doubled.names.add(subject.split(".")[2] ?? "");
      doubled.waiting += 1;
      setTimeout(() => {
        doubled.waiting -= 1;
        if (!connection.isClosed()) connection.publish(subject, data, { headers });
      }, AGAIN_AFTER_MS);
    },
  });
  return doubled;
}
