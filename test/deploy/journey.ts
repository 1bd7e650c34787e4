import assert from "node:assert/strict";
import { cp, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { compareWithExpected } from "../../cli/demo/compare-with-expected.ts";
import { expectedChanges } from "../../cli/demo/site/second-version.ts";
import { type SampleSite, SITE_ROUTES } from "../../cli/demo/site-server.ts";
import { run } from "./commands.ts";
import type { Engine } from "./engine.ts";
import type { Contents, Fleet } from "./fleet.ts";

const VIEWPORTS = [375, 1280];
const TOTAL = SITE_ROUTES.length * VIEWPORTS.length;
/** Programs that build or install others. None belongs into a node that loads untrusted pages. */
const TOOLS = [
  ...["npm", "npx", "yarn", "pnpm", "corepack", "apt", "apt-get", "dpkg", "apk", "pip", "pip3"],
  ...["gcc", "cc", "g++", "c++", "clang", "tcc", "make", "ld", "as", "go", "rustc", "git", "curl", "wget"],
];

const request = (site: SampleSite, project: string) => ({
  url: site.url,
  project,
  routes: SITE_ROUTES,
  viewports: VIEWPORTS,
  threshold: 0,
});

/** Asserts that a renderer has no tools, no privileges, and nothing to write to except its temporary folders. */
export async function checkRenderer(fleet: Fleet): Promise<string> {
  const inside = (script: string) => fleet.compose(["exec", "-T", "renderer-1", "sh", "-c", script]);
  const found = await inside(`for tool in ${TOOLS.join(" ")}; do command -v "$tool"; done; true`);
  assert.equal(found.trim(), "", "the image has no compiler and no package manager");
  const status = await inside("cat /proc/1/status");
  for (const line of ["NoNewPrivs:\t1", "Seccomp:\t2", "CapEff:\t0000000000000000", "Uid:\t10001"])
    assert.ok(status.includes(line), line);
  const write = await inside(
    "for f in /app/x /etc/x /opt/vrs/cache/x; do touch $f 2>/dev/null && echo $f; done; true",
  );
  assert.equal(write.trim(), "", "the root file system is read-only");
  return "no compiler, package manager or capability; read-only root; seccomp filter";
}

/** Captures the sample site for the first time, and approves it. Returns the run's id. */
export async function captureFirst(fleet: Fleet, site: SampleSite, project: string): Promise<string> {
  site.show(1);
  const id = await fleet.submit(request(site, project));
  const first = await fleet.waitUntilCompleted(id);
  assert.equal(first.conclusion, "new", JSON.stringify(first.counts));
  assert.equal(first.counts.new, TOTAL);
  assert.equal(await fleet.approve(id), TOTAL);
  return id;
}

/** Submits a run, and waits until it is in the middle. */
export async function startRun(fleet: Fleet, site: SampleSite, project: string): Promise<string> {
  const id = await fleet.submit(request(site, project));
  const run = await fleet.waitFor(id, ({ progress }) => progress.captured > 0);
  assert.notEqual(run.status, "completed", "the run ended before it could be interrupted");
  return id;
}

/** Captures the changed site while nodes and servers are killed. It must find exactly the site's changes. */
export async function captureChanged(fleet: Fleet, site: SampleSite, project: string): Promise<string> {
  site.show(2);
  const id = await startRun(fleet, site, project);
  const killed = ["renderer-1", "core", "differ", "nats", "renderer-2"];
  const before = await Promise.all(killed.map(service => fleet.restarts(service)));
  for (const service of killed) {
    await fleet.kill(service);
    await delay(500);
  }
  const run = await fleet.waitUntilCompleted(id);
  assert.equal(run.conclusion, "changed", JSON.stringify(run));
  const result = compareWithExpected(await fleet.screenshots(id), expectedChanges(SITE_ROUTES, VIEWPORTS));
  assert.ok(result.ok, result.line);
  for (const [index, service] of killed.entries())
    assert.ok((await fleet.restarts(service)) > (before[index] ?? 0), `${service} was restarted`);
  return `${killed.join(", ")} killed; ${run.counts.changed} changed, ${run.counts.unchanged} unchanged`;
}

/** Asserts that a run that two releases shared has all its screenshots. */
export async function checkShared(fleet: Fleet, id: string): Promise<string> {
  const run = await fleet.waitUntilCompleted(id);
  assert.equal(run.status, "completed", JSON.stringify(run));
  assert.equal(run.counts.failed, 0);
  const screenshots = await fleet.screenshots(id);
  const pages = new Set(screenshots.map(({ route, viewport }) => `${route} ${viewport}`));
  assert.deepEqual([screenshots.length, pages.size], [TOTAL, TOTAL]);
  return `${TOTAL} screenshots, ${run.conclusion}`;
}

/** Asserts that the approved version of the site has no change. */
export async function checkUnchanged(fleet: Fleet, site: SampleSite, project: string): Promise<string> {
  const id = await fleet.submit(request(site, project));
  const run = await fleet.waitUntilCompleted(id);
  assert.equal(run.conclusion, "passed", JSON.stringify(run.counts));
  assert.equal(run.counts.unchanged, TOTAL);
  return `${TOTAL} unchanged`;
}

/** Makes a backup by the commands of docs/guides/run-a-fleet.md in the middle of a run, and deletes everything. */
export async function backUpAndDestroy(fleet: Fleet, inFlight: string): Promise<void> {
  await mkdir(join(fleet.folder, "backup"), { recursive: true });
  const dump = ["exec", "-T", "postgres", "pg_dump", "-U", "vrs", "-Fc", "vrs"];
  await fleet.compose(dump, { output: join(fleet.folder, "backup/vrs.dump") });
  assert.notEqual((await fleet.run(inFlight)).status, "completed", "the run ended before the dump");
  await fleet.compose(["run", "--rm", "copy", "sync", "--fast-list", "vrs:vrs", "/backup/images"]);
  await cp(join(fleet.folder, ".env"), join(fleet.folder, "backup/env"));
  await fleet.compose(["down", "--volumes"]);
}

/** Restores the backup by the commands of docs/guides/run-a-fleet.md. */
export async function restore(fleet: Fleet): Promise<void> {
  await fleet.compose(["up", "-d", "--wait", "postgres", "s3"]);
  const postgres = ["exec", "-T", "postgres"];
  // Not `pg_restore --clean`, which fails over a database that has other tables than the dump.
  await fleet.compose([...postgres, "dropdb", "-U", "vrs", "--force", "vrs"]);
  await fleet.compose([...postgres, "createdb", "-U", "vrs", "vrs"]);
  const load = [...postgres, "pg_restore", "-U", "vrs", "-d", "vrs"];
  await fleet.compose(load, { input: join(fleet.folder, "backup/vrs.dump") });
  await fleet.compose(["run", "--rm", "copy", "sync", "--fast-list", "/backup/images", "vrs:vrs"]);
  await fleet.compose(["up", "-d", "--wait"]);
}

/** Asserts that everything that an installation had is there, with the same content behind the same links. */
export function checkContents(before: Contents, after: Contents): string {
  for (const [id, run] of Object.entries(before.runs)) assert.deepEqual(after.runs[id], run, id);
  for (const [link, hash] of Object.entries(before.images)) assert.equal(after.images[link], hash, link);
  assert.ok(Object.keys(before.images).length > TOTAL);
  return `${Object.keys(before.runs).length} runs, ${Object.keys(before.images).length} images`;
}

/** Puts the compose file of a release and its neighbors into the installation's folder, and adds missing secrets. */
export async function installFiles(fleet: Fleet, files: string): Promise<void> {
  await mkdir(fleet.folder, { recursive: true });
  for (const name of ["compose.yml", "nats.conf", "garage.toml", "seccomp.json", "make-env.sh"]) {
    await rm(join(fleet.folder, name), { force: true });
    await cp(join(files, name), join(fleet.folder, name));
  }
  await cp(join(import.meta.dirname, "compose.override.yml"), join(fleet.folder, "compose.override.yml"));
  await run("sh", ["make-env.sh"], { cwd: fleet.folder });
}

/** Returns an image's size in megabytes. */
export async function sizeMb(engine: Engine, image: string): Promise<number> {
  const bytes = Number(await engine.docker(["image", "inspect", "--format", "{{ .Size }}", image]));
  return Math.round(bytes / 1e6);
}
