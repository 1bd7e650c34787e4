import assert from "node:assert/strict";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ApiClient } from "../../../shared/api/api-client.ts";
import { monitorList } from "../../../shared/contracts/monitors/monitors.ts";
import { runList } from "../../../shared/contracts/runs/runs.ts";
import { Child } from "../../support/drivers/child.ts";
import { freePort } from "../../support/drivers/free-port.ts";

const ROOT = join(import.meta.dirname, "../../..");
const COPIED = [
  "services",
  "mixins",
  "shared",
  "cli",
  "dashboard",
  "package.json",
  "moleculer.config.ts",
  "tsconfig.json",
];
/** It takes about two on an idle machine. */
const SERVED_WITHIN_MS = 45_000;

describe("npm run dev", () => {
  let folder: string;
  let dev: Child;
  let baseUrl: string;
  const get = (path: string, accept = "*/*") => fetch(baseUrl + path, { headers: { accept } });

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "vrs-dev-"));
    for (const name of COPIED) await cp(join(ROOT, name), join(folder, name), { recursive: true });
    await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
    const port = await freePort();
    baseUrl = `http://localhost:${port}`;
    const env = { ...process.env, PORT: String(port) };
    dev = new Child(process.execPath, ["cli/dev/main.ts"], { cwd: folder, env });
    await dev.until(() => dev.output.includes("API key"));
  });

  after(async () => {
    await dev?.end("SIGTERM");
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it("serves the dashboard's sources through the gateway", async () => {
    const page = await (await get("/runs", "text/html")).text();
    assert.match(page, /<script type="module" src="\/@dev\/main\.tsx">/);
    const script = await get("/@dev/main.tsx");
    assert.match(script.headers.get("content-type") ?? "", /javascript/);
    assert.match(await script.text(), /createRoot/);
    assert.equal((await get("/v1/runs", "text/html")).status, 401, "the API stays the gateway's");
  });

  it("reports changes of the dashboard over the gateway's connection", async () => {
    const client = await (await get("/@dev/@vite/client")).text();
    const token = /const wsToken = "([^"]+)"/.exec(client)?.[1];
    const socket = new WebSocket(`${baseUrl.replace("http", "ws")}/@dev/?token=${token}`, "vite-hmr");
    const seen: string[] = [];
    socket.addEventListener("message", ({ data }) => seen.push(String(data)));
    await dev.until(() => seen.some(text => text.includes("connected")));
    await get("/@dev/app.css");
    const css = join(folder, "dashboard", "app.css");
    await writeFile(css, `${await readFile(css, "utf8")}\n`);
    await dev.until(() => seen.some(text => /"type":"(update|full-reload)"/.test(text)));
    socket.close();
  });

  it("logs each step of a run with the run's id", async () => {
    const log = join(folder, ".service", "dev", "service.log");
    // The sample data's canceled run is first. The next one is captured to its end.
    const steps = ['"run.submitted"', '"A route was captured."', '"run.completed"'];
    await dev.until(async () => {
      const lines = (await readFile(log, "utf8")).split("\n").filter(line => line.includes('"runId"'));
      const byRun = Map.groupBy(lines, line => /"runId":"(run_\w+)"/.exec(line)?.[1]);
      return [...byRun.values()].some(own => steps.every(step => own.some(line => line.includes(step))));
    });
  });

  it("serves a changed file of a service, and keeps the dashboard's server", async () => {
    const file = join(folder, "services", "gateway", "http", "health.ts");
    const source = await readFile(file, "utf8");
    const changed = source.replace('status: "ok"', 'status: "changed"');
    assert.notEqual(changed, source);
    const startedAt = performance.now();
    await writeFile(file, changed);
    const health = () =>
      get("/health").then(
        answer => answer.text(),
        () => "",
      );
    await dev.until(async () => (await health()).includes("changed"));
    const ms = performance.now() - startedAt;
    assert.ok(ms < SERVED_WITHIN_MS, `it took ${Math.round(ms)} ms`);
    assert.match(await (await get("/runs", "text/html")).text(), /@dev\/main\.tsx/);
  });

  it("restarts after a change that did not compile", async () => {
    const file = join(folder, "services", "gateway", "http", "health.ts");
    const source = await readFile(file, "utf8");
    await writeFile(file, `${source}\nexport const = 1;\n`);
    await dev.until(() => dev.output.includes("restarts at your next change"));
    await writeFile(file, source);
    await dev.until(async () => (await get("/ready").catch(() => null))?.ok === true);
  });

  it("fills its database with runs and monitors in every state, also over restarts", async () => {
    await dev.until(() => dev.output.includes("Added runs and monitors"));
    const apiKey = await readFile(join(folder, ".service", "dev", "api-key"), "utf8");
    const client = new ApiClient({ baseUrl, apiKey });
    const headers = { authorization: `Bearer ${apiKey}` };
    const list = async (path: string) => (await fetch(baseUrl + path, { headers })).json();
    const readRuns = async () => runList.parse(await list("/v1/runs?limit=100")).data;
    await dev.until(async () => (await readRuns()).some(({ status }) => status === "rendering"));
    const runs = await readRuns();
    const states = new Set(runs.map(({ status, conclusion }) => conclusion ?? status));
    const expected = ["approved", "canceled", "changed", "failed", "new", "passed", "rejected", "rendering"];
    assert.deepEqual([...states].sort(), expected);
    assert.ok(runs.some(({ counts }) => counts.minor > 0));
    const changed = runs.find(({ branch }) => branch === "new-prices");
    const pages = await client.listScreenshots(changed?.id ?? "");
    assert.ok(pages.some(({ status }) => status === "failed"));
    const monitors = monitorList.parse(await list("/v1/monitors?limit=100")).data;
    const incidents = monitors.filter(({ alertingSince }) => alertingSince !== null);
    assert.deepEqual(incidents.map(({ status }) => status).sort(), ["changed", "down"]);
    assert.ok(monitors.some(({ status }) => status === "ok"));
  });

  it("ends with all its processes", async () => {
    await dev.end("SIGTERM");
    assert.equal(dev.exitCode, 0, dev.output);
    await assert.rejects(get("/health"));
  });
});
