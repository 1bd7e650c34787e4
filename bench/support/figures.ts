import { z } from "zod";

/** Format of all benchmarks' figures. They are stored in bench/results and shown in docs/reference/benchmarks.md. */

const spread = z.strictObject({ median: z.number(), min: z.number(), max: z.number() });
export type Spread = z.infer<typeof spread>;

const bar = z.strictObject({ is: z.enum(["at most", "at least"]), value: z.number() });
export type Bar = z.infer<typeof bar>;

const side = z.strictObject({
  name: z.string(),
  value: spread,
  /** Peak resident memory of its processes together; null when it has no process of its own. */
  peakMb: z.number().nullable(),
});

/** Two contestants that did the same work alternately. */
const comparison = z.strictObject({
  title: z.string(),
  unit: z.string(),
  ours: side,
  other: side,
  /** Meaning of the ratio. `of its time` is our value by the other's, `as fast` the other's by ours. */
  ratioIs: z.enum(["of its time", "as fast", "of its rate"]),
  /** Of the pairs' own ratios. */
  ratio: spread,
  pairs: z.number().int().positive(),
  bar: bar.nullable(),
});
export type Comparison = z.infer<typeof comparison>;

/** A value that is measured alone. */
const measure = z.strictObject({
  title: z.string(),
  unit: z.string(),
  value: spread,
  rounds: z.number().int().positive(),
  peakMb: z.number().nullable(),
  bar: bar.nullable(),
});
export type Measure = z.infer<typeof measure>;

/** Values of a figure over time. */
const curve = z.strictObject({
  title: z.string(),
  unit: z.string(),
  everySeconds: z.number().positive(),
  values: z.array(z.number()),
  /** Its median in the second quarter of the time, and in the last. */
  early: z.number(),
  late: z.number(),
  grows: z.boolean(),
});

/** How many of a number of trials had one result. */
const count = z.strictObject({
  title: z.string(),
  count: z.number().int().nonnegative(),
  total: z.number().int().positive(),
  /** Bar of the share, 0–1. */
  bar: bar.nullable(),
});
export type Count = z.infer<typeof count>;

/** Parts of other figures, such as each site's. They are shown, without a bar. */
const breakdown = z.strictObject({
  title: z.string(),
  columns: z.array(z.string()),
  /** A value for each column; null when there is none. */
  rows: z.array(z.strictObject({ name: z.string(), values: z.array(z.number().nullable()) })),
});
export type Breakdown = z.infer<typeof breakdown>;

const machineFacts = z.strictObject({
  processor: z.string(),
  cores: z.number().int().positive(),
  memoryGb: z.number().positive(),
  system: z.string(),
  node: z.string(),
  /** Null when no browser took part. */
  browser: z.string().nullable(),
  date: z.string().regex(/^\d{4}-\d\d-\d\dT/),
  /** Short hash, with a plus when the tree had changes. */
  commit: z.string(),
});
export type MachineFacts = z.infer<typeof machineFacts>;

export const figures = z.strictObject({
  name: z.string().regex(/^[a-z-]+$/),
  title: z.string(),
  /** How the figures were measured. */
  how: z.string(),
  /** Whether there were fewer rounds than a quotable figure needs. */
  quick: z.boolean(),
  comparisons: z.array(comparison),
  measures: z.array(measure),
  // Most benchmarks count nothing, so their files may omit both.
  counts: z.array(count).default([]),
  breakdowns: z.array(breakdown).default([]),
  curves: z.array(curve),
  /** Other facts, such as which contestants were left out and where. */
  notes: z.array(z.string()),
  machine: machineFacts,
});
export type Figures = z.infer<typeof figures>;

/** One value of a contestant, and its peak memory meanwhile. */
export interface Measurement {
  value: number;
  peakMb: number | null;
}

/** Returns the median. With an even number of values, it is the mean of the two in the middle; without values, NaN. */
export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [lower, upper] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return lower === undefined || upper === undefined ? Number.NaN : (lower + upper) / 2;
}

function spreadOf(values: number[]): Spread {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}

function sideOf(name: string, measurements: Measurement[]): Comparison["ours"] {
  return { name, value: spreadOf(measurements.map(({ value }) => value)), peakMb: peakOf(measurements) };
}

function peakOf(measurements: Measurement[]): number | null {
  const known = measurements.flatMap(({ peakMb }) => peakMb ?? []);
  return known.length === 0 ? null : Math.max(...known);
}

/** Compares two contestants' measurements of the same rounds. @throws Error when their numbers of rounds differ */
export function compareMeasurements(
  about: Pick<Comparison, "title" | "unit" | "ratioIs"> & { bar?: Bar },
  ours: { name: string; measurements: Measurement[] },
  other: { name: string; measurements: Measurement[] },
): Comparison {
  if (ours.measurements.length !== other.measurements.length)
    throw new Error(`${about.title}: ${ours.name} and ${other.name} have no pairs.`);
  const ratios = ours.measurements.map(({ value }, round) => {
    const theirs = other.measurements[round]?.value ?? Number.NaN;
    return about.ratioIs === "as fast" ? theirs / value : value / theirs;
  });
  return {
    title: about.title,
    unit: about.unit,
    ratioIs: about.ratioIs,
    ours: sideOf(ours.name, ours.measurements),
    other: sideOf(other.name, other.measurements),
    ratio: spreadOf(ratios),
    pairs: ratios.length,
    bar: about.bar ?? null,
  };
}

/** Returns the figures of one contestant alone. */
export function measureOf(
  about: { title: string; unit: string; bar?: Bar },
  measurements: Measurement[],
): Measure {
  return {
    title: about.title,
    unit: about.unit,
    value: spreadOf(measurements.map(({ value }) => value)),
    rounds: measurements.length,
    peakMb: peakOf(measurements),
    bar: about.bar ?? null,
  };
}

/** Returns measurements without memory. */
export function bare(values: number[]): Measurement[] {
  return values.map(value => ({ value, peakMb: null }));
}

/** Returns whether a median meets its bar. Without a bar, it does. */
export function meetsBar(value: number, limit: Bar | null): boolean {
  if (!limit) return true;
  return limit.is === "at most" ? value <= limit.value : value >= limit.value;
}

/** Counts how many of some trials had one result. */
export function countOf(about: { title: string; bar?: Bar }, number: number, total: number): Count {
  return { title: about.title, count: number, total, bar: about.bar ?? null };
}
