import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { loadConfig } from "../../../cli/config/load-config.ts";
import { CommandError } from "../../../cli/terminal.ts";

describe("loading the configuration", () => {
  let root: string;
  let count = 0;
  before(async () => {
    root = await mkdtemp(join(tmpdir(), "vrs-config-"));
  });
  after(() => rm(root, { recursive: true }));

  /** A project of its own, since imported modules are cached. */
  async function project(files: Record<string, string>): Promise<string> {
    count += 1;
    const folder = join(root, `project-${count}`);
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
    return folder;
  }

  const load = async (files: Record<string, string>, path?: string) =>
    await loadConfig({ cwd: await project(files) }, path);

  async function failure(files: Record<string, string>, path?: string): Promise<CommandError> {
    const error: unknown = await load(files, path).then(
      () => null,
      reason => reason,
    );
    if (error instanceof CommandError) return error;
    throw error ?? new Error("It should be refused.");
  }

  it("is found above the working directory", async () => {
    const folder = await project({ "service.config.ts": "export default {};", "a/b/c.txt": "" });
    const { file, root: found, config } = await loadConfig({ cwd: join(folder, "a", "b") });
    assert.equal(file, join(folder, "service.config.ts"));
    assert.equal(found, folder);
    assert.deepEqual(config.routes, ["/"]);
  });

  it("loads without a warning in a CommonJS project", async () => {
    const warnings: string[] = [];
    const listen = (warning: Error) => warnings.push(warning.message);
    process.on("warning", listen);
    try {
      const { config } = await load({
        "package.json": '{ "type": "commonjs" }',
        "service.config.ts":
          'import { defineConfig } from "vrs";\nexport default defineConfig({ routes: ["/a"] });',
      });
      assert.deepEqual(config.routes, ["/a"]);
      await new Promise(resolve => setImmediate(resolve));
      assert.deepEqual(warnings, []);
    } finally {
      process.off("warning", listen);
    }
  });

  it("is read again with the modules that it imports", async () => {
    const folder = await project({
      "package.json": '{ "type": "module" }',
      "service.config.ts": `import { routes } from "./routes.ts";
        import viewports from "./config/viewports.mjs";
        import project from "./project.cjs";
        globalThis.configurationsRun = (globalThis.configurationsRun ?? 0) + 1;
        export default { routes, viewports, project };`,
      "routes.ts": 'export const routes: string[] = ["/a"];',
      "config/viewports.mjs": "export default [400];",
      "project.cjs": 'module.exports = "a";',
    });
    const loaded = async () => {
      const { routes, viewports, project } = (await loadConfig({ cwd: folder })).config;
      return [...routes, ...viewports, project];
    };
    assert.deepEqual(await loaded(), ["/a", 400, "a"]);
    // What nothing has changed runs once: it may start a server.
    assert.deepEqual(await loaded(), ["/a", 400, "a"]);
    assert.equal(Reflect.get(globalThis, "configurationsRun"), 1);
    await writeFile(join(folder, "routes.ts"), 'export const routes: string[] = ["/b"];');
    assert.deepEqual(await loaded(), ["/b", 400, "a"]);
    await writeFile(join(folder, "config/viewports.mjs"), "export default [800];");
    await writeFile(join(folder, "project.cjs"), 'module.exports = "b";');
    assert.deepEqual(await loaded(), ["/b", 800, "b"]);
    await writeFile(join(folder, "service.config.ts"), 'export default { routes: ["/c"], project: "c" };');
    assert.deepEqual(await loaded(), ["/c", 1280, "c"]);
  });

  it("explains what to do without a configuration", async () => {
    assert.equal((await failure({ "a.txt": "" })).code, "config_missing");
    assert.match((await failure({ "a.txt": "" })).message, /vrs init/);
    assert.match((await failure({ "a.txt": "" }, "my.config.ts")).message, /my\.config\.ts doesn't exist/);
  });

  const sources: Record<string, string> = {
    "TypeScript, with defineConfig of vrs":
      'import { defineConfig } from "vrs";\nconst routes: string[] = ["/a"];\nexport default defineConfig({ routes });',
    "an enum, which Node does not run": 'enum R { A = "/a" }\nexport default { routes: [R.A as string] };',
    "what it imports without an ending": 'import { routes } from "./routes";\nexport default { routes };',
    CommonJS: 'module.exports = { routes: ["/a"] };',
  };
  for (const [what, source] of Object.entries(sources)) {
    it(`reads ${what}`, async () => {
      const { config } = await load({
        "service.config.ts": source,
        "routes.ts": 'export const routes = ["/a"];',
      });
      assert.deepEqual(config.routes, ["/a"]);
    });
  }

  it("reads YAML beside other files of the code host", async () => {
    const {
      config,
      root: folder,
      file,
    } = await load({ ".github/service.yml": "routes: [/a]\nthreshold: 0\n" });
    assert.deepEqual(config.routes, ["/a"]);
    assert.equal(join(folder, ".github", "service.yml"), file);
  });

  it("names file, line, column, field and the nearest valid name", async () => {
    const { message, code } = await failure({
      "service.config.ts":
        'export default {\n  routs: ["/a"],\n  perRoute: { "/": { treshold: 2 } },\n  viewports: [100],\n};\n',
    });
    assert.equal(code, "config_invalid");
    const lines = message.split("\n");
    assert.equal(lines.length, 3);
    for (const line of [
      'service.config.ts:2:3: "routs" is not a known field. Did you mean "routes"?',
      'service.config.ts:3:22: "perRoute./.treshold" is not a known field. Did you mean "threshold"?',
    ]) {
      assert.ok(lines.includes(line), `${line}\n${message}`);
    }
    assert.match(message, /service\.config\.ts:4:15: "viewports\[0\]" must/);
  });

  it("names the field of a computed value", async () => {
    const { message } = await failure({ "service.config.ts": "export default { threshold: Number('5') };" });
    assert.match(message, /^service\.config\.ts: "threshold" must be/);
  });

  it("names the position at which a file fails to run", async () => {
    const broken = await failure({ "service.config.ts": "export default {\n  routes: [,\n" });
    assert.match(broken.message, /^service\.config\.ts:\d+:\d+: /);
    const thrown = await failure({
      "service.config.ts": 'const a = 1;\nthrow new Error("No token");\nexport default {};',
    });
    assert.match(thrown.message, /^service\.config\.ts:2:7: The file failed to run: No token$/);
    const none = await failure({ "service.config.ts": "export const a = 1;" });
    assert.match(none.message, /doesn't export a configuration/);
  });

  it("runs a file once if it fails while it reads a broken file", async () => {
    const cwd = await project({
      "routes.json": "[",
      "service.config.ts": [
        'import { appendFileSync, readFileSync } from "node:fs";',
        'appendFileSync(new URL("runs", import.meta.url), "run ");',
        'export default { routes: JSON.parse(readFileSync(new URL("routes.json", import.meta.url), "utf8")) };',
      ].join("\n"),
    });
    await assert.rejects(loadConfig({ cwd }), /JSON/);
    assert.equal(await readFile(join(cwd, "runs"), "utf8"), "run ");
  });

  it("keeps the plugin objects of the file", async () => {
    const { config } = await load({
      "service.config.mjs":
        'class Mine { name = "mine"; seen = 0; afterPage() { this.seen += 1; } }\nexport default { plugins: [new Mine()] };',
    });
    const [plugin] = config.plugins;
    assert.equal(plugin?.constructor.name, "Mine");
    assert.equal(typeof plugin?.afterPage, "function");
  });

  it("refuses a misspelled hook", async () => {
    const source = (plugin: string) => ({ "service.config.mjs": `export default { plugins: [${plugin}] };` });
    const misspelt = await failure(source('{ name: "mine", beforPage() {} }'));
    assert.match(misspelt.message, /plugins\[0\]\.beforPage is not a hook\. Did you mean beforePage\?/);
    const value = await failure(source('{ name: "mine", onReport: 5 }'));
    assert.match(value.message, /plugins\[0\]\.onReport must be a function/);
    const second = await failure(source('{ name: "mine", beforePage() {}, onResult: "slow" }'));
    assert.match(second.message, /plugins\[0\]\.onResult must be a function/);
    const { config } = await load(source('{ name: "mine", report() {}, onReport() { this.report(); } }'));
    assert.equal(config.plugins.length, 1);
    assert.match((await failure(source("{}"))).message, /plugins\[0\]\.name/);
  });
});
