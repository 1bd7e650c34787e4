import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runList } from "../../../shared/contracts/runs/runs.ts";
import { freePort } from "../../support/drivers/free-port.ts";
import { until } from "../../support/drivers/until.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { VrsCommand } from "../../support/drivers/vrs-command.ts";
import { Site } from "../../support/fixtures/site.ts";
import { problemOf } from "../../support/formats/problem.ts";
import { Application, USER } from "../../support/servers/application/application.ts";
import { TcpProxy } from "../../support/servers/http/tcp-proxy.ts";

/** The application's configuration, as in its repository. */
const CONFIG = {
  routes: ["/", "/account"],
  viewports: [600],
  clock: "2026-01-31T09:00:00Z",
  sessions: {
    editor: {
      url: "/login",
      steps: [
        { action: "fill", selector: "label=Email", value: USER.email },
        { action: "fill", selector: "label=Password", value: USER.password },
        { action: "click", selector: 'role=button[name="Log in"]' },
      ],
      expect: { text: "Account of" },
    },
  },
  perRoute: { "/account": { session: "editor" } },
};

describe("vrs run --render remote", () => {
  let application: Application;
  let service: Vrs;
  let cwd: string;

  before(async () => {
    application = await Application.start();
    application.needsCode = false;
    // The service itself may reach nothing on this machine.
    service = await Vrs.start({ SERVICE_ALLOW_HOSTS: "nothing.invalid" });
    cwd = await mkdtemp(join(tmpdir(), "vrs-remote-"));
    await configure(CONFIG);
  });
  after(async () => {
    await Promise.all([service?.stop(), application?.stop()]);
    if (cwd) await rm(cwd, { recursive: true, force: true });
  });

  const configure = (config: object) =>
    writeFile(
      join(cwd, "service.config.ts"),
      `export default ${JSON.stringify({ baseUrl: application.url, ...config })};\n`,
    );
  const start = (...args: string[]) =>
    new VrsCommand(["run", "--json", "--project", "app", ...args], {
      cwd,
      env: { SERVICE_API_URL: service.baseUrl, SERVICE_API_KEY: service.key },
    });
  const ended = async (command: VrsCommand) => {
    const code = await command.ended();
    assert.match(command.stdout, /^\{/, command.output);
    return { code, ...JSON.parse(command.stdout) };
  };

  it("captures an application behind its login that the service can't reach, with the same bytes each time", async () => {
    const direct = start();
    assert.equal(await direct.ended(), 2);
    assert.match(direct.output, /private name/);

    const first = await ended(start("--render", "remote"));
    const errors = first.screenshots.map(({ error }: { error: string | null }) => error);
    assert.deepEqual(errors, [null, null]);
    assert.equal(first.run.conclusion, "new");
    assert.ok(application.logins > 0);
    await service.client().approve(first.run.id);
    const second = await ended(start("--render", "remote"));
    assert.equal(second.code, 0);
    assert.equal(second.run.counts.unchanged, 2);
    assert.notEqual(second.run.id, first.run.id);
  });

  it("refuses to exit before the run ends, and a run without a project", async () => {
    const early = start("--render", "remote", "--no-wait");
    assert.equal(await early.ended(), 2);
    assert.match(early.output, /--no-wait/);
    const local = start("--render", "local");
    assert.equal(await local.ended(), 2);
    assert.match(local.output, /--render must be remote/);
    const env = { SERVICE_API_URL: service.baseUrl, SERVICE_API_KEY: service.key };
    const nameless = new VrsCommand(["run", "--render", "remote"], { cwd, env });
    assert.equal(await nameless.ended(), 2);
    assert.match(nameless.output, /--project/);
    const body = { url: application.url, tunnel: "t".repeat(43) };
    const { detail } = await problemOf(await service.post("/v1/run", body), "invalid_request");
    assert.match(detail, /"project" is required for a tunnel/);
  });

  it("doesn't submit a run if the application doesn't respond", async () => {
    const port = await freePort();
    const command = start("--render", "remote", "--url", `http://localhost:${port}`);
    assert.equal(await command.ended(), 2);
    assert.match(command.output, /Start your application first/);
  });

  it("starts the application for the run, and stops it after the run", async () => {
    const port = await freePort();
    const program = join(cwd, "server.mjs");
    const source = `import { createServer } from "node:http";
      createServer((_, response) => response.setHeader("Content-Type", "text/html").end("<h1>Started</h1>")).listen(${port});`;
    await writeFile(program, source);
    const url = `http://localhost:${port}`;
    const args = ["run", "--json", "--render", "remote", "--project", "started", "--url", url];
    const command = new VrsCommand([...args, "--start", `"${process.execPath}" "${program}"`], {
      cwd: tmpdir(),
      env: { SERVICE_API_URL: service.baseUrl, SERVICE_API_KEY: service.key },
    });
    const { run } = await ended(command);
    assert.equal(run.conclusion, "new");
    await assert.rejects(fetch(url), "it is stopped");
    const alone = start("--start", "true");
    assert.equal(await alone.ended(), 2);
    assert.match(alone.output, /--start requires --render remote/);
  });

  describe("of an application with many pages", () => {
    const routes = Array.from({ length: 12 }, (_, index) => `/page-${index}`);
    let site: Site;
    let neighbor: Site;
    let proxy: TcpProxy;

    before(async () => {
      [site, neighbor] = await Promise.all([
        Site.start(),
        Site.start({ "/secret.png": "not for renderers" }),
      ]);
      proxy = await TcpProxy.start(service.port);
      const style = (_request: unknown, response: ServerResponse) =>
        void setTimeout(
          () => response.writeHead(200, { "Content-Type": "text/css" }).end("h1 { color: red }"),
          300,
        );
      for (const route of routes) {
        site.pages.set(`${route}.css`, style);
        site.pages.set(
          route,
          `<link rel="stylesheet" href="${route}.css"><h1>${route}</h1>
           <script>fetch("${neighbor.url}/secret.png").then(() => document.body.append("reached"), () => {})</script>`,
        );
      }
      const { run } = await ended(many());
      assert.deepEqual([run.conclusion, run.counts.new], ["new", routes.length]);
      await service.client().approve(run.id);
    });
    after(() => Promise.all([site?.stop(), neighbor?.stop(), proxy?.stop()]));

    const many = (url = service.baseUrl) =>
      new VrsCommand(
        [
          ...["run", "--json", "--render", "remote", "--project", "many", "--url", site.url],
          ...["--routes", routes.join(","), "--viewports", "320"],
        ],
        { cwd: tmpdir(), env: { SERVICE_API_URL: url, SERVICE_API_KEY: service.key } },
      );
    /** Waits until the project's latest run has captured some of its pages. Returns its id. */
    const underWay = async (before: string | undefined) => {
      let id: string | undefined;
      await until(async () => {
        const [run] = runList.parse(await (await service.request("/v1/runs?project=many")).json()).data;
        id = run?.id;
        return id !== before && (run?.progress.captured ?? 0) >= 2;
      });
      return id ?? "";
    };
    const latest = async () =>
      runList.parse(await (await service.request("/v1/runs?project=many")).json()).data[0]?.id;

    it("reaches only the application, and not its neighbors", () => {
      assert.deepEqual(neighbor.requested, []);
    });

    it("continues after an interruption, with the same bytes", async () => {
      const before = await latest();
      const command = many(`http://127.0.0.1:${proxy.port}`);
      await underWay(before);
      proxy.heal();
      const { code, run } = await ended(command);
      assert.match(command.stderr, /interrupted.*open again/s);
      assert.deepEqual([code, run.counts.unchanged], [0, routes.length], JSON.stringify(run.counts));
    });

    it("fails its pages, and changes none, if the command is killed", async () => {
      const before = await latest();
      const command = many();
      const id = await underWay(before);
      command.signal("SIGKILL");
      const run = await service.client().waitForRun(id);
      const screenshots = await service.client().listScreenshots(id);
      const failed = screenshots.filter(({ status }) => status === "failed");
      assert.ok(failed.length > 0);
      for (const { error } of failed) assert.match(error ?? "", /the tunnel to it is closed/);
      assert.equal(run.counts.changed + run.counts.new, 0);
      assert.equal(run.counts.unchanged + failed.length, routes.length);
    });

    it("is canceled with the command", async () => {
      const before = await latest();
      const command = many();
      const id = await underWay(before);
      command.signal("SIGINT");
      assert.equal(await command.ended(), 130);
      assert.equal((await service.client().getRun(id)).status, "canceled");
    });
  });
});
