import assert from "node:assert/strict";
import { openTunnel } from "../../../cli/cloud/open-tunnel.ts";
import { ApiClient } from "../../../shared/api/api-client.ts";
import { CORE_SERVICES } from "../../../shared/environment/variables.ts";
import { until } from "../../support/drivers/until.ts";
import { Site } from "../../support/fixtures/site.ts";
import { Cluster } from "../../support/servers/nodes/cluster.ts";
import { needs } from "../../support/servers/server-programs.ts";

const PAGES = 10;
/** Long enough to stop a gateway while pages load. */
const STYLE_MS = 500;

describe("A tunnel in a fleet with two gateways", () => {
  needs("nats-server", "database");
  let cluster: Cluster;
  let site: Site;
  const routes = Array.from({ length: PAGES }, (_, index) => `/page-${index}`);

  before(async () => {
    [cluster, site] = await Promise.all([
      Cluster.start({
        layout: [["gateway"], ["gateway"], [...CORE_SERVICES], ["differ"], ["renderer"]],
        sharedDatabase: true,
        locked: true,
        env: { SERVICE_ALLOW_HOSTS: "nothing.invalid" },
      }),
      Site.start(),
    ]);
    for (const route of routes) {
      site.pages.set(route, `<link rel="stylesheet" href="${route}.css"><h1>${route}</h1>`);
      site.pages.set(
        `${route}.css`,
        (_request, response) =>
          void setTimeout(
            () => response.writeHead(200, { "Content-Type": "text/css" }).end("h1 { color: red }"),
            STYLE_MS,
          ),
      );
    }
  });
  after(() => Promise.all([cluster?.stop(), site?.stop()]));

  it("reaches renderers, and moves to the other gateway when its own stops", async () => {
    const [first, second] = cluster.with("gateway");
    assert.ok(first && second);
    const ended = new AbortController();
    const changes: boolean[] = [];
    const access = { url: second.baseUrl, apiKey: cluster.key };
    const tunnel = await openTunnel(access, {
      application: site.url,
      signal: ended.signal,
      onChange: isOpen => void changes.push(isOpen),
    });
    const client = new ApiClient({ baseUrl: first.baseUrl, apiKey: cluster.key });
    const body = { url: site.url, project: "p", routes, viewports: [320], tunnel: tunnel.id };
    try {
      const baseline = await client.waitForRun((await client.submitRun(body)).id);
      assert.deepEqual([baseline.conclusion, baseline.counts.new], ["new", PAGES], cluster.output());
      await client.approve(baseline.id);

      const { id } = await client.submitRun(body);
      await until(async () => (await client.getRun(id)).progress.captured >= 2);
      // A load balancer would send the next connection to another gateway.
      access.url = first.baseUrl;
      await second.terminate();
      const run = await client.waitForRun(id);
      const errors = (await client.listScreenshots(id)).map(({ error }) => error);
      assert.deepEqual(
        errors,
        routes.map(() => null),
      );
      assert.deepEqual([run.conclusion, run.counts.unchanged], ["passed", PAGES], JSON.stringify(run.counts));
      assert.deepEqual(changes, [false, true]);
    } finally {
      ended.abort();
    }
  });
});
