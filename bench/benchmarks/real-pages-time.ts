/**
 * Measures the time of vrs, of bare Playwright loops and of BackstopJS, on pages of third-party npm packages. The
 * comparison is valid only on an otherwise idle machine.
 *
 * node bench/benchmarks/real-pages-time.ts [--quick] [--busy] [--sites a,b] [--seed n]
 *
 * `--busy` keeps two cores busy during the measurement. Without it, some rounds are busy ones.
 */

import { compareTimes } from "../real-pages/compare-times.ts";
import { describeCorpus } from "../real-pages/corpus/corpus.ts";
import { samplePages } from "../real-pages/corpus/plan-captures.ts";
import { serveCorpus } from "../real-pages/corpus/serve-corpus.ts";
import { findingsOf } from "../real-pages/describe-findings.ts";
import { breakdownOf, comparisonsOf, type Results } from "../real-pages/describe-results.ts";
import { readRealPagesOptions } from "../real-pages/options.ts";
import { publish } from "../support/publish.ts";

const { seed, quick, time: plan, ...options } = readRealPagesOptions();
const sites = samplePages(options.sites, plan.pagesPerSite, seed);
const server = await serveCorpus();
const time = await compareTimes(server, sites, plan);
server.close();
const results: Results = { sites, nulls: null, time, changes: null };
await publish({
  name: "real-pages-time",
  title: "Real pages: time",
  how: `${describeCorpus(sites)} Times are against unchanged baselines, with open browsers. BackstopJS is a process from its start to its end. Busy means that two other processes keep two cores busy.`,
  quick,
  withBrowser: true,
  comparisons: comparisonsOf(results),
  breakdowns: [breakdownOf(results)],
  notes: findingsOf(results),
});
