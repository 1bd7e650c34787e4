/**
 * Measures a warm run of 14 pages × 3 widths against unchanged baselines, from POST to completion. It compares with a
 * bare Playwright loop over the same pages in the same browser with the same concurrency, and with BackstopJS `test`.
 * It runs on pages of this project and on pages of others.
 *
 * node bench/benchmarks/warm-run.ts [pairs] [--quick]
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { startSite } from "../../cli/demo/site-server.ts";
import { EMBEDDED } from "../../test/support/databases/databases.ts";
import { Vrs } from "../../test/support/drivers/vrs.ts";
import { SELF_CONTAINED_PAGES } from "../real-pages/corpus/corpus.ts";
import { serveCorpus } from "../real-pages/corpus/serve-corpus.ts";
import { type Comparison, compareMeasurements } from "../support/figures.ts";
import { timedWithMemory } from "../support/memory.ts";
import { readOptions } from "../support/options.ts";
import { runPairedRounds } from "../support/paired-rounds.ts";
import { BACKSTOP, backstopConfig, type CaptureSet, launchOptions } from "../support/peer-tools.ts";
import { publish } from "../support/publish.ts";
import { makeFolder, runTool } from "../support/tool-process.ts";

// More pairs than in other benchmarks, because the ratios are close to their bar.
const { pairs, quick } = readOptions({ pairs: 9, quickPairs: 1 });
/** The project's bars, as a multiple of the other tool's time. */
const BAR_LOOP = 1.25;
const BAR_BACKSTOP = 0.5;

/** Pages that are complete at their load event. A bare loop captures a page with late content too early. */
const PAGES = ["", "pricing", "guide", "gallery", "about", "changelog", "contact"];
const OWN_PAGES = [...PAGES, ...PAGES.map(page => `${page}?again`)];

const [site, corpus] = await Promise.all([startSite(), serveCorpus()]);
const launch = await launchOptions();
const captureSetOf = (url: string, pages: string[]): CaptureSet => ({
  site: url,
  pages,
  widths: [375, 768, 1280],
  concurrency: availableParallelism(),
  launch,
});
try {
  const own = await compareOn("unchanged screenshots", captureSetOf(site.url, OWN_PAGES));
  const real = await compareOn("unchanged real pages", captureSetOf(corpus.url, SELF_CONTAINED_PAGES));
  const { pages, widths, concurrency } = captureSetOf(site.url, OWN_PAGES);
  await publish({
    name: "warm-run",
    title: "A warm run of the service",
    how: `The runs have ${pages.length} pages × ${widths.length} widths against unchanged baselines, ${concurrency} pages at once. Real pages are ${SELF_CONTAINED_PAGES.length} pages of npm packages that this project did not write. For the service, the time runs from POST /v1/run until the run is completed. The service is one process whose browser is open. The loop captures the same pages with Playwright's own calls, in a process whose browser is open. It reuses tabs and compares nothing. \`backstop test\` of BackstopJS is a process from its start to its end, because it has no other way.`,
    quick,
    withBrowser: true,
    comparisons: [...own, ...real],
  });
} finally {
  await site.close();
  corpus.close();
}

async function compareOn(what: string, captureSet: CaptureSet): Promise<Comparison[]> {
  const root = await mkdtemp(join(tmpdir(), "vrs-bench-"));
  const cwd = await makeFolder(root, {
    "loop.json": JSON.stringify(captureSet),
    "backstop.json": JSON.stringify(backstopConfig(captureSet)),
  });
  const vrs = await Vrs.start({ RENDER_CONCURRENCY: String(captureSet.concurrency) }, EMBEDDED);
  const loop = fork(new URL("../programs/bare-loop.ts", import.meta.url), { cwd });
  try {
    await once(loop, "message");
    await runTool([BACKSTOP, "reference"], cwd, [0]);
    await vrs.client().approve(await run(vrs, captureSet));
    const results = await runPairedRounds(
      [
        {
          name: "vrs",
          measure: () =>
            timedWithMemory(
              () => [vrs.pid],
              () => run(vrs, captureSet),
            ),
        },
        {
          name: "a bare Playwright loop",
          measure: () =>
            timedWithMemory(
              () => [loop.pid ?? 0],
              () => captureAll(loop),
            ),
        },
        { name: "BackstopJS", measure: () => runTool([BACKSTOP, "test"], cwd, [0, 1]) },
      ],
      { pairs },
    );
    const title = `${captureSet.pages.length * captureSet.widths.length} ${what}`;
    return [
      { other: "a bare Playwright loop", value: BAR_LOOP },
      { other: "BackstopJS", value: BAR_BACKSTOP },
    ].map(({ other, value }) =>
      compareMeasurements(
        { title, unit: "ms", ratioIs: "of its time", bar: { is: "at most", value } },
        results.of("vrs"),
        results.of(other),
      ),
    );
  } finally {
    if (loop.connected) loop.disconnect();
    await vrs.stop();
    await rm(root, { recursive: true, force: true });
  }
}

/** Runs a whole run through the service. @returns its id */
async function run(vrs: Vrs, captureSet: CaptureSet): Promise<string> {
  const { id } = await vrs.client().submitRun({
    url: captureSet.site,
    routes: captureSet.pages.map(page => `/${page}`),
    viewports: captureSet.widths,
    project: "bench",
  });
  const stream = await vrs.request(`/v1/runs/${id}/events`);
  const events = await stream.text();
  if (!/"conclusion":"(passed|new)"/.test(events))
    throw new Error(`The run did not pass: ${events.slice(-500)}`);
  return id;
}

async function captureAll(loop: ChildProcess): Promise<void> {
  const measurement = once(loop, "message");
  loop.send("take");
  await measurement;
}
