import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { extract, pack } from "tar-stream";
import { z } from "zod";
import { projectEmailView } from "../../../shared/contracts/monitors/project-email.ts";
import { projectList } from "../../../shared/contracts/runs/projects.ts";
import { runList, runView } from "../../../shared/contracts/runs/runs.ts";
import { screenshotList } from "../../../shared/contracts/runs/screenshots.ts";
import { submittedRun } from "../../../shared/contracts/runs/submit-run.ts";
import { exportView, importView } from "../../../shared/contracts/transfers/transfers.ts";
import { DEFAULT_TEAM_ID, newId } from "../../../shared/ids.ts";
import { exportManifest } from "../../../shared/transfers/export-manifest.ts";
import { BuildClient, hashOf, picture } from "../../support/drivers/build-client.ts";
import { until } from "../../support/drivers/until.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { VrsCommand } from "../../support/drivers/vrs-command.ts";
import { Site } from "../../support/fixtures/site.ts";
import { problemOf } from "../../support/formats/problem.ts";
import { requireListed } from "../../support/tools/require-output.ts";

const TEAM = `/v1/teams/${DEFAULT_TEAM_ID}`;
const SECRET = "swordfish-of-the-tests";
const CHAT_SECRET = "0123456789abcdef0123456789abcdef";
const page = (color: string) =>
  `<!doctype html><title>Shop</title><body style="margin:0;background:${color}"><h1>Shop</h1>`;

interface Entry {
  name: string;
  bytes: Buffer;
}

/** Reads a tar. */
async function entriesOf(tar: Buffer): Promise<Entry[]> {
  const found: Entry[] = [];
  for await (const entry of Readable.from([tar]).pipe(extract()))
    found.push({ name: entry.header.name, bytes: await buffer(entry) });
  return found;
}

const PROJECT_SETTINGS = { requiredApprovals: 1, allowSelfApproval: true, retentionDays: 14, linkDays: 9 };

async function tarOf(entries: readonly Entry[]): Promise<Buffer> {
  const tar = pack();
  for (const { name, bytes } of entries) tar.entry({ name }, bytes);
  tar.finalize();
  return await buffer(tar);
}

