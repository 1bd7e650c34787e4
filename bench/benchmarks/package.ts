/**
 * Measures the size of the command-line tool's npm package, its install time, and the cost of its start.
 *
 * node bench/benchmarks/package.ts [pairs] [--quick]
 */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { buildPackage, pack } from "../../cli/package/build-package.ts";
import { bare, compareMeasurements, type Measure, type Measurement, measureOf } from "../support/figures.ts";
import { timed } from "../support/memory.ts";
import { readOptions } from "../support/options.ts";
import { runPairedRounds } from "../support/paired-rounds.ts";
import { publish } from "../support/publish.ts";

const { pairs, quick } = readOptions({ pairs: 10, quickPairs: 2 });
const run = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), "vrs-bench-package-"));
const measures: Measure[] = [];

try {
  const built = join(folder, "built");
  note("building it", "s", (await timed(() => buildPackage(built))) / 1_000);
  const file = await pack(built, folder);
  note("the package, packed", "MB", (await stat(file)).size / 1e6);
  note("the package, unpacked", "MB", (await bytesOf(built)) / 1e6);
  const project = join(folder, "project");
  await mkdir(project);
  await writeFile(join(project, "package.json"), JSON.stringify({ private: true }));
  await install("npm install, nothing in npm's cache", file, project);
  note("with all that it needs", "MB", (await bytesOf(join(project, "node_modules"))) / 1e6);
  await rm(join(project, "node_modules"), { recursive: true });
  await install("npm install, all in npm's cache", file, project);
  const tool = join(project, "node_modules", ".bin", "vrs");
  const results = await runPairedRounds(
    [
      { name: "vrs --help", measure: () => started(tool, ["--help"]) },
      { name: "node -e 0", measure: () => started(process.execPath, ["-e", "0"]) },
    ],
    { pairs },
  );
  await publish({
    name: "package",
    title: "The package of the command-line tool",
    how: "The package is built, packed and installed into an empty project with an npm cache of its own, once each. Then `vrs --help` is compared with Node that does nothing. The time of the first install depends on the network and the registry.",
    quick,
    withBrowser: false,
    comparisons: [
      compareMeasurements(
        { title: "starting the tool", unit: "ms", ratioIs: "of its time" },
        results.of("vrs --help"),
        results.of("node -e 0"),
      ),
    ],
    measures,
  });
} finally {
  await rm(folder, { recursive: true, force: true });
}

function note(title: string, unit: string, value: number): void {
  measures.push(measureOf({ title, unit }, bare([value])));
}

async function install(title: string, file: string, project: string): Promise<void> {
  const args = ["install", "--no-audit", "--no-fund", "--cache", join(folder, "cache"), file];
  note(title, "s", (await timed(() => run("npm", args, { cwd: project }))) / 1_000);
}

async function started(program: string, args: string[]): Promise<Measurement> {
  return { value: await timed(() => run(program, args)), peakMb: null };
}

async function bytesOf(path: string): Promise<number> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const sizes = entries
    .filter(entry => entry.isFile())
    .map(async entry => (await stat(join(entry.parentPath, entry.name))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
