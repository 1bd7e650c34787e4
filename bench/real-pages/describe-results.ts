import {
  type Bar,
  type Breakdown,
  bare,
  type Comparison,
  type Count,
  compareMeasurements,
  countOf,
  type Measure,
  measureOf,
  median,
} from "../support/figures.ts";
import { type ChangeOutcome, tallyChanges, VISIBLE_STEP } from "./changes/change-outcome.ts";
import {
  BACKSTOP_TEST,
  FRESH_LOOP,
  OURS,
  REUSED_PAGES_LOOP,
  type TimeResults,
  type Times,
} from "./compare-times.ts";
import type { NullResults } from "./compare-unchanged.ts";
import type { Site } from "./corpus/site.ts";
import { tallyNulls } from "./null-comparison.ts";

/** Results of the parts of the benchmark. A part that was skipped has none. */
export interface Results {
  sites: Site[];
  nulls: NullResults | null;
  time: TimeResults | null;
  changes: ChangeOutcome[] | null;
}

/** The project's bars. */
const NO_FALSE_CHANGES: Bar = { is: "at most", value: 0 };
const CHANGES_FOUND: Bar = { is: "at least", value: 0.995 };
const TIME_BARS = new Map([
  [FRESH_LOOP, 0.8],
  [REUSED_PAGES_LOOP, 1.25],
  [BACKSTOP_TEST, 0.4],
]);

/** Counts false changes and changes found, each with its bar for the total. */
export function countsOf({ nulls, changes }: Results): Count[] {
  const loads = nulls ? byLoad(nulls) : [];
  const counts: (Count | null)[] = [
    ...loads.flatMap(({ load, comparisons }) => {
      const { falseChanges, stable, unstable, comparisons: total } = tallyNulls(comparisons);
      return [
        counted(`false changes, ${load}`, falseChanges, total, NO_FALSE_CHANGES),
        counted(`of these, in captures reported as stable, ${load}`, stable, falseChanges),
        counted(`of these, in captures reported as unstable, ${load}`, unstable, falseChanges),
      ];
    }),
    ...tallyChanges(changes ?? []).flatMap(({ kind, found, visible, faintFound, faint }) =>
      kind === null
        ? [
            counted("visible changes found", found, visible, CHANGES_FOUND),
            counted(`fainter changes found, by fewer than ${VISIBLE_STEP} of 255`, faintFound, faint),
          ]
        : counted(`visible changes found: ${kind}`, found, visible),
    ),
  ];
  return counts.filter(one => one !== null);
}

/** Measures how often pages were captured until they were stable. */
export function measuresOf({ nulls }: Results): Measure[] {
  return (nulls ? byLoad(nulls) : []).map(({ load, comparisons }) =>
    measureOf(
      { title: `screenshots taken per null comparison, mean, ${load}`, unit: "" },
      bare([tallyNulls(comparisons).meanAttempts]),
    ),
  );
}

/** Compares times over all sites. */
export function comparisonsOf({ time }: Results): Comparison[] {
  return (time?.times ?? []).flatMap(({ isBusy, measurements }) =>
    [...TIME_BARS].map(([other, value]) =>
      compareMeasurements(
        {
          title: `${time?.screenshots} unchanged screenshots, ${isBusy ? "busy" : "idle"}`,
          unit: "ms",
          ratioIs: "of its time",
          bar: { is: "at most", value },
        },
        { name: OURS, measurements: measurements[OURS] ?? [] },
        { name: other, measurements: measurements[other] ?? [] },
      ),
    ),
  );
}

/** Breaks all figures down by site. */
export function breakdownOf({ sites, nulls, time, changes }: Results): Breakdown {
  const loads = nulls ? byLoad(nulls) : [];
  const times = time?.times ?? [];
  return {
    title: "site",
    columns: [
      "pages",
      ...loads.flatMap(({ load }) => [`comparisons, ${load}`, `false changes, ${load}`]),
      ...times.flatMap(({ isBusy }) =>
        ["fresh", "kept"].map(loop => `× of the ${loop} loop, ${isBusy ? "busy" : "idle"}`),
      ),
      ...(changes ? ["visible changes", "found"] : []),
    ],
    rows: sites.map(({ name, pages }) => {
      const made = tallyChanges((changes ?? []).filter(({ planned }) => planned.site === name)).at(-1);
      return {
        name,
        values: [
          pages.length,
          ...loads.flatMap(({ comparisons }) => {
            const tally = tallyNulls(comparisons.filter(({ planned }) => planned.site === name));
            return [tally.comparisons, tally.falseChanges];
          }),
          ...times.flatMap(one => [FRESH_LOOP, REUSED_PAGES_LOOP].map(loop => ratioOf(one, loop, name))),
          ...(changes ? [made?.visible ?? 0, made?.found ?? 0] : []),
        ],
      };
    }),
  };
}

/** Returns the median of the rounds' ratios; null for a site that was not timed. */
function ratioOf({ bySite }: Times, other: string, site: string): number | null {
  const ours = bySite[OURS]?.[site] ?? [];
  const theirs = bySite[other]?.[site] ?? [];
  const ratio = median(ours.map((ms, round) => ms / (theirs[round] ?? Number.NaN)));
  return Number.isFinite(ratio) ? ratio : null;
}

function byLoad({ comparisons }: NullResults): { load: string; comparisons: NullResults["comparisons"] }[] {
  return [false, true]
    .map(isBusy => ({
      load: isBusy ? "busy" : "idle",
      comparisons: comparisons.filter(one => one.isBusy === isBusy),
    }))
    .filter(one => one.comparisons.length > 0);
}

/** Returns null when there is nothing to count a share of. */
function counted(title: string, number: number, total: number, bar?: Bar): Count | null {
  return total === 0 ? null : countOf({ title, ...(bar && { bar }) }, number, total);
}
