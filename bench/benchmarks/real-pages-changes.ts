/**
 * Measures how many changes vrs finds on pages of third-party npm packages.
 *
 * node bench/benchmarks/real-pages-changes.ts [--quick] [--changes n] [--sites a,b] [--seed n] [--keep folder]
 */

import { VISIBLE_STEP } from "../real-pages/changes/change-outcome.ts";
import { findMisses } from "../real-pages/changes/find-misses.ts";
import { describeCorpus } from "../real-pages/corpus/corpus.ts";
import { planCaptures, samplePages } from "../real-pages/corpus/plan-captures.ts";
import { findingsOf } from "../real-pages/describe-findings.ts";
import { breakdownOf, countsOf, type Results } from "../real-pages/describe-results.ts";
import { readRealPagesOptions } from "../real-pages/options.ts";
import { publish } from "../support/publish.ts";

const { seed, quick, keep, changes: count, ...options } = readRealPagesOptions();
const sites = samplePages(options.sites, options.pagesPerSite, seed);
const changes = await findMisses(planCaptures(sites), { changes: count, seed, keep });
const results: Results = { sites, nulls: null, time: null, changes };
await publish({
  name: "real-pages-changes",
  title: "Real pages: changes found",
  how: `${describeCorpus(sites)} Each change affects one drawn element, and is made in the served page. Two bare screenshots of the page at rest are taken, before and after the change. The change counts if a color channel of a pixel differs by ${VISIBLE_STEP} of 255 or more. It is found if the capture has at least one changed pixel.`,
  quick,
  withBrowser: true,
  counts: countsOf(results),
  breakdowns: [breakdownOf(results)],
  notes: findingsOf(results),
});
