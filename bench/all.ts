/**
 * Runs the benchmarks one after the other, each in its own process. It writes their figures to bench/results and
 * docs/reference/benchmarks.md. It continues after a failure. It ends with exit code 1 when a benchmark failed or a bar
 * is missed.
 *
 * npm run bench -- [--quick] [--resume folder] [name…]
 *
 * `real-pages` selects all benchmarks whose names begin with it. `--resume` is for `real-pages-unchanged` and
 * `explain`, which continue from their measurements in the folder.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { parseArgs } from "node:util";
import { BENCHES, type BenchName } from "./support/benches.ts";
import { type Figures, figures } from "./support/figures.ts";
import { missedBars } from "./support/format.ts";
import { writePage, writeResult } from "./support/results.ts";

/** Most benchmarks take at most fifteen minutes on two cores, and half as long again on slow ones. */
const LIMIT_MS = 30 * 60_000;
/** They capture thousands of screenshots, or wait for slower tools that do. */
const LONG_LIMIT_MS = 8 * 60 * 60_000;
const LONG: readonly BenchName[] = [
  "real-pages-unchanged",
  "real-pages-time",
  "real-pages-changes",
  "monitor-day",
  "explain",
  "storybook",
];

interface Outcome {
  name: BenchName;
  seconds: number;
  /** Why the benchmark failed, or null. */
  failure: string | null;
  figures: Figures | null;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: "boolean", default: false }, resume: { type: "string" } },
});
const isMeant = (bench: BenchName, name: string) => bench === name || bench.startsWith(`${name}-`);
const unknown = positionals.filter(name => !BENCHES.some(bench => isMeant(bench, name)));
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(", ")}. The benches are ${BENCHES.join(", ")}.`);
  process.exit(2);
}

const outcomes: Outcome[] = [];
for (const name of BENCHES) {
  if (positionals.length > 0 && !positionals.some(selected => isMeant(name, selected))) continue;
  console.log(`\n── ${name} ──`);
  const outcome = await run(name);
  outcomes.push(outcome);
  if (outcome.figures) await writeResult(outcome.figures);
  if (outcome.failure) console.error(`${name} failed: ${outcome.failure}`);
}
await writePage();
console.log();
for (const outcome of outcomes) console.log(summaryOf(outcome));
if (outcomes.some(({ failure, figures: measured }) => failure || (measured && missedBars(measured) > 0)))
  process.exitCode = 1;

async function run(name: BenchName): Promise<Outcome> {
  const began = performance.now();
  const args = values.quick ? ["--quick"] : [];
  if (values.resume !== undefined && (name === "real-pages-unchanged" || name === "explain"))
    args.push("--resume", values.resume);
  const timeout = LONG.includes(name) ? LONG_LIMIT_MS : LIMIT_MS;
  const child = fork(new URL(`./benchmarks/${name}.ts`, import.meta.url), args, { timeout });
  // The benchmark must end with this program.
  const end = () => child.kill("SIGTERM");
  process.once("SIGTERM", end);
  let handed: unknown;
  child.on("message", message => {
    handed = message;
  });
  // Its last message may arrive after its exit, but not after the channel closes.
  const [[code, signal]] = await Promise.all([once(child, "close"), once(child, "disconnect")]);
  process.off("SIGTERM", end);
  const measured = figures.safeParse(handed);
  const failure = signal
    ? `it was ended by ${signal}`
    : code !== 0
      ? `it ended with exit code ${code}`
      : null;
  return {
    name,
    seconds: (performance.now() - began) / 1_000,
    failure: failure ?? (handed !== undefined && !measured.success ? measured.error.message : null),
    figures: measured.success ? measured.data : null,
  };
}

function summaryOf({ name, seconds, failure, figures: measured }: Outcome): string {
  const missed = measured ? missedBars(measured) : 0;
  const state = failure ? `FAILED: ${failure}` : missed > 0 ? `bars missed: ${missed}` : "bars kept";
  return `${name.padEnd(20)} ${seconds.toFixed(0).padStart(5)} s   ${measured || failure ? state : "no figures"}`;
}
