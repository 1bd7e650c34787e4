/**
 * Measures how often vrs reports an unchanged page as changed, on pages of third-party npm packages.
 *
 * node bench/benchmarks/real-pages-unchanged.ts [--quick] [--busy] [--rounds n] [--sites a,b] [--seed n] [--keep folder] [--resume
 * folder]
 *
 * `--resume` keeps the measurements of each round in a folder, and continues from there. `--busy` keeps two cores busy
 * during the measurement. Without it, and without `--rounds`, half of the rounds are busy ones.
 */

import { compareUnchanged, type NullResults, roundsFor } from "../real-pages/compare-unchanged.ts";
import { describeCorpus } from "../real-pages/corpus/corpus.ts";
import { planCaptures, samplePages } from "../real-pages/corpus/plan-captures.ts";
import { serveCorpus } from "../real-pages/corpus/serve-corpus.ts";
import { findingsOf } from "../real-pages/describe-findings.ts";
import { breakdownOf, countsOf, measuresOf, type Results } from "../real-pages/describe-results.ts";
import { readRealPagesOptions } from "../real-pages/options.ts";
import { openSavedPart } from "../real-pages/saved-part.ts";
import { publish } from "../support/publish.ts";

const { seed, quick, keep, resume, ...options } = readRealPagesOptions();
const sites = samplePages(options.sites, options.pagesPerSite, seed);
const captures = planCaptures(sites);
const server = await serveCorpus();
const rounds = options.rounds ?? roundsFor(captures.length);
const saved = openSavedPart<NullResults>(resume, "unchanged");
const nulls = await compareUnchanged(server, captures, { rounds, seed, keep, saved });
server.close();
const results: Results = { sites, nulls, time: null, changes: null };
await publish({
  name: "real-pages-unchanged",
  title: "Real pages: false changes",
  how: `${describeCorpus(sites)} A null comparison captures an unchanged page again, and compares it with the page's first capture at threshold 0. The context is warm or fresh, and the order is drawn. Busy means that two other processes keep two cores busy.`,
  quick,
  withBrowser: true,
  measures: measuresOf(results),
  counts: countsOf(results),
  breakdowns: [breakdownOf(results)],
  notes: findingsOf(results),
});