describe("The export of a team, and its import into another installation", () => {
  let site: Site;
  let from: Vrs;
  let into: Vrs;
  let file: Buffer;

  before(async () => {
    site = await Site.start({ "/": page("white"), "/cart": page("beige") });
    [from, into] = await Promise.all([
      Vrs.start({ SERVICE_PLAN: "business" }),
      Vrs.start({ SERVICE_PLAN: "business" }),
    ]);
  });
  after(async () => {
    await Promise.all([from?.stop(), into?.stop()]);
    await site?.stop();
  });

  const read = async <T>(vrs: Vrs, path: string, schema: z.ZodType<T>): Promise<T> => {
    const answer = await vrs.request(path);
    assert.equal(answer.status, 200, `${path}: ${await answer.clone().text()}`);
    return schema.parse(await answer.json());
  };
  const post = async (vrs: Vrs, path: string, body: object, status = 200): Promise<unknown> => {
    const answer = await vrs.post(path, body);
    assert.equal(answer.status, status, `${path}: ${await answer.clone().text()}`);
    return await answer.json();
  };
  const capture = async (vrs: Vrs, project = "shop") => {
    const body = {
      url: site.url,
      routes: ["/", "/cart"],
      project,
      viewports: [600],
      threshold: 0,
      rerun: true,
    };
    const { id } = submittedRun.parse(await post(vrs, "/v1/run", body, 202));
    await until(async () => (await read(vrs, `/v1/runs/${id}`, runView)).completedAt !== null);
    return await read(vrs, `/v1/runs/${id}`, runView);
  };
  const exported = async (vrs: Vrs) => {
    assert.equal((await vrs.post(`${TEAM}/export`, {})).status, 202);
    await until(async () => (await read(vrs, `${TEAM}/export`, exportView)).status === "completed");
    const view = await read(vrs, `${TEAM}/export`, exportView);
    const answer = await fetch(view.links.file ?? "", { headers: { Authorization: `Bearer ${vrs.key}` } });
    assert.equal(answer.status, 200);
    return { view, tar: Buffer.from(await answer.arrayBuffer()) };
  };
  const send = (vrs: Vrs, tar: Buffer, query = "") =>
    vrs.request(`${TEAM}/import${query}`, {
      method: "POST",
      body: new Uint8Array(tar),
      headers: { "Content-Type": "application/x-tar" },
    });
  const imported = async (vrs: Vrs, tar: Buffer, query = "") => {
    const answer = await send(vrs, tar, query);
    assert.equal(answer.status, 202, await answer.clone().text());
    await until(async () => (await read(vrs, `${TEAM}/import`, importView)).endedAt !== null);
    const view = await read(vrs, `${TEAM}/import`, importView);
    assert.equal(view.error, null);
    assert.equal(view.status, "completed");
    return view;
  };

  /** Names of projects, without those of monitors. */
  const projectsOf = async (vrs: Vrs) => {
    const { data } = await read(
      vrs,
      "/v1/projects",
      z.object({ data: z.array(z.object({ name: z.string() })) }),
    );
    return data
      .map(({ name }) => name)
      .filter(name => !name.startsWith("monitor/"))
      .sort();
  };

  it("exports real runs without secrets", async () => {
    const first = await capture(from);
    assert.equal(first.conclusion, "new");
    await post(from, `/v1/baselines/${first.id}/approve`, {});
    await post(from, `/v1/runs/${first.id}/comments`, { text: `See ${from.baseUrl}/runs/${first.id}` }, 201);
    const uploads = new BuildClient(from);
    const { id } = await uploads.upload({ project: "stories" }, [
      { name: "Card", bytes: await picture("red") },
    ]);
    await uploads.ended(id);
    await uploads.approve(id);
    const [shop] = (await read(from, "/v1/projects?find=shop&monitors=0", projectList)).data;
    const changed = await from.request(`/v1/projects/${shop?.id}`, {
      method: "PATCH",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(PROJECT_SETTINGS),
    });
    assert.equal(changed.status, 200);
    await from.request("/v1/projects/shop/email", {
      method: "PUT",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ addresses: ["team@example.com"] }),
    });
    await from.request(`/v1/projects/shop/secrets/TOKEN`, {
      method: "PUT",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ value: SECRET }),
    });
    const slack = `https://hooks.slack.com/services/${SECRET}`;
    const options = { headers: { Authorization: SECRET, "X-Shown": "x" } };
    const http = { maxResponseMs: 900, requiredText: "Shop" };
    // A check that ends between two exports would add rows.
    const intervalMinutes = 1_440;
    const monitor = { name: "Live shop", url: site.url, alerts: { slack }, options, http, intervalMinutes };
    await post(from, "/v1/monitors", monitor, 201);
    await from.request(`${TEAM}/chat-apps/slack`, {
      method: "PUT",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ secret: CHAT_SECRET }),
    });
    await post(
      from,
      "/v1/webhooks",
      { url: `https://example.com/hook?token=${SECRET}`, events: ["run.completed"] },
      201,
    );
    const { view, tar } = await exported(from);
    file = tar;
    assert.ok(!tar.includes(SECRET) && !tar.includes(CHAT_SECRET));
    assert.deepEqual(
      view.leftOut
        .filter(({ kind }) => kind !== "api_key")
        .map(({ kind, name }) => `${kind} ${name}`)
        .sort(),
      ["channels Live shop", "chat slack app", "credentials Live shop", "secret shop: TOKEN"].concat(
        view.leftOut.filter(({ kind }) => kind === "webhook").map(({ name }) => `webhook ${name}`),
      ),
    );
    assert.deepEqual([view.counts["runs.run"]?.rows, view.counts["runs.baseline"]?.rows], [2, 3]);
  });

  it("compares the next run with the imported baselines", async () => {
    const view = await imported(into, file);
    assert.equal(view.counts["runs.baseline"]?.new, 3);
    const run = await capture(into);
    assert.deepEqual([run.conclusion, run.counts.unchanged], ["passed", 2]);
    site.pages.set("/cart", page("gold"));
    const changed = await capture(into);
    assert.deepEqual([changed.conclusion, changed.counts.changed], ["changed", 1]);
    site.pages.set("/cart", page("beige"));
    const uploads = new BuildClient(into);
    const { id } = await uploads.upload({ project: "stories" }, [
      { name: "Card", bytes: await picture("red") },
    ]);
    assert.equal((await uploads.ended(id)).conclusion, "passed");
  });

  it("keeps the settings of projects", async () => {
    const [shop] = (await read(into, "/v1/projects?find=shop&monitors=0", projectList)).data;
    assert.ok(shop);
    const { requiredApprovals, allowSelfApproval, retentionDays, linkDays } = shop;
    assert.deepEqual({ requiredApprovals, allowSelfApproval, retentionDays, linkDays }, PROJECT_SETTINGS);
    const { addresses } = await read(into, "/v1/projects/shop/email", projectEmailView);
    assert.deepEqual(addresses, ["team@example.com"]);
  });

  it("keeps the history, with new ids and links, and pauses monitors and webhooks", async () => {
    const { data } = await read(into, "/v1/runs?project=shop&limit=100", runList);
    const before = (await read(from, "/v1/runs?project=shop", runList)).data[0];
    const run = data.find(({ createdAt }) => createdAt === before?.createdAt);
    assert.ok(run && before);
    assert.equal(run.conclusion, "approved");
    assert.notEqual(run.id, before.id);
    const { data: comments } = await read(
      into,
      `/v1/runs/${run.id}/comments`,
      z.object({ data: z.array(z.object({ text: z.string() })) }),
    );
    assert.deepEqual(
      comments.map(({ text }) => text),
      [`See ${into.baseUrl}/runs/${run.id}`],
    );
    const { data: screenshots } = await read(into, `/v1/screenshots/${run.id}`, screenshotList);
    for (const { images } of screenshots)
      assert.equal((await fetch(images.current ?? "")).headers.get("content-type"), "image/png");
    const monitor = z.object({
      name: z.string(),
      paused: z.boolean(),
      http: z.object({ maxResponseMs: z.int(), requiredText: z.string() }),
      options: z.object({ headers: z.unknown() }).partial(),
    });
    const monitors = await read(into, "/v1/monitors", z.object({ data: z.array(monitor) }));
    assert.deepEqual(
      monitors.data.map(({ name, paused, options, http }) => [name, paused, options.headers, http]),
      [["Live shop", true, undefined, { maxResponseMs: 900, requiredText: "Shop" }]],
    );
    const hook = z.object({ url: z.string(), status: z.string() });
    const hooks = await read(into, "/v1/webhooks", z.object({ data: z.array(hook) }));
    assert.deepEqual(
      hooks.data.map(({ url, status }) => [url, status]),
      [["https://example.com/hook", "paused"]],
    );
  });

  it("continues an upload that broke off, where the service has it", async () => {
    const view = () => read(into, `${TEAM}/import`, importView);
    const before = (await view()).id;
    const headers = { Authorization: `Bearer ${into.key}`, "Content-Type": "application/x-tar" };
    // Ends within an entry.
    const half = file.subarray(0, Math.floor(file.length / 2) + 7);
    const broken = request(`${into.baseUrl}${TEAM}/import?existing=skip`, {
      ...{ method: "POST", headers: { ...headers, "Content-Length": file.length } },
    });
    broken.on("error", () => {});
    broken.write(half, () => broken.destroy());
    await until(async () => {
      const { id, status, receivedBytes } = await view();
      return id !== before && status === "receiving" && (receivedBytes ?? 0) > 0;
    });
    // One upload at a time: the service needs a moment to notice that this one broke off.
    await until(async () => (await send(into, Buffer.alloc(512), "?from=1")).status === 409);
    const { id, receivedBytes, receivedManifest } = await view();
    const from = receivedBytes ?? 0;
    // The padding of an entry needs not arrive.
    assert.ok(from > half.length / 2 && from < half.length + 512, `${from} of ${half.length}`);
    await problemOf(
      await send(into, file.subarray(from - 512), `?existing=skip&from=${from - 512}`),
      "conflict",
    );
    const [manifest] = await entriesOf(file);
    const hash = hashOf(manifest?.bytes ?? Buffer.of());
    assert.equal(receivedManifest, hash);
    // Another file, or other options.
    for (const other of [
      `existing=skip&manifest=${"0".repeat(64)}`,
      `existing=skip&settings=1&manifest=${hash}`,
    ])
      await problemOf(await send(into, file.subarray(from), `?from=${from}&${other}`), "conflict");
    const done = await imported(into, file.subarray(from), `?existing=skip&from=${from}&manifest=${hash}`);
    assert.equal(done.id, id);
    assert.equal(done.receivedBytes, null);
    await problemOf(await send(into, file.subarray(from), `?from=${from}`), "conflict");
  });

  it("adds nothing when it is repeated, also after its service was killed", async () => {
    const answer = await send(into, file);
    assert.equal(answer.status, 202);
    await into.kill();
    await into.start();
    await until(async () => (await read(into, `${TEAM}/import`, importView)).endedAt !== null);
    const view = await read(into, `${TEAM}/import`, importView);
    assert.deepEqual([view.status, view.error], ["completed", null]);
    const added = Object.entries(view.counts).filter(([, counts]) => (counts.new ?? 0) > 0);
    assert.deepEqual(added, []);
  });

  it("refuses, renames or skips projects that the team already has", async () => {
    const run = await capture(from, "own");
    await post(from, `/v1/baselines/${run.id}/approve`, {});
    await capture(into, "own");
    const { tar } = await exported(from);
    const refused = await problemOf(await send(into, tar), "conflict");
    assert.match(refused.detail, /already has own/);
    const skipped = await imported(into, tar, "?existing=skip");
    assert.deepEqual(skipped.projects.find(({ name }) => name === "own")?.importedAs, null);
    assert.ok(!(await projectsOf(into)).includes("own-imported"));
    const renamed = await imported(into, tar, "?existing=rename");
    assert.deepEqual(renamed.projects.find(({ name }) => name === "own")?.importedAs, "own-imported");
    assert.equal(renamed.counts["runs.baseline"]?.new, 2);
    assert.equal((await capture(into, "own-imported")).conclusion, "passed");
  });

  it("is exported and imported by the command line", async () => {
    const cwd = await mkdtemp(join(tmpdir(), "vrs-transfer-"));
    const command = async (vrs: Vrs, ...args: string[]) => {
      const env = { SERVICE_API_URL: vrs.baseUrl, SERVICE_API_KEY: vrs.key };
      const running = new VrsCommand(args, { cwd, env });
      return { code: await running.ended(), output: running.output };
    };
    try {
      const exported = await command(from, "export", "team.tar");
      assert.equal(exported.code, 0, exported.output);
      assert.match(exported.output, /Exported \d+ rows and \d+ files to team\.tar/);
      assert.match(exported.output, /secret: shop: TOKEN/);
      assert.match((await command(from, "export", "team.tar")).output, /already exists/);
      const repeated = await command(into, "import", "team.tar", "--from", "vrs");
      assert.match(repeated.output, /own was imported as own-imported/);
      assert.equal(repeated.code, 0, repeated.output);
      assert.match(repeated.output, /Imported 0 new rows/);
      requireListed("export", (await command(from, "export", "again.tar", "--json")).output);
      const again = await command(
        into,
        "import",
        "again.tar",
        "--from",
        "vrs",
        "--existing",
        "skip",
        "--json",
      );
      requireListed("import", again.output);
    } finally {
      await rm(cwd, { recursive: true, force: true });
    }
  });

  it("refuses files that no service exported, and stores no row of them", async () => {
    const entries = await entriesOf(file);
    const [manifest, ...rest] = entries;
    assert.ok(manifest);
    const withManifest = (change: object) => [
      {
        name: manifest.name,
        bytes: Buffer.from(JSON.stringify({ ...JSON.parse(manifest.bytes.toString()), ...change })),
      },
      ...rest,
    ];
    const image = rest.findIndex(({ name }) => name.startsWith("images/"));
    const replaced = (index: number, entry: Partial<Entry>) =>
      entries.map((each, at) => (at === index + 1 ? { ...each, ...entry } : each));
    const cases: [Entry[], RegExp][] = [
      [[], /not the file of an export/],
      [rest, /not the file of an export/],
      [entries.slice(0, -1), /incomplete/],
      [entries.slice(0, -3), /incomplete/],
      [withManifest({ version: 99 }), /version 99/],
      [withManifest({ format: "other" }), /invalid `format`/],
      [withManifest({ parts: [] }), /other rows/],
      [replaced(0, { bytes: Buffer.from("{}\n") }), /other rows/],
      [replaced(image, { bytes: Buffer.from("no image") }), /other bytes/],
      [replaced(image, { name: "images/../../../../tmp/x" }), /other bytes/],
      [replaced(image, { name: "/etc/passwd" }), /no export has/],
    ];
    for (const [each, detail] of cases)
      assert.match((await problemOf(await send(into, await tarOf(each)), "invalid_request")).detail, detail);
    const link = pack();
    link.entry({ name: "manifest.json", type: "symlink", linkname: "/etc/passwd" });
    link.finalize();
    await problemOf(await send(into, await buffer(link)), "invalid_request");
    await problemOf(await send(into, Buffer.from("no tar at all")), "invalid_request");
    assert.deepEqual(await projectsOf(into), ["own", "own-imported", "shop", "stories"]);
  });

  it("refuses rows that no service exports, whose import would harm other teams", async () => {
    const [first] = await entriesOf(file);
    const manifest = exportManifest.parse(JSON.parse(first?.bytes.toString() ?? ""));
    const at = "2026-01-01T00:00:00.000Z";
    const schedule = { kind: "once", from: at, until: "2026-01-01T01:00:00.000Z" };
    const window = {
      ...{ id: newId("mtn"), team_id: DEFAULT_TEAM_ID, title: "Upgrade", monitor_ids: null, mode: "pause" },
      ...{ schedule, next_from: null, next_until: null, ended_at: at, created_by: "bob", created_at: at },
    };
    const statusPage = {
      ...{ id: newId("stp"), team_id: DEFAULT_TEAM_ID, slug: "shop-status", title: "Shop" },
      ...{ components: [{ monitorId: newId("mon"), name: "Shop" }], changed_by: "bob", changed_at: at },
    };
    const importOf = async (table: string, row: object) => {
      const rows = Buffer.from(`${JSON.stringify(row)}\n`);
      const part = { service: "monitors", table, rows: 1, hash: hashOf(rows) };
      const tar = await tarOf([
        {
          name: "manifest.json",
          bytes: Buffer.from(JSON.stringify({ ...manifest, projects: [], parts: [part], files: 0 })),
        },
        { name: "rows/000001.jsonl", bytes: rows },
        { name: "end.json", bytes: Buffer.from(JSON.stringify({ files: 0, missing: 0 })) },
      ]);
      assert.equal((await send(into, tar)).status, 202);
      await until(async () => (await read(into, `${TEAM}/import`, importView)).endedAt !== null);
      const { status, error, counts } = await read(into, `${TEAM}/import`, importView);
      return [status, error, counts[`monitors.${table}`]?.new];
    };
    assert.deepEqual(await importOf("maintenance", window), ["completed", null, 1]);
    assert.deepEqual(await importOf("status_page", statusPage), ["completed", null, 1]);
    const cases: [string, object][] = [
      ["maintenance", { ...window, schedule: { kind: "weekly" } }],
      ["maintenance", { ...window, ended_at: null, next_from: at, next_until: "2099-01-01T00:00:00Z" }],
      ["status_page", { ...statusPage, components: [1] }],
      ["status_page", { ...statusPage, slug: "../shop" }],
    ];
    for (const [table, row] of cases) {
      const [status, error] = await importOf(table, {
        ...row,
        id: newId(table === "status_page" ? "stp" : "mtn"),
      });
      assert.equal(status, "failed", JSON.stringify(row));
      assert.match(String(error), new RegExp(`monitors.${table}`));
    }
  });

  it("is closed to members who are no admins, and to other teams", async () => {
    const { key = "" } = z
      .object({ key: z.string().optional() })
      .parse(await post(from, "/v1/keys", { name: "reviewer", role: "reviewer" }, 201));
    for (const path of ["export", "export/file", "import"]) {
      const answer = await fetch(`${from.baseUrl}${TEAM}/${path}`, {
        headers: { Authorization: `Bearer ${key}` },
      });
      assert.equal(answer.status, 403);
      assert.equal((await from.request(`/v1/teams/team_01k8z4m2q7abcdefghjkmnpqrs/${path}`)).status, 404);
    }
    const manifest = exportManifest.parse(JSON.parse((await entriesOf(file))[0]?.bytes.toString() ?? ""));
    assert.equal(manifest.team.id, DEFAULT_TEAM_ID);
  });
});
