import { parseArgs } from "node:util";
import { SITES } from "../real-pages/corpus/corpus.ts";
import { samplePages } from "../real-pages/corpus/plan-captures.ts";
import type { Site } from "../real-pages/corpus/site.ts";
import { chosen, wholeNumber } from "../real-pages/options.ts";
import { Random } from "../soak/random.ts";

/** One day, after the check that creates the baselines. */
const HOURS = 24;
const QUICK_SITES = 8;
/** A phone and a laptop, px. */
const WIDTHS = [375, 1280];
const QUICK_WIDTHS = [1280];

/** The options of the benchmark. */
export interface MonitorDayOptions {
  sites: Site[];
  /** px. */
  widths: number[];
  /** Checks of each monitor after the first. */
  hours: number;
  /** Whether the figures are too few to quote. */
  quick: boolean;
  /** Folder that keeps the images of pages that looked changed. */
  keep: string | null;
}

/**
 * Reads the command line: `[--quick] [--hours n] [--sites a,b] [--seed n] [--keep folder]`.
 * @throws Error that names the invalid option
 */
export function readMonitorDayOptions(args?: string[]): MonitorDayOptions {
  const { values } = parseArgs({
    ...(args && { args }),
    options: {
      quick: { type: "boolean", default: false },
      hours: { type: "string" },
      sites: { type: "string" },
      seed: { type: "string", default: "1" },
      keep: { type: "string" },
    },
  });
  const seed = wholeNumber("seed", values.seed);
  const sites = chosen("sites", values.sites, SITES, site => site.name);
  const isSample = values.quick && values.sites === undefined;
  const drawn = isSample ? new Random(seed, "sites").shuffled(sites).slice(0, QUICK_SITES) : sites;
  return {
    sites: samplePages(drawn, values.quick ? 1 : null, seed),
    widths: values.quick ? QUICK_WIDTHS : WIDTHS,
    hours: wholeNumber("hours", values.hours ?? String(HOURS)),
    quick: values.quick || values.hours !== undefined || values.sites !== undefined,
    keep: values.keep ?? null,
  };
}
