/**
 * Measures `vrs check` on 14 pages × 3 widths against unchanged baselines, as a process from start to exit. It compares
 * with BackstopJS `test`, Lost Pixel, and a loop of Playwright's own calls. It runs on pages of this project and on
 * pages of others.
 *
 * node bench/benchmarks/cli-check.ts [pairs] [--quick]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SELF_CONTAINED_PAGES } from "../real-pages/corpus/corpus.ts";
import { serveCorpus } from "../real-pages/corpus/serve-corpus.ts";
import { startBenchSite } from "../support/bench-site.ts";
import { PAGES } from "../support/capture-pages.ts";
import { bare, type Comparison, compareMeasurements, type Measure, measureOf } from "../support/figures.ts";
import { readOptions } from "../support/options.ts";
import { runPairedRounds } from "../support/paired-rounds.ts";
import {
  BACKSTOP,
  backstopConfig,
  type CaptureSet,
  LOST_PIXEL,
  launchOptions,
  lostPixelConfig,
} from "../support/peer-tools.ts";
import { publish } from "../support/publish.ts";
import { childrenCpuMs, makeFolder, runTool } from "../support/tool-process.ts";

const { pairs, quick } = readOptions({ pairs: 5, quickPairs: 1 });
/** The project's bars, as a multiple of the other tool's time. */
const BAR_PEERS = 0.5;
const BAR_LOOP = 1.3;
const OURS = "vrs check";
const LOOP = "a bare Playwright loop";

const TOOL = fileURLToPath(new URL("../../cli/main.ts", import.meta.url));
const [site, corpus] = await Promise.all([startBenchSite(), serveCorpus()]);
const launch = await launchOptions();
const captureSetOf = (url: string, pages: readonly string[]): CaptureSet => ({
  site: url,
  pages,
  widths: [375, 768, 1280],
  concurrency: availableParallelism(),
  launch,
});

interface Tool {
  name: string;
  files: Record<string, string>;
  /** Commands that create the baselines. */
  prepare: string[][];
  /** The command that is timed. */
  check: string[];
  codes: number[];
}

const toolsFor = (captureSet: CaptureSet): Tool[] => [
  {
    name: OURS,
    files: {
      "package.json": '{ "type": "module" }',
      "service.config.ts": `export default ${JSON.stringify({ baseUrl: captureSet.site, routes: captureSet.pages.map(page => `/${page}`), viewports: captureSet.widths, concurrency: captureSet.concurrency })};`,
    },
    prepare: [
      [TOOL, "check", "--quiet"],
      [TOOL, "approve"],
    ],
    check: [TOOL, "check"],
    codes: [0],
  },
  {
    name: LOOP,
    files: { "loop.json": JSON.stringify(captureSet) },
    prepare: [],
    check: [fileURLToPath(new URL("../programs/bare-loop.ts", import.meta.url))],
    codes: [0],
  },
  {
    name: "BackstopJS",
    files: { "backstop.json": JSON.stringify(backstopConfig(captureSet)) },
    prepare: [[BACKSTOP, "reference"]],
    check: [BACKSTOP, "test"],
    codes: [0, 1],
  },
  {
    name: "Lost Pixel",
    files: {
      "lostpixel.config.js": `module.exports = { config: ${JSON.stringify(lostPixelConfig(captureSet))} };`,
    },
    prepare: [[LOST_PIXEL, "update"]],
    check: [LOST_PIXEL],
    codes: [0, 1],
  },
];

try {
  const own = captureSetOf(site.url, PAGES);
  const real = captureSetOf(corpus.url, SELF_CONTAINED_PAGES);
  const measurement = [
    await compareOn("unchanged screenshots", own),
    await compareOn("unchanged real pages", real),
  ];
  await publish({
    name: "cli-check",
    title: "Checking 42 screenshots from the command line",
    how: `Each tool runs as a process from its start to its end, on ${own.pages.length} pages × ${own.widths.length} widths against unchanged baselines. All use the same browser, with ${own.concurrency} pages at once. Real pages are ${real.pages.length} pages of npm packages that this project did not write. Lost Pixel waits for seconds by default. Here these waits are set to zero. The loop only takes screenshots and compares nothing. The peers capture cards before they have faded in, and then report false changes. For vrs, a false change fails the benchmark.`,
    quick,
    withBrowser: true,
    comparisons: measurement.flatMap(({ comparisons }) => comparisons),
    measures: measurement.flatMap(({ measures }) => measures),
  });
} finally {
  site.close();
  corpus.close();
}

async function compareOn(
  what: string,
  captureSet: CaptureSet,
): Promise<{ comparisons: Comparison[]; measures: Measure[] }> {
  const root = await mkdtemp(join(tmpdir(), "vrs-bench-"));
  const tools = toolsFor(captureSet);
  try {
    const cpu = new Map<string, number[]>(tools.map(({ name }) => [name, []]));
    const contestants = await Promise.all(
      tools.map(async ({ name, files, check, codes }) => {
        const cwd = await makeFolder(join(root, name.replaceAll(" ", "-")), files);
        const measure = async () => {
          const before = childrenCpuMs();
          const measurement = await runTool(check, cwd, codes);
          cpu.get(name)?.push(childrenCpuMs() - before);
          return measurement;
        };
        return { name, cwd, measure };
      }),
    );
    for (const [index, { prepare }] of tools.entries()) {
      // Everything is new in the first check, which two tools report with their exit code.
      for (const [step, args] of prepare.entries())
        await runTool(args, contestants[index]?.cwd ?? root, step === 0 ? [0, 1] : [0]);
    }
    const results = await runPairedRounds(contestants, { pairs });
    const title = `${captureSet.pages.length * captureSet.widths.length} ${what}`;
    const others = tools.filter(({ name }) => name !== OURS);
    return {
      comparisons: others.map(({ name }) =>
        compareMeasurements(
          {
            title,
            unit: "ms",
            ratioIs: "of its time",
            bar: { is: "at most", value: name === LOOP ? BAR_LOOP : BAR_PEERS },
          },
          results.of(OURS),
          results.of(name),
        ),
      ),
      measures: tools.map(({ name }) =>
        measureOf(
          { title: `time of cores, ${name}, ${title}`, unit: "ms" },
          bare((cpu.get(name) ?? []).slice(-pairs)),
        ),
      ),
    };
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}
