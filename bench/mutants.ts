/**
 * Measures how many mutants of the rules and of the comparison the unit tests kill. A mutant is a copy of a rule with one small change, and
 * a test that fails kills it. It prints each surviving mutant and the score per file. It ends with exit code 1 if less
 * than 90% are killed.
 *
 * npm run mutants -- [--tests glob] [file…]
 *
 * The files are mutated in place of all. `--tests` names the tests that run, which is faster with those of one file.
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";

/** The project's bar, in percent of the mutants. */
const BAR = 90;
const RULES = [
  "services/{billing,runs}/**/*.rule.ts",
  "shared/alerts/*.rule.ts",
  "shared/compare/*.ts",
  // Stryker can't switch mutants on in a pool's worker threads.
  "!shared/compare/compare-{pool,worker}.ts",
];
const TESTS = "test/unit/{alerts,billing,compare,runs}/*.test.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { tests: { type: "string", default: TESTS } },
});

const ROOT = join(import.meta.dirname, "..");
const PEERS = join(import.meta.dirname, "node_modules");
const STRYKER = join(PEERS, "@stryker-mutator");

const folder = await mkdtemp(join(tmpdir(), "vrs-mutants-"));
try {
  await copySources();
  await linkPackages();
  await writeFile(join(folder, "stryker.config.json"), JSON.stringify(strykerConfig()));
  const command = [join(STRYKER, "core/bin/stryker.js"), "run", "stryker.config.json"];
  const stryker = spawn(process.execPath, command, { cwd: folder, stdio: "inherit" });
  const [code] = await once(stryker, "close");
  process.exitCode = code === 0 ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Copies what the tests read: the project's files, also uncommitted ones. */
async function copySources(): Promise<void> {
  const list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"];
  const { stdout } = await promisify(execFile)("git", list, { cwd: ROOT, maxBuffer: 2 ** 26 });
  for (const path of stdout.split("\0")) {
    // The root's configuration is for its own mocha.
    if (path === "" || path === ".mocharc.json" || path.startsWith("bench/")) continue;
    // The list still holds files that were deleted and not committed.
    if (existsSync(join(ROOT, path))) await cp(join(ROOT, path), join(folder, path));
  }
}

/** Links the root's packages, except mocha: the test runner of Stryker can't load mocha 12. */
async function linkPackages(): Promise<void> {
  const target = join(folder, "node_modules");
  await mkdir(target);
  for (const name of await readdir(join(ROOT, "node_modules"))) {
    if (name.startsWith(".")) continue;
    const source = name === "mocha" ? PEERS : join(ROOT, "node_modules");
    await symlink(join(source, name), join(target, name), "junction");
  }
}

function strykerConfig(): object {
  return {
    plugins: [join(STRYKER, "mocha-runner/dist/src/index.js")],
    testRunner: "mocha",
    mochaOptions: { "no-config": true, "no-package": true, spec: [values.tests] },
    coverageAnalysis: "perTest",
    mutate: positionals.length > 0 ? positionals : RULES,
    // A timeout counts as killed. On a busy machine, a slow test must not look like an endless loop.
    timeoutMS: 20_000,
    // TypeScript 7 has no API for Stryker. Node strips the types, so Stryker needs no configuration of TypeScript.
    tsconfigFile: "none.json",
    disableTypeChecks: false,
    reporters: ["clear-text", "progress-append-only"],
    clearTextReporter: { logTests: false, reportTests: false },
    thresholds: { high: 95, low: BAR, break: BAR },
  };
}
