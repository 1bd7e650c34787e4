/**
 * `npm test`: all checks, and all tests but the journeys of fleets and tools. `npm test -- test/unit/x.test.ts` runs only the given files, and
 * passes on mocha's own options.
 */
import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";

const MOCHA = join(import.meta.dirname, "../../../node_modules/mocha/bin/mocha.js");
/** As many as cores. On busy cores, each of more files takes several times as long, and so do all together. */
const JOBS = String(Math.max(2, availableParallelism()));
/** The other journeys start fleets, test runners and packages, which takes longer than all of these. */
const JOURNEYS = "test/journey/{dashboard,service}/**/*.test.ts";
const DEFAULT = ["--parallel", "--jobs", JOBS, JOURNEYS, "test/{security,service,unit}/**/*.test.ts"];

function run(file: string, args: string[]): boolean {
  return spawnSync(process.execPath, [file, ...args], { stdio: "inherit" }).status === 0;
}

const given = process.argv.slice(2);
const isDone =
  given.length > 0
    ? run(MOCHA, given)
    : run(join(import.meta.dirname, "run-checks.ts"), []) && run(MOCHA, DEFAULT);
process.exitCode = isDone ? 0 : 1;
