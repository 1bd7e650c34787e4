import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { STARTER_CONFIG } from "../../../../shared/project-config/starter/starter-config.ts";
import { readConfigStatically } from "../../../../shared/project-config/static-reading/read-config-statically.ts";

const FILE = "service.config.ts";
const run = promisify(execFile);
const fromRoot = (path: string) => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));

describe("reading an untrusted configuration", () => {
  it("returns each of several simultaneous requests its own configuration", async () => {
    const sources = Array.from({ length: 5 }, (_, n) => `export default { hide: ["😀${n}\\ud800"] }`);
    const [yaml, ...read] = await Promise.all([
      readConfigStatically("hide: ['a']", "service.yml"),
      ...sources.map(source => readConfigStatically(source, FILE)),
    ]);
    assert.deepEqual(yaml.config?.hide, ["a"]);
    assert.deepEqual(
      read.map(({ config }) => config?.hide),
      sources.map((_, n) => [`😀${n}\ud800`]),
    );
  });

  const hostile: [name: string, source: string][] = [
    ["lists", "[".repeat(120_000)],
    ["objects", `${"{a:".repeat(60_000)}1${"}".repeat(60_000)}`],
    ["operators", `${"!".repeat(250_000)}1`],
    ["types", `{} as ${"A<".repeat(80_000)}1${">".repeat(80_000)}`],
  ];
  for (const [name, nested] of hostile) {
    it(`refuses ${name} so nested that they end a parser's process`, async () => {
      const { config, failures } = await readConfigStatically(`export default ${nested}`, FILE);
      assert.deepEqual([config, failures.map(({ code }) => code)], [null, ["too-large"]]);
    });
  }

  it("refuses a file above the maximum size", async () => {
    for (const [kib, source, name] of [
      [256, "export default {} // ", FILE],
      [64, "# ", "service.yml"],
    ] as const) {
      const full = source.padEnd(kib * 1024, "x");
      assert.deepEqual((await readConfigStatically(full, name)).failures, []);
      const { failures } = await readConfigStatically(`${full}x`, name);
      assert.deepEqual(
        failures.map(({ message }) => message),
        [`The file is larger than ${kib} KiB. Shorten it.`],
      );
    }
  });
});

const TYPED = `import { defineConfig } from "vrs";

export default defineConfig({ viewports: [375] });
`;

describe("the starter configuration", () => {
  it("has the options of a new project's pages, and types for the editor", async () => {
    const { config } = await readConfigStatically(STARTER_CONFIG, FILE);
    assert.deepEqual(
      [config?.baseUrl, config?.routes, config?.viewports, config?.threshold],
      ["http://localhost:3000", ["/"], [375, 768, 1440], 0.01],
    );
    const folder = await mkdtemp(join(tmpdir(), "vrs-config-"));
    try {
      const options = {
        paths: { vrs: [fromRoot("cli/package/index.ts")] },
        ...{ module: "preserve", target: "esnext", strict: true, noEmit: true, skipLibCheck: true },
        ...{
          allowImportingTsExtensions: true,
          types: ["node"],
          typeRoots: [fromRoot("node_modules/@types")],
        },
      };
      await writeFile(
        join(folder, "tsconfig.json"),
        JSON.stringify({ compilerOptions: options, files: [FILE] }),
      );
      const check = () => run(process.execPath, [fromRoot("node_modules/typescript/bin/tsc"), "-p", folder]);
      await writeFile(join(folder, FILE), STARTER_CONFIG);
      await check();
      await writeFile(join(folder, FILE), TYPED);
      await check();
      await writeFile(join(folder, FILE), TYPED.replace("viewports", "viewport"));
      await assert.rejects(check, (error: { stdout?: string }) => {
        assert.match(
          error.stdout ?? "",
          /service\.config\.ts\(\d+,\d+\): .*'viewport' does not exist.*ConfigInput/,
        );
        return true;
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
