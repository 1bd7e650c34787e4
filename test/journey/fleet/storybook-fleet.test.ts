import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readArchive } from "../../../cli/cloud/read-archive.ts";
import { ApiClient } from "../../../shared/api/api-client.ts";
import type { SubmitRunInput } from "../../../shared/contracts/runs/submit-run.ts";
import { CORE_SERVICES } from "../../../shared/environment/variables.ts";
import { until } from "../../support/drivers/until.ts";
import { Cluster } from "../../support/servers/nodes/cluster.ts";
import { needs } from "../../support/servers/server-programs.ts";
import { builtStorybook } from "../../support/storybooks/built-storybook.ts";

const PROJECT = "library";
const EDITS = [
  {
    file: "src/button.stories.jsx",
    from: "Quiet = { args: { isQuiet: true } }",
    to: 'Quiet = { args: { isQuiet: true, label: "Keep" } }',
  },
];

describe("A Storybook in a fleet with two renderers", () => {
  needs("nats-server", "database");
  let cluster: Cluster;
  let client: ApiClient;

  before(async () => {
    cluster = await Cluster.start({
      layout: [["gateway"], [...CORE_SERVICES], ["differ"], ["renderer"], ["renderer"]],
      sharedDatabase: true,
      env: { SERVICE_ALLOW_HOSTS: "nothing.invalid", RENDER_CONCURRENCY: "1" },
    });
    client = new ApiClient({ baseUrl: cluster.baseUrl, apiKey: cluster.key });
  });
  after(() => cluster?.stop());

  async function upload(folder: string): Promise<string> {
    const archive = await readArchive(join(folder, "storybook-static"), "/");
    try {
      const bytes = await readFile(await archive.pack());
      const open = () => new Blob([bytes]).stream();
      return (await client.uploadArchive(PROJECT, { bytes: bytes.length, open })).id;
    } finally {
      await archive.remove();
    }
  }

  async function check(body: Partial<SubmitRunInput>, during = async (_id: string) => {}) {
    const { id } = await client.submitRun({ project: PROJECT, storybook: true, threshold: 0, ...body });
    await during(id);
    const run = await client.waitForRun(id);
    return { run, screenshots: await client.listScreenshots(id) };
  }

  const named = ({
    route,
    environment,
    viewport,
  }: {
    route: string;
    environment: string | null;
    viewport: number;
  }) => `${route}${environment ? ` (${environment})` : ""} ${viewport}`;

  it("lists and captures its stories once, whichever renderer is killed, and shows the one that changed", async () => {
    const archive = await upload(await builtStorybook("react"));
    // The killed renderer may be the one that lists the stories.
    const first = await check({ archive }, async () => {
      await cluster.with("renderer")[0]?.kill();
      await cluster.with("renderer")[0]?.start();
    });
    const shown = first.screenshots.map(shot => [named(shot), shot.status]);
    assert.equal(first.run.conclusion, "changed", cluster.output());
    assert.deepEqual(
      shown.filter(([, status]) => status === "failed").map(([name]) => name),
      ["forms-counter--broken-play 1280", "states-errors--broken 1280", "states-errors--never 1280"],
    );
    assert.deepEqual(
      first.screenshots.flatMap(({ route, error }) => (route === "states-errors--broken" ? [error] : [])),
      ["The story failed to render: The price is missing."],
    );
    for (const name of [
      ...["forms-button--themed (light) 1280", "forms-button--themed (dark) 480"],
      ...["forms-button--wide 320", "forms-button--wide 800", "forms-button--on-phone 360"],
    ])
      assert.ok(
        shown.some(([known, status]) => known === name && status === "new"),
        name,
      );
    const [primary] = first.screenshots;
    const { url, ...story } = primary?.story ?? {};
    assert.deepEqual(story, {
      ...{ id: "forms-button--primary", title: "Forms/Button", name: "Primary" },
      args: { label: '"Save"' },
    });
    await checkStoryLink(url ?? "");
    assert.match(first.run.warnings.map(({ message }) => message).join(), /Skipped 2 stories \(disabled/);
    const headers = { Authorization: `Bearer ${cluster.key}` };
    const usage: unknown = await (await fetch(`${cluster.baseUrl}/v1/usage`, { headers })).json();
    assert.match(JSON.stringify(usage), new RegExp(`"screenshots":{"used":${first.screenshots.length},`));
    await client.approve(first.run.id);

    const changed = await upload(await builtStorybook("react", EDITS));
    const second = await check({ archive: changed }, async id => {
      await until(async () => (await client.getRun(id)).progress.captured >= 2);
      await cluster.with("renderer")[0]?.kill();
    });
    assert.deepEqual(
      second.screenshots
        .filter(({ status }) => status !== "unchanged" && status !== "failed")
        .map(shot => [named(shot), shot.status]),
      [["forms-button--quiet 1280", "changed"]],
    );
    await client.approve(second.run.id);
  });

  /** Opens a story of an archive as people do, and checks that its page is sealed. */
  async function checkStoryLink(url: string): Promise<void> {
    assert.match(url, /\/v1\/sites\/.+\/iframe\.html\?viewMode=story&id=forms-button--primary$/);
    const page = await fetch(url);
    assert.equal(page.status, 200);
    const policy = page.headers.get("content-security-policy") ?? "";
    assert.match(policy, /^sandbox allow-scripts; default-src \S+\/v1\/sites\/\S+\/ data:/);
    assert.equal(page.headers.get("access-control-allow-origin"), "*");
    const script = /src="(?<path>\.\/assets\/iframe-[^"]+)"/.exec(await page.text())?.groups?.path ?? "";
    const loaded = await fetch(new URL(script, url));
    assert.match(loaded.headers.get("content-type") ?? "", /javascript/);
    assert.equal((await fetch(new URL("./missing.js", url))).status, 404);
    assert.equal(
      (await fetch(url.replace(/\.[\w-]+\/iframe/, ".AAAAAAAAAAAAAAAAAAAAAA/iframe"))).status,
      401,
    );
    const { origin, pathname } = new URL(url);
    const other = pathname.replace(/\.[0-9a-f]{64}\./, `.${"0".repeat(64)}.`);
    assert.equal((await fetch(origin + other)).status, 401);
  }

  it("skips the stories that nothing behind has changed, also if a renderer is killed", async () => {
    const storybook = { onlyChanged: true };
    const archive = await upload(await builtStorybook("react", EDITS));
    const first = await check({ archive, storybook });
    assert.match(first.run.warnings.map(({ message }) => message).join(), /nothing is known yet/);
    assert.equal(first.run.stories?.skipped, 0);
    await client.approve(first.run.id);
    const edits = [
      ...EDITS,
      { file: "src/counter.jsx", from: "<button", to: "<button title='More' style={{ color: 'red' }}" },
    ];
    const changed = await upload(await builtStorybook("react", edits));
    const second = await check({ archive: changed, storybook }, async () => {
      await cluster.with("renderer")[0]?.kill();
      await cluster.with("renderer")[0]?.start();
    });
    const { skipped = 0, audited = 0, missed, total = 0 } = second.run.stories ?? {};
    const captured = second.screenshots.filter(({ status }) => status !== "removed");
    assert.deepEqual(missed, [], JSON.stringify(second.run.warnings));
    assert.equal(captured.length, total - skipped);
    assert.ok(
      skipped > total / 3,
      JSON.stringify([second.run.stories, second.run.warnings, cluster.output()]),
    );
    assert.equal(audited, 1);
    const titles = captured.flatMap(({ status, story }) => (status === "changed" ? [story?.title] : []));
    assert.deepEqual([...new Set(titles)], ["Forms/Counter"]);
    assert.equal(second.screenshots.filter(({ status }) => status === "removed").length, 0);
  });
});
