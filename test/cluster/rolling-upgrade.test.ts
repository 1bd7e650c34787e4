import assert from "node:assert/strict";
import { join } from "node:path";
import { CORE_SERVICES } from "../../shared/environment/variables.ts";
import { FleetRuns, type Submitted } from "../support/drivers/fleet-runs.ts";
import { until } from "../support/drivers/until.ts";
import { FleetSite } from "../support/fixtures/sites/fleet-site.ts";
import { Cluster } from "../support/servers/nodes/cluster.ts";
import { checkOutPreviousVersion, type PreviousVersion } from "../support/servers/nodes/previous-version.ts";
import { needs } from "../support/servers/server-programs.ts";

const PAGES = 4;
const LAYOUT = [["gateway"], [...CORE_SERVICES], ["differ", "renderer"]];

describe("A fleet that is upgraded node by node", () => {
  needs("nats-server", "database");
  let previous: PreviousVersion;
  let cluster: Cluster;
  let site: FleetSite;

  before(async () => {
    previous = await checkOutPreviousVersion();
    site = await FleetSite.start(PAGES);
    cluster = await Cluster.start({
      layout: LAYOUT.map(services => ({ services, env: {}, root: previous.root })),
      sharedDatabase: true,
      env: { RENDER_CONCURRENCY: "1" },
    });
  });
  after(() => Promise.all([cluster?.stop(), site?.stop(), previous?.remove()]));
  afterEach(function () {
    site.release();
    if (this.currentTest?.isFailed()) console.log(cluster.output());
  });

  it("completes runs while old and new nodes work together, and after the old ones left", async () => {
    const runs = new FleetRuns(cluster, site, "upgrade");
    await runs.approveBaselines();
    const [, oldCore, oldWorker] = cluster.nodes;
    assert.ok(oldCore && oldWorker);

    // The old core node's jobs run on a renderer of each version.
    const worker = await cluster.node(["differ", "renderer"]);
    site.change();
    site.hold();
    const submitted: Submitted[] = [await runs.submit()];
    await until(() => site.waiting === 2);
    site.release();
    for (const run of submitted) await runs.ends(run, "old core node, both versions of workers");

    // The new core node's jobs run on the old worker only.
    await worker.terminate();
    await cluster.node([...CORE_SERVICES]);
    await oldCore.terminate();
    site.change();
    await runs.ends(await runs.submit(), "new core node, old worker");

    await worker.start();
    await oldWorker.terminate();
    site.change();
    await runs.ends(await runs.submit(), "new core node, new worker, old gateway");
  });

  it("refuses a node whose contracts are too new, which says so and ends", async () => {
    const preload = join(import.meta.dirname, "../support/drivers/newer-contracts.ts");
    const node = await cluster.prepare(["differ"], { NODE_OPTIONS: `--import=${preload}` });
    node.launch();
    await until(() => node.ended);
    assert.notEqual(node.exitCode, 0);
    assert.match(node.output, /They can't work together\. Stop all nodes of the older version/);
  });
});
