/**
 * How often vrs is wrong, and how long it takes, on pages of npm packages that nobody in this project wrote: false changes
 * of unchanged pages, time beside bare Playwright loops and BackstopJS, and changes that it does not find.
 *
 *   node bench/real-pages.ts [--quick] [--busy] [--rounds n] [--changes n] [--sites a,b] [--parts nulls,time,misses]
 *     [--seed n] [--keep folder] [--resume folder]
 *
 * `--resume` keeps what was measured in a folder after each round and each part, and goes on from there.
 * `--busy` keeps two cores busy meanwhile. Without it, and without `--rounds`, half of the rounds are busy ones.
 */
import { publish } from "./publish.ts";
import { VISIBLE_STEP } from "./real-pages/change-outcome.ts";
import { compareTimes } from "./real-pages/compare-times.ts";
import { compareUnchanged, roundsFor } from "./real-pages/compare-unchanged.ts";
import { findingsOf } from "./real-pages/describe-findings.ts";
import {
  breakdownOf,
  comparisonsOf,
  countsOf,
  measuresOf,
  type Results,
} from "./real-pages/describe-results.ts";
import { findMisses } from "./real-pages/find-misses.ts";
import { keptPart } from "./real-pages/kept-part.ts";
import { type Part, readRealPagesOptions } from "./real-pages/options.ts";
import { planCaptures, samplePages, WIDTHS } from "./real-pages/plan-captures.ts";
import { serveCorpus } from "./real-pages/serve-corpus.ts";

const PART_TITLES: Record<Part, string> = {
  nulls: "Null comparisons",
  time: "Time",
  misses: "Changes",
};

const { parts, seed, quick, keep, resume, changes, time, ...options } = readRealPagesOptions();
const sites = samplePages(options.sites, options.pagesPerSite, seed);
const captures = planCaptures(sites);
const failures: string[] = [];
const server = await serveCorpus();
const results: Results = {
  sites,
  nulls: await measure("nulls", () =>
    compareUnchanged(server, captures, {
      rounds: options.rounds ?? roundsFor(captures.length),
      seed,
      keep,
      kept: keptPart(resume, "nulls"),
    }),
  ),
  time: await measure("time", () =>
    measureOnce("time", () =>
      compareTimes(server, samplePages(options.sites, time.pagesPerSite, seed), time),
    ),
  ),
  changes: await measure("misses", () =>
    measureOnce("misses", () => findMisses(captures, { changes, seed, keep })),
  ),
};
server.close();
await publish({
  name: "real-pages",
  title: "Real pages",
  how: `${captures.length / WIDTHS.length} pages of ${new Set(sites.map(site => site.package)).size} npm packages × ${WIDTHS.length} widths, two at once: templates, demos, charts and documentation, as published. Hosts outside the packages do not resolve. A null comparison captures an unchanged page again and compares it with the page's first capture, at threshold 0. It is in a warm context or in a fresh one, in drawn orders. A change is of one drawn element, and made in the served page. It counts when two bare screenshots of the page at rest, before and after it, have a color channel of a pixel ${VISIBLE_STEP} of 255 or more apart. It is found when the capture has at least one changed pixel. Times are of up to ${time.pagesPerSite} pages of each package, against unchanged baselines and in browsers that are open; BackstopJS is a process from its start to its end. Busy means that two other processes spin meanwhile.`,
  quick,
  withBrowser: true,
  comparisons: comparisonsOf(results),
  measures: measuresOf(results),
  counts: countsOf(results),
  breakdowns: [breakdownOf(results)],
  notes: [...failures, ...findingsOf(results)],
});

/** Measures a part that was asked for. One that fails costs the others nothing of what they found in hours. */
async function measure<T>(part: Part, work: () => Promise<T>): Promise<T | null> {
  if (!parts.includes(part)) return null;
  console.log(PART_TITLES[part]);
  try {
    return await work();
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
    failures.push(`${PART_TITLES[part]}: not measured. ${error instanceof Error ? error.message : error}`);
    return null;
  }
}

/** Returns what was kept of a part, or else measures and keeps it. */
async function measureOnce<T>(part: Part, work: () => Promise<T>): Promise<T> {
  const kept = keptPart<T>(resume, part);
  const before = await kept.read();
  if (before !== null) return before;
  const measured = await work();
  await kept.write(measured);
  return measured;
}
