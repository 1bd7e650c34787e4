import { appendFileSync, readFileSync } from "node:fs";
import { relative } from "node:path";

const ROOT = new URL("../../..", import.meta.url).pathname;
/** The system's unit of children's processor time. */
const TICKS_PER_SECOND = 100;

interface Spent {
  processorS: number;
  wallS: number;
}

let before: Spent | null = null;

/** Starts to measure a test file. Without TEST_COSTS, nothing is measured. */
export function beginCosts(): void {
  if (process.env.TEST_COSTS) before = spent();
}

/**
 * Adds a line to the file of TEST_COSTS: seconds of processor time, with ended child processes, and elapsed
 * seconds.
 */
export function endCosts(testFile: string): void {
  const { TEST_COSTS } = process.env;
  if (!TEST_COSTS || !before) return;
  const now = spent();
  const columns = [now.processorS - before.processorS, now.wallS - before.wallS].map(s => s.toFixed(1));
  appendFileSync(TEST_COSTS, `${[...columns, relative(ROOT, testFile)].join("\t")}\n`);
  before = null;
}

function spent(): Spent {
  const { user, system } = process.cpuUsage();
  return { processorS: (user + system) / 1_000_000 + spentByChildren(), wallS: performance.now() / 1_000 };
}

/** Returns the processor seconds of this process's ended children and their descendants. 0 without /proc. */
function spentByChildren(): number {
  try {
    const fields = readFileSync("/proc/self/stat", "latin1").split(") ").at(-1)?.split(" ") ?? [];
    return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}
