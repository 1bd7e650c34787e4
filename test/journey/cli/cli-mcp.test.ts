import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "mocha";
import { z } from "zod";
import { McpDriver } from "../../support/drivers/browser/mcp-driver.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { Site } from "../../support/fixtures/site.ts";

const PNG = Buffer.from("\x89PNG", "latin1");
const oneRun = z.object({ run: z.object({ id: z.string(), conclusion: z.string().nullable() }).loose() });
const change = z.object({
  route: z.string(),
  status: z.string(),
  screenshotId: z.string(),
  intended: z.boolean().nullable(),
});
const changes = z.object({ changes: z.array(change), nextCursor: z.string().nullable() });

describe("an agent with vrs mcp", () => {
  let service: Vrs;
  let site: Site;
  let cwd: string;
  let agent: McpDriver;
  const runs: string[] = [];
  const costs: { task: string; calls: number; bytes: number }[] = [];

  before(async () => {
    [service, site] = await Promise.all([Vrs.start(), Site.start()]);
    cwd = await mkdtemp(join(tmpdir(), "vrs-mcp-"));
    for (const path of ["/", "/pricing"]) site.pages.set(path, "<h1>Shop</h1>");
    const access = { SERVICE_API_URL: service.baseUrl, SERVICE_API_KEY: service.key };
    agent = await McpDriver.stdio([], cwd, access);
  });

  after(async () => {
    console.table(costs);
    await agent?.close();
    await Promise.all([service?.stop(), site?.stop()]);
    if (cwd) await rm(cwd, { recursive: true, force: true });
  });

  /** One of the ten tasks, with its number of calls and bytes. */
  const task = (name: string, work: () => Promise<void>, most: { calls: number; bytes: number }) =>
    it(name, async () => {
      const { calls, bytes } = agent;
      await work();
      const cost = { calls: agent.calls - calls, bytes: agent.bytes - bytes };
      costs.push({ task: name, ...cost });
      assert.ok(cost.calls <= most.calls, `${cost.calls} calls`);
      assert.ok(cost.bytes <= most.bytes, `${cost.bytes} bytes`);
    });

  const startRun = async (more = {}) => {
    const shop = { ...more, url: site.url, routes: ["/", "/pricing"], viewports: [600], project: "shop" };
    const { run } = oneRun.parse((await agent.call("start_run", { ...shop, waitSeconds: 50 })).result);
    runs.push(run.id);
    return run;
  };

  task("checks a site and waits", async () => assert.equal((await startRun()).conclusion, "new"), {
    calls: 1,
    bytes: 3_000,
  });

  task(
    "approves everything as baselines, after it forgot to say what",
    async () => {
      const [runId] = runs;
      const forgot = await agent.call("approve_changes", { runId });
      assert.ok(forgot.isError);
      assert.match(forgot.text, /^no_selection: Name the screenshots/);
      const { result } = await agent.call("approve_changes", { runId, all: true });
      assert.deepEqual([result.approved, result.conclusion], [2, "approved"]);
    },
    { calls: 2, bytes: 2_000 },
  );

  task(
    "finds what changed, with a picture of the change",
    async () => {
      site.pages.set(
        "/pricing",
        '<h1>Shop</h1><div style="height:200px;background:#c00">Now for less</div><script>console.error("no price")</script>',
      );
      const run = await startRun({ intent: { routes: ["/about*"], words: ["hero"] } });
      assert.equal(run.conclusion, "changed");
      assert.deepEqual([run.intended, run.unintended], [0, 1]);
      const { result, images, text } = await agent.call("get_changes", { runId: run.id });
      const found = changes.parse(result);
      assert.deepEqual(
        found.changes.map(({ route, status, intended }) => [route, status, intended]),
        [["/pricing", "changed", false]],
      );
      assert.equal(found.nextCursor, null);
      assert.equal(images.length, 1);
      assert.deepEqual(images[0]?.subarray(0, 4), PNG);
      assert.match(text, /"console":\["new: error: no price"\]/);
    },
    { calls: 2, bytes: 20_000 },
  );

  task(
    "looks at the whole page",
    async () => {
      const [, runId = ""] = runs;
      const { result } = await agent.call("get_changes", { runId, pictures: false });
      const screenshotId = changes.parse(result).changes[0]?.screenshotId;
      const whole = await agent.call("get_picture", { runId, screenshotId, width: 320 });
      assert.equal(whole.images.length, 1);
      const missing = await agent.call("get_picture", { runId, screenshotId, picture: "failure" });
      assert.match(missing.text, /^no_picture: /);
    },
    { calls: 3, bytes: 20_000 },
  );

  task(
    "finds the latest run that needs review",
    async () => {
      const { result } = await agent.call("list_runs", { project: "shop", conclusion: "changed", limit: 1 });
      const list = z.object({ runs: z.array(z.object({ id: z.string() })) }).parse(result);
      assert.deepEqual(
        list.runs.map(({ id }) => id),
        [runs[1]],
      );
    },
    { calls: 1, bytes: 3_000 },
  );

  task(
    "compares two runs",
    async () => {
      const [otherRunId, runId] = runs;
      const { result, images } = await agent.call("compare_runs", { runId, otherRunId });
      assert.deepEqual([result.pages, result.identical, result.nextCursor], [2, 1, null]);
      const [first] = z
        .array(z.object({ route: z.string(), diffPixels: z.number() }))
        .parse(result.differences);
      assert.equal(first?.route, "/pricing");
      assert.ok((first?.diffPixels ?? 0) > 10_000);
      assert.deepEqual(images[0]?.subarray(0, 4), PNG);
    },
    { calls: 1, bytes: 20_000 },
  );

  task(
    "captures a page now",
    async () => {
      const { result, images } = await agent.call("capture_page", { url: site.url, route: "/pricing" });
      const { screenshot } = z.object({ screenshot: z.object({ route: z.string() }) }).parse(result);
      assert.equal(screenshot.route, "/pricing");
      assert.equal(images.length, 1);
    },
    { calls: 1, bytes: 100_000 },
  );

  task(
    "rejects a change with a reason",
    async () => {
      const [, runId] = runs;
      const { result } = await agent.call("reject_changes", {
        runId,
        all: true,
        reason: "The banner is too tall.",
      });
      assert.deepEqual([result.rejected, result.conclusion], [1, "rejected"]);
    },
    { calls: 1, bytes: 1_000 },
  );

  task(
    "proposes ignore rules for an element that never rests",
    async () => {
      const moving =
        "<h1>Shop</h1><div id=clock style='width:200px;height:40px'></div><script>let n=0;const paint=()=>{clock.style.background='#'+(0x100000+(n+=4211)%0xeeeeee).toString(16);requestAnimationFrame(paint)};paint()</script>";
      site.pages.set("/", moving);
      const { id: runId } = await startRun();
      const { result } = await agent.call("propose_ignore_rules", { runId });
      assert.equal(result.project, "shop");
      assert.ok(Array.isArray(result.rules));
    },
    { calls: 2, bytes: 10_000 },
  );

  task(
    "reads the report of a run",
    async () => {
      const { resources } = await agent.client.listResources();
      const uri = `vrs://runs/${runs[1]}/report`;
      assert.ok(resources.some(resource => resource.uri === uri));
      const { contents } = await agent.client.readResource({ uri });
      const text = JSON.stringify(contents);
      assert.match(text, /# Run of shop/);
      assert.match(text, /\| \/pricing \| 600 \| changed \| [\d.]+% \| rejected \|/);
      agent.calls += 2;
      agent.bytes += Buffer.byteLength(text);
    },
    { calls: 2, bytes: 5_000 },
  );

  it("gets a run that takes longer than it waits, with its id", async () => {
    const held = Promise.withResolvers<void>();
    site.pages.set(
      "/slow",
      (_request, response) => void held.promise.then(() => response.end("<h1>Slow</h1>")),
    );
    const slow = { url: site.url, routes: ["/slow"], viewports: [600], project: "slow", waitSeconds: 1 };
    const { isError, result, text } = await agent.call("start_run", slow);
    held.resolve();
    assert.ok(!isError, text);
    assert.match(oneRun.parse(result).run.id, /^run_/);
    assert.match(text, /The run has not ended yet/);
  });

  it("refuses an approval with a key that may only read, and says which role it needs", async () => {
    const created = await service.post("/v1/keys", { name: "reader", role: "viewer" });
    const { key } = z.object({ key: z.string() }).parse(await created.json());
    const access = { SERVICE_API_URL: service.baseUrl, SERVICE_API_KEY: key };
    const reader = await McpDriver.stdio([], cwd, access);
    try {
      const { isError, text } = await reader.call("approve_changes", { runId: runs[1], all: true });
      assert.ok(isError);
      assert.match(text, /^forbidden: .*role reviewer.*viewer/);
    } finally {
      await reader.close();
    }
  });
});
