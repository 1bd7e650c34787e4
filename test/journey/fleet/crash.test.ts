import assert from "node:assert/strict";
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { after, before, describe, it } from "mocha";
import { EMBEDDED } from "../../support/databases/databases.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { Site } from "../../support/fixtures/site.ts";

const ROUTES = 9;
const VIEWPORTS = [375, 800];

describe("A crash at any moment", () => {
  let vrs: Vrs;
  let site: Site;
  let version = "first";

  before(async () => {
    [vrs, site] = await Promise.all([Vrs.start({}, EMBEDDED), Site.start()]);
    for (let index = 0; index < ROUTES; index += 1) {
      site.pages.set(`/${index}`, (_req, res) => {
        const changed = version === "second" && index % 3 === 0;
        const body = `<h1>Page ${index}</h1><div style="height:300px;background:${changed ? "#c33" : "#36c"}"></div>`;
        res.writeHead(200, { "Content-Type": "text/html" }).end(body);
      });
    }
  });
  after(() => Promise.all([vrs?.stop(), site?.stop()]));

  const submit = () =>
    vrs
      .client()
      .submitRun({ url: site.url, routes: [...site.pages.keys()], viewports: VIEWPORTS, project: "crash" });

  /** Kills the service after each of these times of rendering, restarts it, and waits for the run's end. */
  async function killedAfter(timesMs: number[]) {
    const { id } = await submit();
    for (const timeMs of timesMs) {
      await delay(timeMs);
      await vrs.kill();
      await vrs.start();
    }
    return vrs.client().waitForRun(id);
  }

  it("loses no accepted run, and none of its results", async () => {
    const view = await killedAfter([0, 300]);
    assert.equal(view.status, "completed");
    assert.equal(view.conclusion, "new");
    assert.equal(view.counts.new, ROUTES * VIEWPORTS.length);
  });

  it("keeps approved baselines and compares with them right afterwards", async () => {
    const [run] = (await (await vrs.request("/v1/runs")).json()).data;
    const approved = vrs.client().approve(run.id);
    assert.equal((await approved).approved, ROUTES * VIEWPORTS.length);
    await vrs.kill();
    await vrs.start();
    version = "second";
    const view = await killedAfter([500]);
    assert.equal(view.conclusion, "changed");
    assert.deepEqual(view.counts, { unchanged: 12, minor: 0, changed: 6, new: 0, removed: 0, failed: 0 });
  });

  it("resumes comparisons that were running", async () => {
    version = "first";
    const { id } = await submit();
    let seen = await vrs.client().getRun(id);
    while (seen.progress.captured < seen.progress.total / 2) {
      await delay(20);
      seen = await vrs.client().getRun(id);
    }
    await vrs.kill();
    await vrs.start();
    const view = await vrs.client().waitForRun(id);
    assert.equal(view.conclusion, "passed");
  });

  it("keeps a second process from the same data, even one with its own temporary folder, like a container", async () => {
    const second = async (env: Record<string, string>) => {
      const started = await Vrs.start({ SERVICE_DATA_DIR: vrs.dataDir, ...env }, EMBEDDED);
      await started.stop();
    };
    await assert.rejects(second({}), /in use by another vrs process/);
    await assert.rejects(second({ TMPDIR: vrs.dataDir }), /in use by another vrs process/);
  });

  it("stops gracefully on SIGTERM", async () => {
    const { id } = await submit();
    await vrs.terminate();
    assert.doesNotMatch(vrs.output, /"level":(50|60)/, "nothing went wrong on the way out");
    await vrs.start();
    assert.equal((await vrs.client().waitForRun(id)).conclusion, "passed");
  });

  it("keeps running while images can't be stored, and reveals no file paths", async () => {
    const images = join(vrs.dataDir, "images");
    await rename(images, `${images}.away`);
    await writeFile(images, "in the way");
    site.pages.set("/unseen", "<h1>Never rendered before</h1>");
    const routes = ["/unseen"];
    const { id } = await vrs
      .client()
      .submitRun({ url: site.url, routes, viewports: VIEWPORTS, project: "full" });
    const view = await vrs.client().waitForRun(id);
    assert.equal(view.status, "failed");
    for (const { error } of await vrs.client().listScreenshots(id)) {
      assert.match(error ?? "", /an internal error/);
      assert.ok(!error?.includes(vrs.dataDir), `${error}`);
    }
    site.pages.delete("/unseen");
    await rm(images);
    await rename(`${images}.away`, images);
  });
});
