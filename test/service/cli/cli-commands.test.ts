import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { promisify } from "node:util";
import { parse } from "yaml";
import { UrlHistory } from "../../../cli/monitor/url-history.ts";
import { runVrs } from "../../../cli/program.ts";
import { Interrupt } from "../../../cli/terminal.ts";
import { STARTER_CONFIG } from "../../../shared/project-config/starter/starter-config.ts";
import { starterWorkflow } from "../../../shared/project-config/starter/starter-workflow.ts";
import { RecordingTerminal } from "../../support/drivers/cli-terminal.ts";
import { freePort } from "../../support/drivers/free-port.ts";
import { until } from "../../support/drivers/until.ts";
import { makeCheckedScreenshot, makeCheckResult } from "../../support/fixtures/made-check.ts";
import { Site } from "../../support/fixtures/site.ts";

const run = promisify(execFile);

const actionWorkflow = (action: string) =>
  starterWorkflow({ runner: { action }, install: "npm install", starting: null });

describe("commands of the tool", () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "vrs-cli-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const write = async (path: string, text: string) => {
    await mkdir(join(folder, path, ".."), { recursive: true });
    await writeFile(join(folder, path), text);
  };
  const read = (path: string) => readFile(join(folder, path), "utf8");
  const call = async (words: string, parts: Partial<RecordingTerminal> = {}) => {
    const terminal = new RecordingTerminal({ cwd: folder, env: { ...process.env, HOME: folder }, ...parts });
    const code = await runVrs(words.split(" "), terminal);
    return { code, out: terminal.printed, err: terminal.errors };
  };

  describe("init", () => {
    const repository = (remote: string) =>
      run("git", ["init", "-q", folder]).then(() =>
        run("git", ["-C", folder, "remote", "add", "origin", remote]),
      );

    it("replaces existing files only with --force", async () => {
      await write("service.config.ts", "mine");
      await write(".github/workflows/service.yml", "mine too");
      const refused = await call("init --action acme/vrs");
      assert.equal(refused.code, 2);
      assert.match(refused.err, /service\.config\.ts already exists\..*--force/);
      assert.equal(await read("service.config.ts"), "mine");
      await rm(join(folder, "service.config.ts"));
      assert.match((await call("init --action acme/vrs")).out, /service\.yml not written: it already exists/);
      assert.equal(await read(".github/workflows/service.yml"), "mine too");
      const forced = await call("init --force --action acme/vrs");
      assert.equal(forced.code, 0);
      assert.match(forced.out, /^ {2}vrs check\n {2}vrs approve$/m);
      assert.equal(await read(".github/workflows/service.yml"), actionWorkflow("acme/vrs"));
    });

    it("refuses an invalid address", async () => {
      const bad = await call("init --base-url nonsense");
      assert.equal(bad.code, 2);
      assert.match(bad.err, /^Error: "baseUrl" must be /);
      await assert.rejects(read("service.config.ts"), { code: "ENOENT" });
    });

    it("refuses a second configuration of another name", async () => {
      for (const name of ["service.config.mjs", ".github/service.yml"]) {
        await write(name, "routes: [/]");
        for (const words of ["init", "init --force"]) {
          const { code, err } = await call(words);
          assert.equal(code, 2);
          assert.equal(err, `Error: ${name} already exists. Edit it instead.\n`);
        }
        await assert.rejects(read("service.config.ts"), { code: "ENOENT" });
        await rm(join(folder, name));
      }
    });

    it("writes no workflow that could not run, and says where one would", async () => {
      await repository("https://code.example/acme/shop.git");
      const cwd = join(folder, "packages", "web");
      await mkdir(cwd, { recursive: true });
      const { code, out } = await call("init --json --action acme/vrs", { cwd });
      assert.equal(code, 0);
      const { action, written, skipped } = JSON.parse(out);
      assert.deepEqual([action, written], [null, ["service.config.ts", ".gitignore"]]);
      assert.equal(skipped[0].path, ".github/workflows/service.yml");
      assert.match(skipped[0].why, /top folder .* acme\/vrs@v0 with working-directory: packages\/web$/);
    });

    it("uses the owner's own action if it has the tag", async () => {
      const asked: string[] = [];
      const host = createServer(({ url = "" }, res) => {
        asked.push(url);
        res.end(url.startsWith("/acme/vrs.git/info/refs") ? `${"a".repeat(40)}\trefs/tags/v0\n` : "");
      });
      await new Promise<void>(resolve => void host.listen(0, "127.0.0.1", resolve));
      try {
        const address = host.address();
        assert.ok(typeof address === "object" && address);
        await repository(`http://127.0.0.1:${address.port}/acme/shop.git`);
        await call("init");
        assert.equal(await read(".github/workflows/service.yml"), actionWorkflow("acme/vrs"), asked.join());
        await run("git", [
          "-C",
          folder,
          "remote",
          "set-url",
          "origin",
          `http://127.0.0.1:${address.port}/b/shop`,
        ]);
        const { skipped } = JSON.parse((await call("init --force --json")).out);
        assert.match(skipped[0].why, /^no action was found, and vrs is not a dependency/);
      } finally {
        host.close();
      }
    });

    it("runs the project's own vrs without an action, and waits for baselines", async () => {
      await repository("https://code.example/acme/shop.git");
      await write("package-lock.json", "{}");
      await write(
        "package.json",
        JSON.stringify({ scripts: { dev: "vite" }, devDependencies: { vrs: "1" } }),
      );
      const { out } = await call("init --json");
      assert.equal(JSON.parse(out).action, null);
      const text = await read(".github/workflows/service.yml");
      const [checkout, , ...steps] = parse(text).jobs.service.steps;
      const hasBaselines = "hashFiles('.service/baselines/**') != ''";
      assert.deepEqual(
        [checkout, ...steps.slice(0, 3)],
        [
          { uses: "actions/checkout@v4" },
          { if: hasBaselines, uses: "actions/setup-node@v4", with: { "node-version": "24" } },
          { if: hasBaselines, run: "npm ci" },
          {
            if: hasBaselines,
            run: 'npx --no-install vrs check --config ./service.config.ts --start "npm run dev"',
          },
        ],
      );
    });

    it("uses the configured action", async () => {
      const { out } = await call("init --json", { env: { ...process.env, SERVICE_ACTION: "tools/vrs" } });
      assert.equal(JSON.parse(out).action, "tools/vrs");
    });

    it("writes a starter configuration and workflow without any known facts", async () => {
      await repository("https://code.example/acme/shop.git");
      const { code, out } = await call("init --json --action acme/vrs");
      assert.equal(code, 0);
      assert.deepEqual(JSON.parse(out).written, [
        "service.config.ts",
        ".github/workflows/service.yml",
        ".gitignore",
      ]);
      assert.equal(await read("service.config.ts"), STARTER_CONFIG);
      assert.match(STARTER_CONFIG, /0\.01 is 1%\..*\n {2}threshold: 0\.01,/);
      assert.equal(await read(".github/workflows/service.yml"), actionWorkflow("acme/vrs"));
    });

    it("detects framework, port, script and package manager, and keeps the lines of .gitignore", async () => {
      await repository("git@code.example:acme/shop.git");
      await write(".gitignore", "node_modules\n.service/check/");
      await write("pnpm-lock.yaml", "");
      await write(
        "package.json",
        JSON.stringify({
          scripts: { dev: "astro dev --port 4444" },
          dependencies: { astro: "5" },
          devDependencies: { vrs: "1" },
        }),
      );
      const { out } = await call("init --action acme/vrs");
      assert.match(out, /^ {2}npx vrs check --start "pnpm run dev"\n {2}npx vrs approve$/m);
      assert.match(
        await read("service.config.ts"),
        /^import \{ defineConfig \} from "vrs";[\s\S]*"http:\/\/localhost:4444"/,
      );
      const workflow = await read(".github/workflows/service.yml");
      assert.match(workflow, /- run: "corepack enable && pnpm install --frozen-lockfile"/);
      assert.match(workflow, / {10}start: "pnpm run dev"\n$/);
      assert.equal(await read(".gitignore"), "node_modules\n.service/check/\n.service/monitor-history/\n");
    });

    it("asks on a terminal, and uses the detected values on Enter", async () => {
      const input = new PassThrough();
      const answers = ["http://localhost:8000\n", "\n", "400, 900\n", "0.7\n"];
      const terminal = new RecordingTerminal({ cwd: folder, canPrompt: true, isInteractive: true, input });
      terminal.err = text => {
        terminal.errors += text;
        if (/\) $/.test(text)) input.write(answers.shift() ?? "");
      };
      assert.equal(await runVrs(["init", "--no-workflow"], terminal), 0);
      assert.match(terminal.errors, /URL during development \(http:\/\/localhost:3000\)/);
      assert.match(
        await read("service.config.ts"),
        /localhost:8000[\s\S]*\["\/"\][\s\S]*\[400, 900\][\s\S]*threshold: 0\.007,/,
      );
      assert.match(terminal.errors, /Threshold in percent \(1%\)/);
      answers.push("\n", "\n", "12\n", "\n");
      assert.equal(await runVrs(["init", "--no-workflow", "--force"], terminal), 2);
      assert.match(terminal.errors, /In "viewports", 12 is not a width from 240 to 3,840 px\.\n$/);
      answers.push("\n", "\n", "\n", "150%\n");
      assert.equal(await runVrs(["init", "--no-workflow", "--force"], terminal), 2);
      assert.match(terminal.errors, /"150%" is not a threshold\. Enter a number from 0 to 100\.\n$/);
    });
  });

  describe("report", () => {
    it("explains a missing or unreadable report", async () => {
      assert.match((await call("report")).err, /There is no check here yet\. Run `vrs check` first\./);
      await write(".service/check/result.json", "{");
      assert.match((await call("report")).err, /is damaged, or from another version of vrs/);
    });

    it("is found from a folder below, and completes routes", async () => {
      const report = join(folder, ".service", "check", "report.html");
      const result = makeCheckResult(
        [makeCheckedScreenshot("/pricing", 375), makeCheckedScreenshot("/$(touch hit)", 375)],
        { report },
      );
      await write(".service/check/result.json", JSON.stringify(result));
      assert.equal((await call("report")).code, 2);
      await write(".service/check/report.html", "<p>");
      const below = join(folder, "apps");
      assert.deepEqual(await call("report", { cwd: below }), { code: 0, out: `${report}\n`, err: "" });
      assert.equal(JSON.parse((await call("report --json")).out).report, report);
      assert.equal((await call("completion --routes")).out, "/pricing\n");
    });
  });

  describe("monitor", () => {
    const A = "https://a.example/";
    const B = "https://b.example/pricing";
    const dir = () => join(folder, ".service", "monitor-history");
    const checkedPages = async (...urls: string[]) => {
      for (const url of urls) {
        const history = UrlHistory.of(dir(), url);
        await history.open();
        const at = "2026-01-01T00:00:00.000Z";
        await history.add({ version: 1, url, at, durationMs: 1, outcome: "ok", threshold: 0.05, shots: [] });
      }
    };

    it("accepts a repeated URL option", async () => {
      await checkedPages(A, B, "https://c.example/");
      const { out } = await call(`monitor --history --json -u ${A} -u ${B}`);
      const urls = JSON.parse(out).entries.map(({ url }: { url: string }) => url);
      assert.deepEqual(urls.sort(), [A, B]);
    });

    it("distinguishes an unknown URL from an empty history", async () => {
      assert.match((await call(`monitor --history -u ${A}`)).err, /has no history yet\. Run `vrs monitor`/);
      const others = Array.from({ length: 7 }, (_, n) => `https://c.example/${n}`);
      await checkedPages(B, ...others);
      const { code, out, err } = await call(`monitor --history -u ${A},${B}`);
      assert.deepEqual([code, out.trim().split("\n").length], [0, 1]);
      assert.match(out, /https:\/\/b\.example\/pricing\n$/);
      const printed = `${dir()} has no history of ${A}. It has history of ${[B, ...others.slice(0, 4)].join(", ")}, and 3 more.\n`;
      assert.equal(err, printed);
      assert.equal((await call(`monitor --history -u ${A}`)).err, printed);
      assert.equal((await call(`monitor --history -q -u ${A}`)).err, "");
      assert.equal((await call("monitor --history")).err, "");
    });

    it("refuses to prune with options of a check", async () => {
      for (const words of ["--accept", "-t 5", "--webhook https://hooks.example/x"]) {
        const { code, err } = await call(`monitor --prune 30d ${words}`);
        assert.equal(code, 2);
        assert.match(err, /--prune checks pages only with --interval or --watch, so --\w+ has no effect/);
      }
      assert.equal((await call("monitor --prune 30d")).code, 0);
    });

    it("reports the limit of history entries", async () => {
      const { code, err } = await call("monitor --history --limit 1000000");
      assert.equal(code, 2);
      assert.match(err, /'1000000' is invalid\. Give a whole number from 1 to 999,999\./);
    });
  });

  describe("completion", () => {
    it("offers commands, options, and values in bash", async () => {
      const { out: script } = await call("completion bash");
      const complete = async (...words: string[]) => {
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell's, not a template's.
        const ask = 'eval "$SCRIPT"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _vrs; echo "${COMPREPLY[*]}"';
        const { stdout } = await run("bash", ["-c", ask, "_", "vrs", ...words], {
          env: { ...process.env, SCRIPT: script },
        });
        return stdout.trim();
      };
      assert.equal(await complete("che"), "check");
      assert.equal(await complete("check", "--jun"), "--junit");
      assert.equal(await complete("--json", "report", "--pa"), "--path");
      assert.equal(await complete("completion", ""), "bash zsh fish");
      assert.equal(await complete("check", "--config", "x"), "");
    });

    it("supports the current shell, and refuses unknown ones by name", async () => {
      const zsh = await call("completion", { env: { SHELL: "/usr/bin/zsh" } });
      assert.match(zsh.out, /^#compdef vrs\n/);
      const json = JSON.parse((await call("completion fish --json")).out);
      assert.deepEqual([json.shell, json.script], ["fish", (await call("completion fish")).out]);
      assert.deepEqual(JSON.parse((await call("completion --routes --json")).out), { routes: [] });
      const none = await call("completion", { env: { SHELL: "/bin/tcsh" } });
      assert.match(none.err, /vrs has no completion for tcsh\. Choose one of bash, zsh, fish\./);
    });
  });

  describe("run", () => {
    it("reports that it waits for an unreachable service", async () => {
      const stopping = new AbortController();
      const env = { SERVICE_API_URL: "http://127.0.0.1:1", SERVICE_API_KEY: "vrs_key" };
      const terminal = new RecordingTerminal({ cwd: folder, env, signal: stopping.signal });
      const code = runVrs(["run", "--url", "https://shop.example"], terminal);
      await until(() => terminal.errors !== "");
      assert.match(
        terminal.errors,
        /^Failed to reach http:\/\/127\.0\.0\.1:1: .+\. Retrying for 2 minutes\.\n$/,
      );
      stopping.abort(new Interrupt("SIGINT"));
      assert.equal(await code, 130);
    });
  });

  describe("login", () => {
    it("stops reading standard input when it is interrupted", async () => {
      const stopping = new AbortController();
      const input = new PassThrough();
      const terminal = new RecordingTerminal({ cwd: folder, input, signal: stopping.signal });
      const words = ["login", "--url", "https://vrs.example", "--with-key-from-stdin"];
      const code = runVrs(words, terminal);
      await until(() => input.listenerCount("readable") > 0);
      stopping.abort(new Interrupt("SIGINT"));
      assert.equal(await code, 130);
    });
  });

  describe("doctor", () => {
    it("finds problems, explains how to fix them, and exits with 2", async () => {
      await write("service.config.ts", "export default { rutes: [] };");
      const env = {
        HOME: folder,
        PATH: process.env.PATH,
        CHROMIUM_PATH: join(folder, "none"),
        SERVICE_API_URL: "http://localhost:1",
      };
      const { code, out } = await call("doctor --json", { env });
      assert.equal(code, 2);
      const findings: { name: string; state: string; said: string }[] = JSON.parse(out).findings;
      const failures = findings
        .filter(({ state }) => state === "fault")
        .map(({ name, said }) => `${name}: ${said}`);
      assert.equal(failures.length, 3, out);
      assert.match(failures[0] ?? "", /^Browser: CHROMIUM_PATH is .*none, which does not start/);
      assert.match(failures[1] ?? "", /^Configuration: service\.config\.ts:.*routes/s);
      assert.match(failures[2] ?? "", /^Service: There is no API key for http:\/\/localhost:1/);
    });

    it("starts the browser, requests the application, and reads the baselines", async () => {
      const site = await Site.start({ "/": "<p>here" });
      try {
        await run("git", ["init", "-q", folder]);
        await write("service.config.ts", `export default { baseUrl: ${JSON.stringify(site.url)} };`);
        const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"a".repeat(64)}\nsize 12345\n`;
        await write(".service/baselines/index--1280.png", pointer);
        const url = `http://localhost:${await freePort()}`;
        const env = { ...process.env, SERVICE_API_URL: url, SERVICE_API_KEY: "vrs_1" };
        const { code, out } = await call("doctor", { env });
        assert.equal(code, 0, out);
        assert.match(out, /^✓ Browser +chromium \d+/m);
        assert.match(out, /^. Fonts/m);
        assert.match(out, /^✓ Application +responds at http:\/\/localhost:\d+$/m);
        assert.match(out, /^! Git LFS +1 baseline is only a Git LFS pointer\n +→ Run `git lfs pull`\.$/m);
        assert.match(out, /^! Service +Failed to reach http:\/\/localhost:\d+: [^→]*ECONNREFUSED/m);
      } finally {
        await site.stop();
      }
    });
  });
});
