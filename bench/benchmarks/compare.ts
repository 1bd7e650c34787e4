/**
 * Compares two page screenshots on disk and writes a mask. The contestants are this project's pool, odiff's server,
 * odiff as a program for each pair, looks-same, and pixelmatch on images decoded by sharp.
 *
 * npm install --prefix bench && node bench/benchmarks/compare.ts [pairs] [--quick]
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  BOTH_ENCODINGS,
  type Encoding,
  fileOf,
  type PageName,
  renderPages,
  SIZES,
  type Size,
} from "../compare-tools/compare-pages.ts";
import {
  CONTESTANTS,
  type CompareResult,
  type Contestant,
  OURS,
  type Task,
} from "../compare-tools/compare-task.ts";
import { type Comparison, compareMeasurements, type Measurement } from "../support/figures.ts";
import { readOptions } from "../support/options.ts";
import { type Contestant as Round, runPairedRounds } from "../support/paired-rounds.ts";
import { publish } from "../support/publish.ts";

const { pairs, quick } = readOptions({ pairs: 5, quickPairs: 1 });
/**
 * A tool whose first comparison of a pair takes longer is left out for that pair. vrs and the tools that the bars name
 * always stay.
 */
const CUT_OFF_MS = 3_000;
/** All sizes but the largest are compared more often, because they are fast and their times vary more. */
const PAIRS = { "1 MP": 3 * pairs, "4 MP": 3 * pairs, "12 MP": 3 * pairs, "40 MP": pairs };
/** In the service, the comparing threads are warm. The pool has two, and each has a second one to compile for. */
const WARM_UP_S = quick ? 1 : 3;
const BARRED: Contestant = "odiff's server";
/** One size is enough to show what that rule costs odiff. */
const WITHOUT_RULE: Contestant = "odiff's server without its anti-alias rule";

interface Case {
  title: string;
  size: Size;
  before: [PageName, Encoding];
  after: [PageName, Encoding];
  /** How many times as fast as odiff's server vrs must be: the project's bar. */
  bar: number | null;
  contestants: readonly Contestant[];
}

/** Includes files that other encoders write, and files that differ while their pixels do not. */
const CASES: Case[] = SIZES.flatMap((size): Case[] => [
  ...kinds().map(
    ({ title, page, bar }): Case => ({
      title: `${size.title}, ${title}`,
      size,
      before: ["baseline", "speed"],
      after: [page, "speed"],
      bar,
      contestants: CONTESTANTS.filter(name => name !== WITHOUT_RULE || size.title === BOTH_ENCODINGS),
    }),
  ),
  ...(size.title === BOTH_ENCODINGS ? otherEncodings(size) : []),
]);

const folder = await mkdtemp(join(tmpdir(), "vrs-bench-"));
try {
  const sizes = quick ? SIZES.slice(0, 3) : SIZES;
  await renderPages(sizes, (page, size, encoding, png) =>
    writeFile(fileOf(folder, page, size, encoding), png),
  );
  const comparisons: Comparison[] = [];
  const notes: string[] = [];
  for (const one of CASES.filter(({ size }) => sizes.some(({ title }) => title === size.title))) {
    console.log(one.title);
    const measured = await measure(one);
    comparisons.push(...measured.comparisons);
    notes.push(...measured.notes);
  }
  await publish({
    name: "compare",
    title: "Comparing two screenshots",
    how: `Each contestant reads two PNG files from disk and counts the changed pixels. If pixels changed, it also writes a mask to disk. Each contestant is a process of its own that has compared the same pair for ${WARM_UP_S} s before. Only odiff one-off starts its program for each comparison. ${SIZES.map(({ title, width, height }) => `${title} is ${width} × ${height} px`).join(", ")}. In a changed pair, one word differs. In a shifted pair, everything moved by 5 px. In a wholly changed pair, all colors differ. vrs and pixelmatch find the same pixels. odiff and looks-same have rules of their own. Files are written with \`optimizeForSpeed\`, unless the title names the browser's usual encoding. A peer is left out for a pair if its first comparison takes over ${CUT_OFF_MS / 1_000} s.`,
    quick,
    withBrowser: true,
    comparisons,
    notes,
  });
} finally {
  await rm(folder, { recursive: true });
}

function kinds(): { title: string; page: PageName; bar: number }[] {
  return [
    { title: "identical", page: "baseline", bar: 20 },
    { title: "one word changed", page: "word", bar: 2 },
    { title: "shifted", page: "shifted", bar: 1.2 },
    { title: "wholly changed", page: "other", bar: 1.2 },
  ];
}

function otherEncodings(size: Size): Case[] {
  const contestants = [OURS, BARRED] as const;
  const usual = kinds()
    .filter(({ page }) => page !== "baseline")
    .map(
      ({ title, page, bar }): Case => ({
        title: `${size.title}, ${title}, the browser's usual encoding`,
        size,
        before: ["baseline", "default"],
        after: [page, "default"],
        bar,
        contestants,
      }),
    );
  const same: Case = {
    title: `${size.title}, the same pixels in other bytes`,
    size,
    before: ["baseline", "default"],
    after: ["baseline", "speed"],
    bar: null,
    contestants,
  };
  return [...usual, same];
}

async function measure({ title, size, before, after, bar, contestants }: Case) {
  const notes: string[] = [];
  const children: ChildProcess[] = [];
  const results: Round[] = [];
  const [baseline, current] = [
    fileOf(folder, before[0], size, before[1]),
    fileOf(folder, after[0], size, after[1]),
  ];
  try {
    for (const name of contestants) {
      const compare = start(name, children);
      const measure = () => compare({ baseline, current, mask: join(folder, "mask.png") });
      const { value } = await measure();
      if (value > CUT_OFF_MS && name !== OURS && name !== BARRED)
        notes.push(`${title}: ${name} took ${(value / 1_000).toFixed(1)} s, and was left out.`);
      else results.push({ name, measure });
    }
    for (const { measure } of results) await warmUp(measure);
    const measured = await runPairedRounds(results, { pairs: PAIRS[size.title], quiet: true });
    const comparisons = results
      .filter(({ name }) => name !== OURS)
      .map(({ name }) =>
        compareMeasurements(
          {
            title,
            unit: "ms",
            ratioIs: "as fast",
            ...(name === BARRED && bar !== null && { bar: { is: "at least", value: bar } }),
          },
          measured.of(OURS),
          measured.of(name),
        ),
      );
    return { comparisons, notes };
  } finally {
    for (const child of children) if (child.connected) child.disconnect();
  }
}

async function warmUp(measure: Round["measure"]): Promise<void> {
  const end = performance.now() + WARM_UP_S * 1_000;
  while (performance.now() < end) await measure();
}

/** Starts a contestant. @returns a function that compares two files once */
function start(name: Contestant, children: ChildProcess[]): (task: Task) => Promise<Measurement> {
  const child = fork(new URL("../compare-tools/compare-contestant.ts", import.meta.url), [name]);
  children.push(child);
  const ended = once(child, "exit").then((): CompareResult[] => {
    throw new Error(`${name} ended without a result.`);
  });
  // It ends in order once everything is measured.
  ended.catch(() => {});
  return async task => {
    const responded = once(child, "message");
    child.send(task);
    const [result]: CompareResult[] = await Promise.race([responded, ended]);
    if (!result) throw new Error(`${name} returned no result.`);
    return { value: result.ms, peakMb: result.peakMb };
  };
}
