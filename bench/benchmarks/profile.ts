/**
 * Measures where the time of a warm run goes. The service captures real pages against unchanged baselines, and is
 * recorded from outside. The time of its slots is split into shares.
 *
 * node bench/benchmarks/profile.ts [--quick] [--keep folder]
 *
 * `--keep` keeps the recording. It has the browser's trace, which Chromium's DevTools and ui.perfetto.dev open, and
 * the captures' steps with the service's CPU profile.
 */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { browserWork } from "../profile/browser-work.ts";
import { sharesTable, stepsTable } from "../profile/describe-shares.ts";
import { nodeWork } from "../profile/node-work.ts";
import { recordRun } from "../profile/record-run.ts";
import type { Share } from "../profile/shares.ts";
import { splitSlots } from "../profile/split-slots.ts";
import { SITES } from "../real-pages/corpus/corpus.ts";
import { planCaptures, samplePages, WIDTHS } from "../real-pages/corpus/plan-captures.ts";
import { serveCorpus } from "../real-pages/corpus/serve-corpus.ts";
import { CONCURRENCY } from "../real-pages/share-work.ts";
import { bare, measureOf } from "../support/figures.ts";
import { publish } from "../support/publish.ts";

const { values } = parseArgs({
  options: { quick: { type: "boolean", default: false }, keep: { type: "string" } },
});
const QUICK_SITES = 3;
const SEED = 1;

const sites = samplePages(values.quick ? SITES.slice(0, QUICK_SITES) : SITES, 1, SEED);
const pages = [...new Set(planCaptures(sites).map(({ page }) => page))];
const folder =
  values.keep === undefined ? await mkdtemp(join(tmpdir(), "vrs-profile-")) : resolve(values.keep);
await mkdir(folder, { recursive: true });
const corpus = await serveCorpus();
try {
  const { recording, events, time, plainMs } = await recordRun(corpus.url, pages, folder);
  const { captures } = recording;
  const node = nodeWork(recording.profile);
  const browser = browserWork(events);
  const slotUs = splitSlots({ ...time, slots: CONCURRENCY, captures, node, browser });
  const wallMs = (time.endUs - time.startUs) / 1_000;
  await publish({
    name: "profile",
    title: "Where a run's time goes",
    how: `A warm run of the service captures ${pages.length} pages of ${sites.length} npm packages × ${WIDTHS.length} widths, ${CONCURRENCY} at once, against unchanged baselines. Slot time is the time from POST /v1/run until the run is completed, times ${CONCURRENCY}. One clock times the steps of each capture, the trace of all the browser's threads, and the service's CPU profile. Each moment of a slot counts for the first of these that is busy: the page's main thread, by its innermost event; its threads that decode, paint and draw; the service's own process; an open request of the page, which is the site's server and the network; what all pages share in the browser. During a screenshot, the browser comes before the service, and the service's work is the transfer. Time that overlaps a wait for the site counts as ours. A wait for a thread that serves the other slot counts as that thread's work. If nothing is busy during a capture, the moment counts as the engine's wait. Processor time is the time of the threads in all processes. It depends less on other work of the machine.`,
    quick: values.quick,
    withBrowser: true,
    measures: [
      measureOf({ title: "the run, not recorded", unit: "ms" }, bare([plainMs])),
      measureOf({ title: "the run, recorded", unit: "ms" }, bare([wallMs])),
    ],
    breakdowns: [
      sharesTable(slotUs, processorTimes(browser.processorUs, node), captures.length),
      stepsTable(captures, wallMs * 1_000 * CONCURRENCY),
    ],
  });
} finally {
  corpus.close();
  if (values.keep === undefined) await rm(folder, { recursive: true, force: true });
}

/** Returns the browser's times, and the time of the service's main thread. */
function processorTimes(
  browserUs: ReadonlyMap<Share, number>,
  node: ReturnType<typeof nodeWork>,
): Map<Share, number> {
  const times = new Map(browserUs);
  for (const { label, startUs, endUs } of node) times.set(label, (times.get(label) ?? 0) + endUs - startUs);
  return times;
}
