import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { ApiClient } from "../../../shared/api/api-client.ts";
import { writeIndex } from "../../../shared/archives/archive-index.ts";
import type { Archive } from "../../../shared/contracts/builds/archives.ts";
import { CORE_SERVICES } from "../../../shared/environment/variables.ts";
import { hashOf } from "../../support/drivers/build-client.ts";
import { until } from "../../support/drivers/until.ts";
import { tarGzOf } from "../../support/fixtures/made-archives.ts";
import { Cluster } from "../../support/servers/nodes/cluster.ts";
import { needs } from "../../support/servers/server-programs.ts";

const PAGES = 12;

describe("Archives in a fleet with S3 and two renderers", () => {
  needs("nats-server", "database");
  let cluster: Cluster;
  let client: ApiClient;
  const routes = Array.from({ length: PAGES }, (_, index) => `/iframe.html?id=story-${index}&viewMode=story`);

  before(async () => {
    cluster = await Cluster.start({
      layout: [["gateway"], [...CORE_SERVICES], ["differ"], ["renderer"], ["renderer"]],
      sharedDatabase: true,
      env: { SERVICE_ALLOW_HOSTS: "nothing.invalid", RENDER_CONCURRENCY: "1" },
    });
    client = new ApiClient({ baseUrl: cluster.baseUrl, apiKey: cluster.key });
  });
  after(() => cluster?.stop());

  /** The site, in which one story has this text. */
  const filesOf = (changed: string) => [
    {
      name: "iframe.html",
      content:
        '<!doctype html><link rel="stylesheet" href="a.css"><h1></h1><script src="stories.js"></script>',
    },
    { name: "a.css", content: "h1 { font: 40px sans-serif }" },
    {
      name: "stories.js",
      content: `const id = new URLSearchParams(location.search).get("id");
        document.querySelector("h1").textContent = id === "story-7" ? "${changed}" : id;`,
    },
  ];

  async function upload(changed: string): Promise<Archive> {
    const bytes = await tarGzOf(filesOf(changed));
    const open = () =>
      new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(bytes);
          controller.close();
        },
      });
    return await client.uploadArchive("stories", { bytes: bytes.length, open });
  }

  const submit = async (archive: string) =>
    (await client.submitRun({ archive, project: "stories", routes, viewports: [320], threshold: 0 })).id;
  const stored = async () =>
    (await readdir(cluster.s3.folder, { recursive: true })).filter(name => /archives.*\.bin/.test(name))
      .length;

  it("store equal files once, survive a killed renderer, and show the one story that changed", async () => {
    const archive = await upload("as before");
    const files = filesOf("as before").map(({ name, content }) => ({
      ...{ path: name, hash: hashOf(Buffer.from(content)), bytes: content.length },
    }));
    assert.equal(archive.id, writeIndex(files).id);
    const first = await stored();
    assert.ok(first > 0);
    assert.deepEqual(await upload("as before"), archive);
    assert.equal(await stored(), first);

    const baseline = await client.waitForRun(await submit(archive.id));
    assert.deepEqual([baseline.conclusion, baseline.counts.new], ["new", PAGES], cluster.output());
    await client.approve(baseline.id);

    const changed = await upload("Changed");
    assert.notEqual(changed.id, archive.id);
    const id = await submit(changed.id);
    await until(async () => (await client.getRun(id)).progress.captured >= 2);
    await cluster.with("renderer")[0]?.kill();
    const run = await client.waitForRun(id);
    const shots = await client.listScreenshots(id);
    assert.deepEqual(
      shots.map(({ error }) => error).filter(error => error !== null),
      [],
    );
    assert.deepEqual(
      shots.filter(({ status }) => status !== "unchanged").map(({ route, status }) => [route, status]),
      [[routes[7], "changed"]],
    );
    assert.equal(run.conclusion, "changed");
  });
});
