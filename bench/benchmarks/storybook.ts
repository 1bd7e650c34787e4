/**
 * Measures `vrs storybook` on 500 stories of a published UI kit, as a process from start to exit, beside Lost Pixel and
 * Storybook's own test runner. Measures a check of what one changed component concerns, and counts false changes.
 *
 * Compares each image of a shuffled check with that of its story alone.
 *
 * node bench/benchmarks/storybook.ts [pairs] [--quick] [--stories 500] [--repeats 10]
 */
import { cp, mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { serveFolder } from "../../cli/storybook/static-server.ts";
import { countUnlikeAlone } from "../storybook/compare-alone.ts";
import { buildLibrary, changeComponent, makeLibrary } from "../storybook/make-library.ts";
import { CHANGED, readScale } from "../storybook/scale.ts";
import { checkOf, countFalseChanges, requireOnlyChanged } from "../storybook/story-results.ts";
import {
  lostPixel,
  makeProject,
  type StorySet,
  testRunner,
  vrs,
  vrsOnlyChanged,
} from "../storybook/story-tools.ts";
import { bare, compareMeasurements, countOf, type Measurement, measureOf } from "../support/figures.ts";
import { runPairedRounds } from "../support/paired-rounds.ts";
import { launchOptions } from "../support/peer-tools.ts";
import { publish } from "../support/publish.ts";
import { childrenCpuMs, runTool } from "../support/tool-process.ts";

const { pairs, quick, components, repeats } = readScale();
/** The project's bars, as a multiple of the other time. */
const BAR_LOST_PIXEL = { is: "at most", value: 0.6 } as const;
const BAR_TEST_RUNNER = { is: "at most", value: 0.7 } as const;
const BAR_CHANGED = { is: "at most", value: 0.15 } as const;
const BAR_FALSE = { is: "at most", value: 0 } as const;
/** The default of vrs. All tools get as many. */
const PAGES_PER_CORE = 1.5;
/** Stories that a quick run captures alone, which takes long. */
const QUICK_ALONE = 20;
const ONLY_CHANGED = "vrs storybook --only-changed";

const root = await mkdtemp(join(tmpdir(), "vrs-bench-storybook-"));
const library = join(root, "library");
const stories = await makeLibrary(library, components);
const build = await buildLibrary(library);
const changedLibrary = join(root, "changed");
await cp(library, changedLibrary, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
await changeComponent(changedLibrary, CHANGED);
const changed = await buildLibrary(changedLibrary);
const server = await serveFolder(build);
const set: StorySet = {
  ...{ build, url: server.url, launch: await launchOptions() },
  concurrency: Math.ceil(availableParallelism() * PAGES_PER_CORE),
};
const loads: number[] = [];
const cpuMs = new Map<string, number[]>();
let runs = 0;
let falseChanges = 0;

/** Runs a command of a tool, and records its processor time and the load of the machine. */
async function timed(name: string, args: string[], cwd: string, codes: number[]): Promise<Measurement> {
  const before = childrenCpuMs();
  const measurement = await runTool(args, cwd, codes);
  cpuMs.set(name, [...(cpuMs.get(name) ?? []), childrenCpuMs() - before]);
  loads.push(loadavg()[0] ?? 0);
  return measurement;
}

try {
  const tools = [vrs(set), lostPixel(set), testRunner(set)];
  const [ours = vrs(set)] = tools;
  const folders = await Promise.all(tools.map(tool => makeProject(root, tool)));
  const [folder = root] = folders;
  for (const [index, { prepare, codes }] of tools.entries())
    for (const args of prepare) await runTool(args, folders[index] ?? root, codes);
  const checkAll = async () => {
    const measurement = await timed(ours.name, ours.check, folder, ours.codes);
    falseChanges += countFalseChanges(await checkOf(folder), stories);
    runs += 1;
    return measurement;
  };
  const results = await runPairedRounds(
    [
      { name: ours.name, measure: checkAll },
      ...tools.slice(1).map(({ name, check, codes }, index) => ({
        ...{ name, measure: () => timed(name, check, folders[index + 1] ?? root, codes) },
      })),
      {
        name: ONLY_CHANGED,
        measure: async () => {
          const measurement = await timed(ONLY_CHANGED, vrsOnlyChanged(changed, set), folder, [1]);
          requireOnlyChanged(await checkOf(folder), `Kit/${CHANGED}/`);
          return measurement;
        },
      },
    ],
    { pairs, warmUps: 0 },
  );
  while (runs < repeats) await checkAll();
  const alone = await countUnlikeAlone(build, quick ? QUICK_ALONE : stories);
  const title = `${stories} stories`;
  const compare = (
    one: string,
    other: string,
    bar: typeof BAR_LOST_PIXEL | typeof BAR_TEST_RUNNER | typeof BAR_CHANGED,
    what = title,
  ) =>
    compareMeasurements(
      { title: what, unit: "ms", ratioIs: "of its time", bar },
      results.of(one),
      results.of(other),
    );
  const [, pixel = "", runner = ""] = tools.map(({ name }) => name);
  await publish({
    name: "storybook",
    title: "Checking a Storybook",
    how: `Each tool runs as a process from its start to its end on a static build of ${stories} stories. The stories show ${components.length} components of Mantine, an npm package. All tools use the same browser, with ${set.concurrency} pages at once. vrs and Lost Pixel compare with unchanged baselines. The test runner only takes screenshots and compares nothing. Lost Pixel's waits are set to zero. \`--only-changed\` checks another build, in which one component differs. Its stories must be found changed, and no others.`,
    quick,
    withBrowser: true,
    comparisons: [
      compare(ours.name, pixel, BAR_LOST_PIXEL),
      compare(ours.name, runner, BAR_TEST_RUNNER),
      compare(ONLY_CHANGED, ours.name, BAR_CHANGED, `${title}, one component changed`),
    ],
    measures: [...cpuMs].map(([name, values]) =>
      measureOf({ title: `time of cores, ${name}`, unit: "ms" }, bare(values)),
    ),
    counts: [
      countOf({ title: `false changes in ${runs} runs`, bar: BAR_FALSE }, falseChanges, runs * stories),
      countOf(
        { title: "stories in random order whose image differs from the one alone", bar: BAR_FALSE },
        alone.different.length,
        alone.compared,
      ),
    ],
    notes: [
      `The load of the machine was ${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)} during the rounds.`,
    ],
  });
} finally {
  await server.close();
  await rm(root, { recursive: true, force: true });
}
