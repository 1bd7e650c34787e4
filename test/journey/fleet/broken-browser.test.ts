import assert from "node:assert/strict";
import { CORE_SERVICES } from "../../../shared/environment/variables.ts";
import { FleetRuns } from "../../support/drivers/fleet-runs.ts";
import { until } from "../../support/drivers/until.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { FleetSite } from "../../support/fixtures/sites/fleet-site.ts";
import { Cluster } from "../../support/servers/nodes/cluster.ts";
import { needs } from "../../support/servers/server-programs.ts";

const PAGES = 12;
/** A program that starts but is not a browser. */
const BROKEN = { CHROMIUM_PATH: "/bin/false" };

describe("A node whose browser doesn't start", () => {
  let site: FleetSite;

  before(async () => {
    site = await FleetSite.start(PAGES);
  });
  after(() => site?.stop());

  describe("in a fleet", () => {
    needs("nats-server", "database");
    let cluster: Cluster;

    before(async () => {
      cluster = await Cluster.start({
        layout: [["gateway"], [...CORE_SERVICES], ["differ"]],
        ready: false,
        sharedDatabase: true,
      });
    });
    after(() => cluster?.stop());

    it("takes no jobs, logs that once, and leaves all pages to another renderer", async () => {
      const broken = await cluster.prepare(["renderer"], BROKEN);
      // It is unhealthy from the start.
      broken.launch();
      await cluster.ready();
      const runs = new FleetRuns(cluster, site, "broken");
      const run = await runs.submit();
      await until(async () => (await broken.fetch("/ready")).status === 503);
      assert.match(await (await broken.fetch("/ready")).text(), /No browser starts on this node/);
      await cluster.node(["renderer"]);
      await runs.ends(run, "one of two renderers had no browser", { new: PAGES });
      assert.equal(broken.output.split("takes no jobs until a browser starts").length - 1, 1);
      assert.equal((await broken.fetch("/live")).status, 200);
    });
  });

  it("fails the page without naming its files if it is the only renderer", async () => {
    const vrs = await Vrs.start(BROKEN);
    try {
      const client = vrs.client();
      const { id } = await client.submitRun({
        url: site.url,
        routes: ["/0"],
        viewports: [320],
        project: "only",
      });
      await client.waitForRun(id);
      const errors = (await client.listScreenshots(id)).map(({ error }) => error);
      assert.deepEqual(errors, ["No browser could be started. The operator can find the reason in the log."]);
    } finally {
      await vrs.stop();
    }
  });
});
