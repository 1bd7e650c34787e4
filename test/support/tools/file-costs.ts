import { appendFileSync, readFileSync } from "node:fs";
import { relative } from "node:path";

const ROOT = new URL("../../..", import.meta.url).pathname;
/** What the system counts processor time of children in. */
const TICKS_PER_SECOND = 100;

interface Spent {
  processorS: number;
  wallS: number;
}

let before: Spent | null = null;

/** Begins to count what a file of tests costs; where TEST_COSTS names no file, nothing is counted. */
export function beginCosts(): void {
  if (process.env.TEST_COSTS) before = spent();
}

/** Adds a line to the file that TEST_COSTS names: seconds of processor, its ended processes' too, and of time. */
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

/** Seconds of processor of this process's children that have ended, and theirs; 0 where there is no /proc. */
function spentByChildren(): number {
  try {
    const fields = readFileSync("/proc/self/stat", "latin1").split(") ").at(-1)?.split(" ") ?? [];
    return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}
