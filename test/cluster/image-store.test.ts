import assert from "node:assert/strict";
import { CORE_SERVICES } from "../../shared/environment/variables.ts";
import { FleetRuns } from "../support/drivers/fleet-runs.ts";
import { until } from "../support/drivers/until.ts";
import { FleetSite } from "../support/fixtures/sites/fleet-site.ts";
import { FaultyStore } from "../support/servers/faulty-store.ts";
import { Cluster } from "../support/servers/nodes/cluster.ts";
import { S3Server } from "../support/servers/s3-server.ts";
import { needs } from "../support/servers/server-programs.ts";

const PAGES = 4;
const SLOW_MS = 400;
/** Each request of the client has three attempts. */
const REJECTIONS = 12;
/** More than one download looks for: an image has three places. */
const LOST_READS = 4;

describe("A fleet on an unreliable image store", () => {
  needs("nats-server", "database");
  let s3: S3Server;
  let store: FaultyStore;
  let cluster: Cluster;
  let site: FleetSite;
  let runs: FleetRuns;

  before(async () => {
    s3 = await S3Server.start();
    store = await FaultyStore.start(s3.endpoint);
    site = await FleetSite.start(PAGES);
    cluster = await Cluster.start({
      layout: [["gateway"], [...CORE_SERVICES], ["differ", "renderer"]],
      sharedDatabase: true,
      env: {
        IMAGE_STORE_URL: s3.url.replace(encodeURIComponent(s3.endpoint), encodeURIComponent(store.endpoint)),
      },
    });
    runs = new FleetRuns(cluster, site, "store");
    await runs.approveBaselines();
  });
  after(() => Promise.all([cluster?.stop(), site?.stop(), store?.close(), s3?.close()]));
  beforeEach(() => {
    store.faults = 0;
    site.change();
  });
  afterEach(function () {
    store.recover();
    if (this.currentTest?.isFailed()) console.log(cluster.output());
  });

  it("completes a run while every request takes long", async () => {
    store.delayMs = SLOW_MS;
    await runs.ends(await runs.submit(), "a slow store");
  });

  it("completes a run after the store rejected requests as too many", async () => {
    store.rejects = true;
    const run = await runs.submit();
    await until(() => store.faults >= REJECTIONS);
    store.recover();
    await runs.ends(run, "a store that rejected requests");
  });

  it("compares pages although the store didn't find a baseline for a while", async () => {
    store.lostReads = LOST_READS;
    await runs.ends(await runs.submit(), "a store that lost reads");
    assert.equal(store.faults, LOST_READS);
  });

  it("compares whole images although reads ended in their middle", async () => {
    store.cutReads = 2;
    await runs.ends(await runs.submit(), "a store whose reads broke off");
    assert.equal(store.faults, 2);
  });
});
