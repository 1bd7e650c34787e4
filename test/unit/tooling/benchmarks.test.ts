import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { BENCHES } from "../../../bench/support/benches.ts";
import { benchmarksPage } from "../../../bench/support/benchmarks-page.ts";
import {
  bare,
  compareMeasurements,
  countOf,
  type Figures,
  figures,
  measureOf,
} from "../../../bench/support/figures.ts";
import { missedBars, shareWords, shortfalls } from "../../../bench/support/format.ts";
import { runPairedRounds } from "../../../bench/support/paired-rounds.ts";
import { PAGE, readResults } from "../../../bench/support/results.ts";

const MACHINE = {
  processor: "Some processor",
  cores: 2,
  memoryGb: 8,
  system: "Some system",
  node: "24.0.0",
  browser: null,
  date: "2026-01-02T03:04:05.000Z",
  commit: "0123456789",
};

function figuresWith(more: Partial<Figures>): Figures {
  return figures.parse({
    name: "compare",
    title: "Comparing",
    how: "By comparing.",
    quick: false,
    comparisons: [],
    measures: [],
    counts: [],
    breakdowns: [],
    curves: [],
    notes: [],
    machine: MACHINE,
    ...more,
  } satisfies Figures);
}

const side = (name: string, ...values: number[]) => ({ name, measurements: bare(values) });

describe("docs/reference/benchmarks.md", () => {
  it("is what bench/results holds; node bench/programs/write-benchmarks.ts writes it", async () => {
    const all = await readResults();
    assert.ok(all.length > 0);
    assert.equal(readFileSync(PAGE, "utf8"), benchmarksPage(all));
  });

  it("has figures in one shape, of benches that there are", () => {
    assert.throws(() => figuresWith({ name: "Compare!" }));
    assert.throws(() => figures.parse({ ...figuresWith({}), surplus: true }));
    for (const name of BENCHES) assert.equal(figuresWith({ name }).name, name);
  });
});

describe("a bench's figures", () => {
  it("have the median of the rounds' ratios, not the ratio of the medians", () => {
    const about = { title: "work", unit: "ms", ratioIs: "of its time" } as const;
    const { ratio, ours, pairs } = compareMeasurements(about, side("vrs", 1, 30, 8), side("peer", 10, 10, 1));
    assert.deepEqual(ratio, { median: 3, min: 0.1, max: 8 });
    assert.deepEqual(ours.value, { median: 8, min: 1, max: 30 });
    assert.equal(pairs, 3);
    const fast = compareMeasurements({ ...about, ratioIs: "as fast" }, side("vrs", 2), side("peer", 8));
    assert.equal(fast.ratio.median, 4);
    const rate = compareMeasurements({ ...about, ratioIs: "of its rate" }, side("vrs", 2), side("peer", 8));
    assert.equal(rate.ratio.median, 0.25);
  });

  it("are refused where one side has other rounds", () => {
    const about = { title: "work", unit: "ms", ratioIs: "of its time" } as const;
    assert.throws(() => compareMeasurements(about, side("vrs", 1, 2), side("peer", 1)), /no pairs/);
  });

  it("say in words where a bar is missed, where a peer is ahead and what grows", () => {
    const about = { title: "work", unit: "ms" } as const;
    const atLeast = { is: "at least", value: 2 } as const;
    const missed = figuresWith({
      comparisons: [
        compareMeasurements({ ...about, ratioIs: "of its time" }, side("vrs", 30), side("slower peer", 40)),
        compareMeasurements({ ...about, ratioIs: "of its time" }, side("vrs", 30), side("peer", 20)),
        compareMeasurements({ ...about, ratioIs: "as fast", bar: atLeast }, side("vrs", 10), side("odd", 15)),
        compareMeasurements({ ...about, ratioIs: "of its rate" }, side("vrs", 10), side("empty", 20)),
      ],
      measures: [
        measureOf({ title: "start", unit: "ms", bar: { is: "at most", value: 3_000 } }, bare([3_000])),
        measureOf({ title: "slow start", unit: "ms", bar: { is: "at most", value: 3_000 } }, bare([3_001])),
      ],
      counts: [
        countOf({ title: "errors", bar: { is: "at most", value: 0 } }, 3, 12_000),
        countOf({ title: "found", bar: { is: "at least", value: 0.995 } }, 996, 1_000),
      ],
      breakdowns: [{ title: "by page", columns: ["errors"], rows: [{ name: "home", values: [3] }] }],
      curves: [
        { title: "memory", unit: "MB", everySeconds: 1, values: [1, 2], early: 100, late: 200, grows: true },
      ],
    });
    assert.deepEqual(shortfalls(missed), [
      "work: vrs takes 1.50 × the time of peer.",
      "work: vrs is 1.50 × as fast as odd; the bar of at least 2 is missed.",
      "work: vrs has 0.50 × the rate of empty.",
      "slow start: 3,001 ms (3,001–3,001); the bar of at most 3,000 is missed.",
      "errors: 3 of 12,000 (0.03 %); the bar of at most 0 % is missed.",
      "memory grows, from 100 to 200 MB.",
    ]);
    assert.equal(missedBars(missed), 4);
    const page = benchmarksPage([missed]);
    assert.ok(page.includes("| found | 996 of 1,000 (99.6 %) | at least 99.5 % |"));
    assert.ok(page.includes("| by page | errors |\n| --- | --- |\n| home | 3 |"));
    for (const sentence of shortfalls(missed)) assert.equal(page.split(sentence).length, 3, sentence);
  });

  it("read as no errors, or as all found, only where that is true", () => {
    const words = (count: number, total: number) => shareWords(countOf({ title: "some" }, count, total));
    assert.equal(words(0, 10_000), "0 of 10,000 (0 %)");
    assert.equal(words(1, 100_000), "1 of 100,000 (0.01 %)");
    assert.equal(words(99_999, 100_000), "99,999 of 100,000 (99.99 %)");
    assert.equal(words(5, 5), "5 of 5 (100 %)");
  });

  it("come from rounds that each another one begins, without those that warm up", async () => {
    const order: string[] = [];
    const contestant = (name: string) => ({
      name,
      measure: async () => ({ value: order.push(name), peakMb: null }),
    });
    const rounds = await runPairedRounds(["a", "b", "c"].map(contestant), {
      pairs: 3,
      warmUps: 1,
      quiet: true,
    });
    assert.equal(order.join(""), "abc" + "bca" + "cab" + "abc");
    assert.deepEqual(
      rounds.of("a").measurements.map(({ value }) => value),
      [6, 8, 10],
    );
    assert.throws(() => rounds.of("d"), /no rounds/);
  });
});
