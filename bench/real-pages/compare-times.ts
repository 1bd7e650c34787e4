import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import type { Measurement } from "../support/figures.ts";
import { timed, watchingMemory } from "../support/memory.ts";
import { runPairedRounds } from "../support/paired-rounds.ts";
import { BACKSTOP, backstopConfig, type CaptureSet, launchOptions } from "../support/peer-tools.ts";
import { makeFolder, runTool } from "../support/tool-process.ts";
import { LOCAL_ONLY_ARG } from "./corpus/local-only.ts";
import { WIDTHS } from "./corpus/plan-captures.ts";
import type { CorpusServer } from "./corpus/serve-corpus.ts";
import type { Site } from "./corpus/site.ts";
import { whileBusy } from "./keep-busy.ts";
import { CONCURRENCY } from "./share-work.ts";
import { WarmProcess } from "./warm-process.ts";

export const OURS = "vrs";
export const FRESH_LOOP = "a bare Playwright loop with fresh contexts";
export const REUSED_PAGES_LOOP = "a bare Playwright loop that keeps its pages";
export const BACKSTOP_TEST = "BackstopJS";

/** The times of all contestants for the same pages. */
export interface Times {
  isBusy: boolean;
  /** The measurements for all sites by contestant, one per round. */
  measurements: Record<string, Measurement[]>;
  /** Milliseconds by contestant and site, one per round. BackstopJS captures all sites at once. */
  bySite: Record<string, Record<string, number[]>>;
}

export interface TimeResults {
  times: Times[];
  screenshots: number;
  /** Left out: only vrs cuts them, and a bare screenshot of the largest fails. */
  cutPages: string[];
}

/** Pages of one site that all contestants can capture. */
interface TimedSite {
  name: string;
  paths: string[];
}

/** The contestants, warmed up. BackstopJS has the folder that it works in. */
interface Contest {
  sites: TimedSite[];
  cutPages: string[];
  loops: { name: string; process: WarmProcess }[];
  backstopFolder: string;
}

/**
 * Times captures of unchanged pages, alternating with the same pages in other tools: on idle cores, then on busy ones.
 */
export async function compareTimes(
  server: CorpusServer,
  sites: Site[],
  { idlePairs, busyPairs }: { idlePairs: number; busyPairs: number },
): Promise<TimeResults> {
  const root = await mkdtemp(join(tmpdir(), "vrs-bench-"));
  const started: WarmProcess[] = [];
  try {
    const contest = await openContest(server, sites, root, started);
    const times: Times[] = [];
    if (idlePairs > 0) times.push(await timeRounds(contest, idlePairs, false));
    if (busyPairs > 0) times.push(await whileBusy(() => timeRounds(contest, busyPairs, true)));
    const pages = contest.sites.reduce((sum, { paths }) => sum + paths.length, 0);
    return { times, screenshots: pages * WIDTHS.length, cutPages: contest.cutPages };
  } finally {
    await Promise.all(started.map(one => one.stop()));
    await rm(root, { recursive: true, force: true });
  }
}

async function openContest(
  server: CorpusServer,
  sites: Site[],
  root: string,
  started: WarmProcess[],
): Promise<Contest> {
  const launch = await launchOptions();
  const all: CaptureSet = {
    site: server.url,
    pages: pathsOf(sites),
    widths: WIDTHS,
    concurrency: CONCURRENCY,
    launch: { ...launch, args: [...launch.args, LOCAL_ONLY_ARG] },
  };
  const start = async (name: string, program: URL, captureSet: CaptureSet) => {
    const cwd = await makeFolder(join(root, name), { "loop.json": JSON.stringify(captureSet) });
    const process = await WarmProcess.start(program, cwd);
    started.push(process);
    return { name, process };
  };
  const ours = await start(OURS, new URL("./vrs-loop.ts", import.meta.url), all);
  const cutPages = z.array(z.string()).parse(ours.process.greeting);
  const timed = sites
    .map(site => ({
      name: site.name,
      paths: pathsOf([site]).filter(path => !cutPages.includes(path)),
    }))
    .filter(({ paths }) => paths.length > 0);
  const captureSet = { ...all, pages: timed.flatMap(({ paths }) => paths) };
  const bareLoop = new URL("../programs/bare-loop.ts", import.meta.url);
  const fresh = await start(FRESH_LOOP, bareLoop, { ...captureSet, freshContexts: true });
  const reused = await start(REUSED_PAGES_LOOP, bareLoop, captureSet);
  const backstopFolder = await makeFolder(join(root, BACKSTOP_TEST), {
    "backstop.json": JSON.stringify(backstopConfig(captureSet)),
  });
  await runTool([BACKSTOP, "reference"], backstopFolder, [0]);
  return { sites: timed, cutPages, loops: [ours, fresh, reused], backstopFolder };
}

async function timeRounds(
  { sites, loops, backstopFolder }: Contest,
  pairs: number,
  isBusy: boolean,
): Promise<Times> {
  const bySite: Times["bySite"] = {};
  const results = await runPairedRounds(
    [
      ...loops.map(({ name, process }) => ({
        name,
        measure: () => captureSites(process, sites, (site, ms) => note(bySite, name, site, ms)),
      })),
      { name: BACKSTOP_TEST, measure: () => runTool([BACKSTOP, "test"], backstopFolder, [0, 1]) },
    ],
    { pairs },
  );
  // The warm-up rounds come first.
  for (const sitesOf of Object.values(bySite))
    for (const [site, values] of Object.entries(sitesOf)) sitesOf[site] = values.slice(-pairs);
  const names = [...loops.map(({ name }) => name), BACKSTOP_TEST];
  return {
    isBusy,
    measurements: Object.fromEntries(names.map(name => [name, results.of(name).measurements])),
    bySite,
  };
}

async function captureSites(
  warm: WarmProcess,
  sites: TimedSite[],
  onSite: (site: string, ms: number) => void,
): Promise<Measurement> {
  const { result: value, peakMb } = await watchingMemory(
    () => [warm.pid],
    async () => {
      let totalMs = 0;
      for (const { name, paths } of sites) {
        const ms = await timed(() => warm.work(paths));
        onSite(name, ms);
        totalMs += ms;
      }
      return totalMs;
    },
  );
  return { value, peakMb };
}

function pathsOf(sites: Site[]): string[] {
  return sites.flatMap(({ name, pages }) => pages.map(page => `${name}/${page}`));
}

function note(bySite: Times["bySite"], name: string, site: string, ms: number): void {
  bySite[name] ??= {};
  bySite[name][site] = [...(bySite[name][site] ?? []), ms];
}
