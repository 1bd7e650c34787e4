import assert from "node:assert/strict";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findBrowser } from "../../../shared/capture/browser/browser-binary.ts";
import { type Fleet, fleet } from "../../../shared/contracts/fleet.ts";
import type { ScreenshotView } from "../../../shared/contracts/runs/screenshots.ts";
import { CORE_SERVICES } from "../../../shared/environment/variables.ts";
import { BROWSER_CACHE } from "../../support/drivers/runner.ts";
import { until } from "../../support/drivers/until.ts";
import { FleetSite } from "../../support/fixtures/sites/fleet-site.ts";
import { Cluster } from "../../support/servers/nodes/cluster.ts";
import type { ClusterNode } from "../../support/servers/nodes/cluster-node.ts";
import { query } from "../../support/servers/postgres-server.ts";
import { needs } from "../../support/servers/server-programs.ts";

const PAGES = 30;
const VIEWPORT = 375;
/** A browser flag that changes every pixel. */
const OTHER_COLORS = "--force-color-profile=color-spin-gamma24";

/** A program in place of the browser, which starts it with an additional flag. */
async function otherBrowser(folder: string): Promise<string> {
  const { executablePath, env } = await findBrowser({ chromiumPath: null, cacheDir: BROWSER_CACHE });
  const program = join(folder, "chromium");
  const settings = ["FONTCONFIG_FILE", "LD_LIBRARY_PATH"]
    .filter(name => env[name] !== undefined)
    .map(name => `export ${name}='${env[name]}'\n`);
  await writeFile(program, `#!/bin/sh\n${settings.join("")}exec '${executablePath}' "$@" ${OTHER_COLORS}\n`);
  await chmod(program, 0o755);
  return program;
}

describe("A fleet with two renderers that render differently", () => {
  needs("nats-server", "database");
  let cluster: Cluster;
  let site: FleetSite;
  let folder: string;
  let usual: ClusterNode;
  let other: ClusterNode;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "vrs-other-browser-"));
    const env = { CHROMIUM_PATH: await otherBrowser(folder), RENDER_CONCURRENCY: "1" };
    [cluster, site] = await Promise.all([
      Cluster.start({
        layout: [
          ["gateway"],
          [...CORE_SERVICES],
          ["differ"],
          { services: ["renderer"], env: { RENDER_CONCURRENCY: "2" } },
          { services: ["renderer"], env },
        ],
        // Its workers have only a worker's permissions.
        locked: true,
        sharedDatabase: true,
      }),
      FleetSite.start(PAGES),
    ]);
    const [first, second] = cluster.with("renderer");
    assert.ok(first && second);
    [usual, other] = [first, second];
    await until(async () => (await readFleet()).data.filter(({ fingerprint }) => fingerprint).length === 2);
  });
  after(async () => {
    await Promise.all([cluster?.stop(), site?.stop()]);
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  const readFleet = async (): Promise<Fleet> =>
    fleet.parse(await (await cluster.request("/v1/admin/nodes")).json());

  const submit = async (routes = site.routes): Promise<string> => {
    const body = {
      url: site.url,
      routes: [...routes],
      viewports: [VIEWPORT],
      threshold: 0,
      project: "mixed",
    };
    return (await cluster.client().submitRun(body)).id;
  };

  const completed = async (id: string): Promise<ScreenshotView[]> => {
    await until(async () => (await cluster.client().getRun(id)).completedAt !== null);
    assert.equal((await cluster.client().getRun(id)).status, "completed", cluster.output());
    return await cluster.client().listScreenshots(id);
  };

  /** Returns the rendering fingerprints of a run's screenshots. */
  const renderingsOf = async (id: string): Promise<string[]> => {
    const sql = `select distinct rendering from runs.screenshot where run_id = '${id}' and hash is not null`;
    return (await query(cluster.databaseUrl, sql)).map(({ rendering }) => String(rendering));
  };

  it("reports the mixed renderers, logs them once, and stays ready", async () => {
    const { data, faults } = await readFleet();
    const [fault, ...more] = faults;
    assert.deepEqual(more, []);
    assert.equal(fault?.code, "mixed_renderers");
    assert.deepEqual(fault?.differs, ["flags", "pixels"]);
    assert.match(fault?.message ?? "", /do not render identically/);
    const known = data.flatMap(({ id, fingerprint }) => (fingerprint ? [[fingerprint.id, [id]]] : []));
    assert.deepEqual(
      Object.fromEntries(known),
      Object.fromEntries(fault?.groups.map(g => [g.rendering, g.nodes]) ?? []),
    );
    const core = cluster.the("runs");
    await until(() => core.output.includes("do not render identically"));
    for (const route of ["/health", "/ready"]) assert.equal((await cluster.request(route)).status, 200);
  });

  it("renders a run on one renderer only, and later runs with its baselines on the same one", async () => {
    const first = await submit();
    await completed(first);
    const renderings = await renderingsOf(first);
    assert.equal(renderings.length, 1, "one kind of browser");
    await cluster.client().approve(first);
    const second = await submit();
    const shots = await completed(second);
    assert.ok(shots.every(({ status }) => status === "unchanged"));
    assert.deepEqual(await renderingsOf(second), renderings);
    assert.deepEqual((await cluster.client().getRun(second)).warnings, []);
    assert.equal(cluster.the("runs").output.split("do not render identically").length - 1, 1, "said once");
  });

  it("renders the whole run again on the other renderer when the first is gone, and reports it", async () => {
    const before = await renderingsOf(await lastRun());
    const id = await submit();
    await until(async () => (await cluster.client().getRun(id)).progress.captured >= 3);
    await usual.kill();
    assert.ok((await cluster.client().getRun(id)).completedAt === null, "still under way");
    const shots = await completed(id);
    const after = await renderingsOf(id);
    assert.equal(after.length, 1, "one kind of browser");
    assert.notDeepEqual(after, before);
    assert.equal(shots.length, PAGES);
    assert.ok(shots.every(({ status, notes }) => status === "changed" && /other fonts/.test(notes.join())));
    const { warnings, links } = await cluster.client().getRun(id);
    const messages = warnings.map(({ message }) => message).join("\n");
    assert.match(messages, /captured all its pages again.*\n30 baselines were captured by another browser/s);
    const report = await (await fetch(links.report)).text();
    assert.match(report, /captured all its pages again/);
    assert.equal(other.ended, false);
    assert.deepEqual((await readFleet()).faults, []);
  });

  const lastRun = async (): Promise<string> =>
    String((await query(cluster.databaseUrl, "select id from runs.run order by id desc limit 1"))[0]?.id);
});
