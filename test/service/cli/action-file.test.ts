import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { parse } from "yaml";
import { z } from "zod";
import { actionFailures } from "../../support/formats/workflow-schema.ts";

const run = promisify(execFile);

const actionSchema = z.object({
  inputs: z.record(z.string(), z.object({ default: z.string() })),
  runs: z.object({
    steps: z.array(
      z.object({
        id: z.string().optional(),
        if: z.string().optional(),
        run: z.string().optional(),
        env: z.record(z.string(), z.string()).default({}),
        "working-directory": z.string().default("."),
      }),
    ),
  }),
});

describe("the action", () => {
  let source: string;
  let folder: string;
  /** Values of the expressions in the last run. */
  let values: Map<string, string>;

  before(async () => {
    source = await readFile(new URL("../../../action.yml", import.meta.url), "utf8");
    folder = await mkdtemp(join(tmpdir(), "vrs action "));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it("is valid by the code host's schema", () => {
    assert.deepEqual(actionFailures(source), []);
    for (const [right, wrong] of [
      ["using: composite", "using: composit"],
      ["shell: bash", "shel: bash"],
    ] as const) {
      assert.notDeepEqual(actionFailures(source.replace(right, wrong)), [], wrong);
    }
  });

  it("uses the starter's configuration file by default", () => {
    assert.equal(actionSchema.parse(parse(source)).inputs.config?.default, "./service.config.ts");
  });

  it("passes no input into a script", () => {
    for (const { run: script = "" } of actionSchema.parse(parse(source)).runs.steps) {
      assert.doesNotMatch(script, /\$\{\{/);
    }
  });

  // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell's, not a template's.
  const config = './a b/"$(touch hit)`touch hit`${HOME}';

  it("runs the project's own vrs with the configuration", async () => {
    const project = await makeProject("own");
    await addTool(project);
    const printed = await runAction({ project, config, checkout: join(folder, "none") });
    assert.deepEqual(printed, ["own", "check", "--config", config]);
    assert.equal(reportFolder(), "a b/.service/check");
  });

  it("starts the application as configured", async () => {
    const project = await makeProject("started");
    await addTool(project);
    const start = `npm run dev -- --name "a b" '$(touch hit)'`;
    const yaml = ".github/service.yml";
    const printed = await runAction({ project, config: yaml, checkout: join(folder, "none"), start });
    assert.deepEqual(printed, ["own", "check", "--config", yaml, "--start", start]);
    assert.equal(reportFolder(), ".service/check");
  });

  it("installs the tool of its own version in a project without one, without the service's packages", async () => {
    const project = await makeProject("plain");
    const checkout = join(folder, "checkout");
    const root = fileURLToPath(new URL("../../../", import.meta.url));
    for (const path of ["cli/package", "cli/texts", "shared/report/page", "package-lock.json"])
      await cp(join(root, path), join(checkout, path), { recursive: true });
    await writeFile(
      join(checkout, "cli", "main.ts"),
      `import ip from "ipaddr.js";
      const said: string[] = process.argv.slice(2);
      for (const word of [...said, String(ip.isValid("::1"))]) console.log(word);`,
    );
    const printed = await runAction({ project, config, checkout });
    assert.deepEqual(printed, ["check", "--config", config, "true"]);
    const installed = await readdir(join(folder, "vrs", "node_modules"));
    assert.deepEqual(
      installed.filter(name => !name.startsWith(".")),
      ["ipaddr.js"],
    );
  });

  const reportFolder = () => normalize(values.get("steps.check.outputs.report") ?? "");

  async function addTool(project: string): Promise<void> {
    const tool = join(project, "node_modules", ".bin", "vrs");
    await mkdir(dirname(tool), { recursive: true });
    await writeFile(tool, `#!/bin/sh\nprintf '%s\\n' "own" "$@"\n`);
    await chmod(tool, 0o755);
  }

  async function makeProject(name: string): Promise<string> {
    const project = join(folder, name);
    await mkdir(project);
    const manifest = { name: `project-${name}`, version: "1.0.0" };
    await writeFile(join(project, "package.json"), JSON.stringify(manifest));
    const lock = { ...manifest, lockfileVersion: 3, requires: true, packages: { "": manifest } };
    await writeFile(join(project, "package-lock.json"), JSON.stringify(lock));
    return project;
  }

  /** Runs the scripts like the code host, and returns the last one's output. */
  async function runAction(given: {
    project: string;
    config: string;
    checkout: string;
    start?: string;
  }): Promise<string[]> {
    const { inputs, runs } = actionSchema.parse(parse(source));
    values = new Map(Object.entries(inputs).map(([name, input]) => [`inputs.${name}`, input.default]));
    values.set("inputs.config", given.config).set("inputs.start", given.start ?? "");
    let printed = "";
    for (const [index, step] of runs.steps.entries()) {
      if (step.run === undefined) continue;
      const [, left = "", right] = /^([\w.]+) == '(\w+)'$/.exec(step.if ?? "") ?? [];
      if (step.if !== undefined && values.get(left) !== right) continue;
      const fill = (text: string) =>
        text.replace(/\$\{\{ ([\w.-]+) \}\}/g, (_, name: string) => values.get(name) ?? assert.fail(name));
      const output = join(folder, `output-${index}`);
      await writeFile(output, "");
      const env = Object.fromEntries(Object.entries(step.env).map(([name, text]) => [name, fill(text)]));
      const where = fill(step["working-directory"]);
      const done = await run("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", step.run], {
        cwd: where.startsWith("/") ? where : join(given.project, where),
        env: {
          ...process.env,
          ...env,
          GITHUB_OUTPUT: output,
          GITHUB_ACTION_PATH: given.checkout,
          RUNNER_TEMP: folder,
        },
      });
      printed = done.stdout;
      for (const [, name, value] of (await readFile(output, "utf8")).matchAll(/^(\w+)=(.*)$/gm)) {
        values.set(`steps.${step.id}.outputs.${name}`, value ?? "");
      }
    }
    return printed.trimEnd().split("\n");
  }
});
