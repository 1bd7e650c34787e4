import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Child } from "../../support/drivers/child.ts";
import { freePort } from "../../support/drivers/free-port.ts";
import { XDG_CACHE_HOME } from "../../support/drivers/runner.ts";
import { answersOf, Reader, shellBlocks } from "../../support/drivers/tutorial.ts";
import { Site } from "../../support/fixtures/site.ts";

const ROOT = join(import.meta.dirname, "../../..");
const page = (text: string) => `<!doctype html><title>${text}</title><h1>${text}</h1>`;

describe("The tutorials", () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "vrs-tutorials-"));
  });
  after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

  it("of pull requests have no command to run", () => {
    assert.deepEqual(shellBlocks("pull-requests"), []);
  });

  describe("of the service and of monitors", () => {
    const [demo = "", start = "", submit = "", approve = "", ...rest] = shellBlocks("service");
    const [startAgain = "", create = "", read = "", receive = "", alert = "", check = "", ...others] =
      shellBlocks("monitors");
    const [deliveries = "", leaveOut = "", ...more] = others;
    let service: Child;
    let receiver: Child | undefined;
    let site: Site;
    let reader: Reader;
    let API_KEY: string;
    let port: number;

    before(async () => {
      site = await Site.start({ "/": page("Home"), "/pricing": page("Pricing") });
      port = await freePort();
      const env = { ...process.env, PORT: String(port), SERVICE_DATA_DIR: join(folder, "data") };
      reader = new Reader(ROOT, env, {
        "localhost:4400": `localhost:${port}`,
        "localhost:3000": new URL(site.url).host,
        "4600": String(await freePort()),
      });
      service = await startService(start);
      API_KEY = /vrs_[\w-]{20,}/.exec(service.output)?.[0] ?? "";
    });
    after(async () => {
      await receiver?.end("SIGTERM");
      await service?.end("SIGTERM");
      await site?.stop();
    });

    async function startService(command: string): Promise<Child> {
      const child = reader.start(command);
      await child.until(async () =>
        fetch(`http://localhost:${port}/ready`).then(
          ({ ok }) => ok,
          () => false,
        ),
      );
      return child;
    }

    it("have no other commands than those that run here", () => {
      assert.deepEqual([rest, more], [[], []]);
    });

    it("show the demo, which stops at Ctrl-C", async () => {
      const child = new Child("bash", ["-c", `exec ${demo.trim()}`], {
        cwd: ROOT,
        env: process.env,
        detached: true,
      });
      try {
        await child.until(async () => /vrs_demo_[\w-]{20,}/.test(child.output));
        assert.match(child.output, /12 screenshots, 1 unchanged, 11 changed/);
      } finally {
        await child.end("SIGINT");
      }
    });

    it("submit a run, follow it, and approve it", async () => {
      const [run] = answersOf(await reader.run(submit, { API_KEY }));
      assert.match(run?.id ?? "", /^run_/);
      const { code, out, err } = await reader.run(approve, { API_KEY, RUN: run?.id ?? "" });
      assert.equal(code, 0, err);
      assert.match(out, /"status":"completed"[\s\S]*"conclusion":"new"[\s\S]*"approved":4/);
    });

    it("create a monitor, send its alerts to a receiver, and change its ignored parts", async () => {
      await service.end("SIGTERM");
      service = await startService(startAgain);
      const [monitor] = answersOf(await reader.run(create, { API_KEY }));
      const given = { API_KEY, MONITOR: monitor?.id ?? "" };
      assert.match(given.MONITOR, /^mon_/);
      await service.until(async () => answersOf(await reader.run(read, given))[0]?.status === "ok");

      const listener = reader.start(receive);
      receiver = listener;
      assert.equal(answersOf(await reader.run(alert, given)).length, 2);
      await listener.until(async () =>
        listener.output.includes("monitor.test: Test alert: Shop. This is a test alert. Nothing is wrong."),
      );
      site.pages.set("/pricing", page("Prices"));
      assert.equal(answersOf(await reader.run(check, given)).length, 1);
      await listener.until(async () => /monitor\.changed: Shop: \/pricing/.test(listener.output));

      const { code, out, err } = await reader.run(deliveries, given);
      assert.equal(code, 0, err);
      assert.match(out, /"id":"dlv_/);
      assert.equal(answersOf(await reader.run(leaveOut, given))[0]?.id, given.MONITOR);
    });
  });

  describe("of the command line", function () {
    this.timeout(360_000);
    const blocks = shellBlocks("command-line");
    const [install = "", init = "", check = "", report = "", approve = "", again = "", doctor = "", ...more] =
      blocks;
    let project: string;
    let reader: Reader;
    let port: number;

    const showPages = (text: string) =>
      writeFile(join(project, "pages.json"), JSON.stringify({ "/": page(text) }));

    before(async function () {
      if (process.platform !== "linux" || process.arch !== "x64") this.skip();
      project = join(folder, "project");
      await mkdir(project);
      port = await freePort();
      await writeFile(
        join(project, "package.json"),
        JSON.stringify({
          name: "shop",
          private: true,
          type: "module",
          scripts: { dev: `node server.js --port ${port}` },
        }),
      );
      await writeFile(
        join(project, "server.js"),
        `import { readFileSync } from "node:fs"; import { createServer } from "node:http";
createServer((req, res) => res.setHeader("Content-Type", "text/html").end(JSON.parse(readFileSync("pages.json"))[req.url])).listen(${port});`,
      );
      await showPages("Home");
      const env = {
        ...process.env,
        XDG_CACHE_HOME,
        CI: "",
        npm_config_audit: "false",
        npm_config_fund: "false",
        npm_config_prefer_offline: "true",
      };
      reader = new Reader(project, env, { "../vrs": ROOT });
    });

    const codeOf = async (block: string, expected: number) => {
      const { code, out, err } = await reader.run(block);
      assert.equal(code, expected, `${block}${out}${err}`);
      return out;
    };

    it("has no other commands than those that run here", () => {
      assert.deepEqual(more, []);
    });

    it("installs the tool, and leads to a first change", async () => {
      await codeOf(install, 0);
      await codeOf(init, 0);
      assert.match(
        await readFile(join(project, "service.config.ts"), "utf8"),
        new RegExp(`localhost:${port}`),
      );
      await codeOf(check, 1);
      assert.match(await codeOf(report, 0), /report\.html/);
      await codeOf(approve, 0);
      await codeOf(again, 0);
      await showPages("Another home, with many more words than before");
      assert.match(await codeOf(again, 1), /changed/i);
    });

    it("finds problems of this machine", async () => {
      const { code, out, err } = await reader.run(doctor);
      assert.ok([0, 2].includes(code), out + err);
      assert.match(out, /Node/);
    });
  });
});
