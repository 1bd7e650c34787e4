import { parseArgs } from "node:util";
import { SITES } from "./corpus/corpus.ts";
import type { Site } from "./corpus/site.ts";

/** The options of the benchmarks of real pages. */
interface RealPagesOptions {
  sites: Site[];
  seed: number;
  /** Whether the figures are too few to quote. */
  quick: boolean;
  /** Rounds of null comparisons; null for as many as a published figure needs. */
  rounds: { idle: number; busy: number } | null;
  /** Pages of each site in null comparisons and changes; null for all. */
  pagesPerSite: number | null;
  time: { pagesPerSite: number; idlePairs: number; busyPairs: number };
  /** Number of changes. */
  changes: number;
  /** Whether the command line names the number of changes. */
  hasChanges: boolean;
  /** Folder that keeps the images of false changes and misses. */
  keep: string | null;
  /** Folder that keeps the measurements of each round, to continue from them; null for none. */
  resume: string | null;
}

/**
 * Reads the command line: `[--quick] [--busy] [--rounds n] [--changes n] [--sites a,b] [--seed n] [--keep folder]
 * [--resume folder]`.
 * @throws Error that names the invalid option
 */
export function readRealPagesOptions(args?: string[]): RealPagesOptions {
  const { values } = parseArgs({
    ...(args && { args }),
    options: {
      quick: { type: "boolean", default: false },
      busy: { type: "boolean", default: false },
      rounds: { type: "string" },
      changes: { type: "string" },
      sites: { type: "string" },
      seed: { type: "string", default: "1" },
      keep: { type: "string" },
      resume: { type: "string" },
    },
  });
  const { quick, busy } = values;
  const rounds = values.rounds ?? (quick || busy ? "1" : undefined);
  const pairs = quick ? 1 : 5;
  return {
    sites: chosen("sites", values.sites, SITES, site => site.name),
    seed: wholeNumber("seed", values.seed),
    quick: Boolean(rounds ?? values.changes ?? values.sites),
    rounds: rounds === undefined ? null : roundsOf(wholeNumber("rounds", rounds), busy),
    pagesPerSite: quick ? 1 : null,
    time: {
      pagesPerSite: quick ? 1 : 3,
      idlePairs: busy ? 0 : pairs,
      busyPairs: busy ? pairs : quick ? 0 : 2,
    },
    changes: wholeNumber("changes", values.changes ?? (quick ? "45" : "1200")),
    hasChanges: values.changes !== undefined,
    keep: values.keep ?? null,
    resume: values.resume ?? null,
  };
}

function roundsOf(rounds: number, isBusy: boolean): { idle: number; busy: number } {
  return isBusy ? { idle: 0, busy: rounds } : { idle: rounds, busy: 0 };
}

/** Reads a whole number. @throws Error that names the option */
export function wholeNumber(option: string, text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 0) return value;
  throw new Error(`--${option} takes a whole number, not "${text}".`);
}

/** Reads a list of names; all of them by default. @throws Error that names the option and the available names */
export function chosen<T>(
  option: string,
  list: string | undefined,
  all: readonly T[],
  name: (one: T) => string,
): T[] {
  if (list === undefined) return [...all];
  return list.split(",").map(wanted => {
    const found = all.find(one => name(one) === wanted);
    if (found === undefined)
      throw new Error(`--${option}: there is no "${wanted}". Choose from ${all.map(name).join(", ")}.`);
    return found;
  });
}
