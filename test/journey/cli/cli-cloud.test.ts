import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { after, before, describe, it } from "mocha";
import { until } from "../../support/drivers/until.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { VrsCommand, vrs } from "../../support/drivers/vrs-command.ts";
import { Site } from "../../support/fixtures/site.ts";
import { requireListed } from "../../support/tools/require-output.ts";

const git = promisify(execFile);

describe("vrs with a service", () => {
  let service: Vrs;
  let site: Site;
  let cwd: string;
  let loginFile: string;

  before(async () => {
    [service, site] = await Promise.all([Vrs.start(), Site.start()]);
    cwd = await mkdtemp(join(tmpdir(), "vrs-cloud-"));
    loginFile = join(cwd, ".config/vrs/login.json");
    await writeFile(
      join(cwd, "service.config.ts"),
      `export default { baseUrl: "${site.url}", routes: ["/", "/pricing"], viewports: [375] };\n`,
    );
    const repository = [
      ["init", "-b", "main"],
      ["config", "user.email", "a@example.com"],
      ["config", "user.name", "A"],
      ["remote", "add", "origin", "git@code.example:acme/shop.git"],
    ];
    for (const args of repository) await git("git", args, { cwd });
    await commit();
    for (const path of ["/", "/pricing"]) site.pages.set(path, "<h1>Shop</h1>");
  });

  after(async () => {
    await Promise.all([service?.stop(), site?.stop()]);
    if (cwd) await rm(cwd, { recursive: true, force: true });
  });

  const commit = async () => {
    await git("git", ["add", "service.config.ts"], { cwd });
    await git("git", ["commit", "--allow-empty", "-m", "x"], { cwd });
  };
  const tool = (args: string[], env: Record<string, string> = {}, input = "") =>
    vrs(args, { cwd, env, input });

  it("saves an accepted key for its user only, and never prints it", async () => {
    const nobody = await tool(["login", "--url", service.baseUrl]);
    assert.equal(nobody.code, 2);
    assert.match(nobody.stderr, /--with-key-from-stdin/);
    const wrong = await tool(
      ["login", "--url", service.baseUrl, "--with-key-from-stdin"],
      {},
      "vrs_of_nobody\n",
    );
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /rejected the API key/);
    const elsewhere = await tool(["login", "--url", site.url, "--with-key-from-stdin"], {}, service.key);
    assert.equal(elsewhere.code, 2);
    assert.match(elsewhere.stderr, /404.*Check the URL\./);
    await assert.rejects(stat(loginFile), /ENOENT/);
    const { code, stdout, stderr } = await tool(
      ["login", "--url", `${service.baseUrl}/`, "--with-key-from-stdin"],
      {},
      `${service.key}\n`,
    );
    assert.equal(code, 0, stderr);
    assert.match(stdout, /Signed in to http:\/\/localhost:\d+: .+ \(admin\)/);
    assert.equal((await stat(loginFile)).mode & 0o777, 0o600);
    for (const printed of [wrong, elsewhere])
      assert.doesNotMatch(printed.stdout + printed.stderr, /vrs_of_nobody/);
    assert.ok(!(stdout + stderr).includes(service.key));
  });

  it("submits a run of the commit, waits, and exits by its conclusion", async () => {
    const first = await tool(["run"]);
    assert.equal(first.code, 1, first.stderr);
    assert.match(first.stdout, /\+ new: 2 new/);
    assert.match(first.stdout, /Report {2}http/);
    const again = await tool(["run", "--json"]);
    const { run } = requireListed("run", again.stdout);
    assert.equal(again.code, 1);
    assert.ok(first.stderr.includes(run.id), "the same commit is the same run");
    assert.deepEqual([run.project, run.branch, run.scm.owner], ["acme/shop", "main", "acme"]);
    await service.client().approve(run.id);
    assert.equal((await tool(["run"])).code, 0, "approved by now");
    site.pages.set("/pricing", '<h1>Shop</h1><div style="height:200px;background:#c00">Now for less</div>');
    await commit();
    const changed = await tool(["run"]);
    assert.equal(changed.code, 1);
    assert.match(changed.stdout, /± changed: 1 changed, 1 unchanged/);
    assert.match(changed.stdout, /\/pricing\s+375/);
    await commit();
    site.pages.clear();
    const failed = await tool(["run", "--quiet"]);
    assert.equal(failed.code, 2, failed.stdout);
    for (const path of ["/", "/pricing"]) site.pages.set(path, "<h1>Shop</h1>");
    const unwaited = await tool(["run", "--no-wait", "--rerun"]);
    assert.equal(unwaited.code, 0);
    assert.match(unwaited.stdout, /^http\S+\n$/);
  });

  it("keeps waiting over a restart of the service, and reports a timeout", async () => {
    const requested = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    site.pages.set("/slow", async (_req, res) => {
      requested.resolve();
      await answer.promise;
      res.writeHead(200, { "Content-Type": "text/html" }).end("<h1>Slow</h1>");
    });
    const late = await tool(["run", "--url", site.url, "--routes", "/slow", "--timeout", "0.02", "--rerun"]);
    assert.equal(late.code, 2);
    assert.match(late.stderr, /is not complete after 0\.02 minutes\. It continues/);
    await requested.promise;
    const waiting = new VrsCommand(["run", "--routes", "/slow", "--rerun"], { cwd });
    await until(() => /Run run_/.test(waiting.stderr));
    await service.kill();
    answer.resolve();
    await service.start();
    assert.equal(await waiting.ended(), 1, waiting.output);
    assert.match(waiting.stdout, /\+ new: 1 new/);
  });

  it("deletes the key, and explains what to do without one", async () => {
    assert.equal((await tool(["logout"])).stdout, "Signed out.\n");
    const { code, stderr } = await tool(["run"]);
    assert.equal(code, 2);
    assert.match(stderr, /Run `vrs login`, or set SERVICE_API_URL and SERVICE_API_KEY/);
    const env = { SERVICE_API_URL: service.baseUrl, SERVICE_API_KEY: "vrs_of_nobody" };
    const refused = await tool(["run", "--json"], env);
    assert.deepEqual([refused.code, JSON.parse(refused.stdout).error.code], [2, "unauthorized"]);
  });
});
