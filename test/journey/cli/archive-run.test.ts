import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ScreenshotView } from "../../../shared/contracts/runs/screenshots.ts";
import type { ErrorCode } from "../../../shared/errors.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { VrsCommand } from "../../support/drivers/vrs-command.ts";
import { zipOf } from "../../support/fixtures/made-archives.ts";
import { problemOf } from "../../support/formats/problem.ts";

/** The parts of a Storybook that matter here: a page that reads its query, and files beside it. */
const SITE: Record<string, string> = {
  "index.html": '<!doctype html><link rel="stylesheet" href="/assets/a.css"><h1>Home</h1>',
  "iframe.html":
    '<!doctype html><script src="./story.js" type="module"></script><link rel="stylesheet" href="assets/a.css"><h1></h1>',
  "story.js": 'document.querySelector("h1").textContent = new URLSearchParams(location.search).get("id")',
  "assets/a.css": "h1 { color: rgb(20 80 160) }",
  "docs/index.html": "<!doctype html><h1>Docs</h1>",
  "404.html": "<!doctype html><h1>Nothing here</h1>",
};
const ROUTES = "/,/iframe.html?id=button--primary&viewMode=story,/docs";

describe("vrs run --archive", () => {
  let service: Vrs;
  let cwd: string;

  before(async () => {
    // The service may reach nothing on this machine.
    service = await Vrs.start({ SERVICE_ALLOW_HOSTS: "nothing.invalid", ARCHIVE_MAX_MIB: "1" });
    cwd = await mkdtemp(join(tmpdir(), "vrs-archive-run-"));
    await write("dist", SITE);
  });
  after(async () => {
    await service?.stop();
    if (cwd) await rm(cwd, { recursive: true, force: true });
  });

  async function write(folder: string, files: Record<string, string>): Promise<void> {
    for (const [path, content] of Object.entries(files)) {
      const full = join(cwd, folder, path);
      await mkdir(dirname(full), { recursive: true });
      await writeFile(full, content);
    }
  }

  async function run(...args: string[]) {
    const command = new VrsCommand(["run", "--project", "site", ...args], {
      cwd,
      env: { SERVICE_API_URL: service.baseUrl, SERVICE_API_KEY: service.key },
    });
    return { code: await command.ended(), command };
  }

  const json = ({ command }: { command: VrsCommand }) => {
    assert.match(command.stdout, /^\{/, command.output);
    return JSON.parse(command.stdout);
  };
  const statuses = (screenshots: ScreenshotView[]) =>
    screenshots.map(({ route, status, error }) => [route, error ?? status]);

  it("checks a folder, sends equal files once, and finds the one that changed", async () => {
    const first = await run("--archive", "dist", "--routes", ROUTES, "--viewports", "400");
    assert.match(first.command.output, /6 files sent\./);
    assert.match(first.command.output, /of the files in dist/);
    assert.equal(first.code, 1, first.command.output);

    const second = await run("--archive", "dist", "--routes", ROUTES, "--viewports", "400", "--json");
    const known = json(second);
    assert.deepEqual(
      statuses(known.screenshots),
      ROUTES.split(",").map(route => [route, "new"]),
    );
    assert.equal(known.run.url, "http://archive.localhost/");
    await service.post(`/v1/baselines/${known.run.id}/approve`, {});

    // The same files in another format are the same archive.
    await writeFile(
      join(cwd, "site.zip"),
      zipOf(Object.entries(SITE).map(([name, content]) => ({ name, content }))),
    );
    execFileSync("tar", ["czf", "../site.tgz", "."], { cwd: join(cwd, "dist") });
    for (const file of ["site.zip", "site.tgz"]) {
      const again = await run("--archive", file, "--routes", ROUTES, "--viewports", "400");
      assert.match(again.command.output, /already has these 6 files\. Nothing was sent/);
      assert.equal(again.code, 0, again.command.output);
    }

    await write("dist", { "story.js": SITE["story.js"]?.replace('get("id")', '"Changed"') ?? "" });
    const changed = json(
      await run("--archive", "dist", "--routes", ROUTES, "--viewports", "400", "--threshold", "0", "--json"),
    );
    assert.deepEqual(
      statuses(changed.screenshots).map(([, status]) => status),
      ["unchanged", "changed", "unchanged"],
    );
    const report = await (await fetch(changed.run.links.report)).text();
    assert.match(report, /uploaded archive/);
  });

  it("refuses what can't be checked, before it sends anything", async () => {
    await write("linked", { "index.html": "x" });
    await symlink("/etc/passwd", join(cwd, "linked/passwd"));
    await mkdir(join(cwd, "empty"));
    await writeFile(join(cwd, "evil.zip"), zipOf([{ name: "../evil", content: "x" }]));
    const cases: [string[], RegExp][] = [
      [["--archive", "missing"], /missing doesn't exist\. Build your site first/],
      [["--archive", "empty"], /empty can't be checked\. The archive has no files/],
      [["--archive", "linked"], /"passwd" is a symbolic or hard link/],
      [["--archive", "evil.zip"], /"\.\.\/evil" has "\.\."/],
      [["--archive", "dist", "--url", "https://example.com"], /can't be combined with --url/],
    ];
    for (const [args, reason] of cases) {
      const { code, command } = await run(...args);
      assert.match(command.output, reason);
      assert.equal(code, 2);
    }
  });

  it("answers requests that a run or an archive can't have", async () => {
    const post = (path: string, body: unknown) =>
      fetch(`${service.baseUrl}${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${service.key}`, "content-type": "application/json" },
        body: body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body),
      });
    const archive = "a".repeat(64);
    const cases: [string, unknown, ErrorCode, RegExp][] = [
      ["/v1/run", {}, "invalid_request", /is required without `archive`/],
      ["/v1/run", { archive, project: "site" }, "invalid_request", /not an archive of the project site/],
      ["/v1/run", { archive }, "invalid_request", /is required for an archive/],
      ["/v1/run", { archive: "x", project: "site" }, "invalid_request", /SHA-256/],
      [
        "/v1/run",
        { archive, project: "site", url: "https://example.com" },
        "invalid_request",
        /must start with/,
      ],
      [
        "/v1/run",
        { url: "http://archive.localhost/", project: "site" },
        "invalid_request",
        /required without `archive`/,
      ],
      ["/v1/archives", Buffer.from("x"), "invalid_request", /project/],
      ["/v1/archives?project=site", Buffer.from("no archive"), "invalid_request", /not a zip, tar/],
      ["/v1/archives?project=site", Buffer.alloc(0), "invalid_request", /not a zip, tar/],
      ["/v1/archives?project=site", Buffer.alloc(1024 * 1024 + 1), "payload_too_large", /more than 1 MiB/],
    ];
    for (const [path, body, code, reason] of cases) {
      const problem = await problemOf(await post(path, body), code);
      assert.match(JSON.stringify(problem), reason);
    }
    const missing = await fetch(`${service.baseUrl}/v1/archives/${archive}?project=site`, {
      headers: { authorization: `Bearer ${service.key}` },
    });
    assert.equal(missing.status, 404);
  });
});
